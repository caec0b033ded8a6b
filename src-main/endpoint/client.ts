import { createORPCClient, mapEventIterator, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { errorText } from '../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../src-shared/contract/errors.ts';
import type { Client } from '../../src-shared/contract/index.ts';
import {
  linkPath,
  maxFrameLength,
  socketPath,
  socketProtocol,
} from '../../src-shared/domain/connection.ts';
import { isStream } from '../rpc/stream.ts';
import { loopbackAddress } from './bindHost.ts';

/** The close code of a socket whose peer got a message above its limit. */
const messageTooBig = 1009;

/** A client of a running window. Closing it closes the socket, not the window. */
export interface HostConnection {
  client: Client;
  close(): Promise<void>;
}

/**
 * Connects a command to a running window: a socket with the endpoint's token in a header. If the
 * window closes, pending calls fail with TROUBLE. Throws TROUBLE if nothing answers and CONFLICT if
 * the token is refused.
 */
export async function connectToHost(
  endpoint: { port: number; token: string },
  deadlineMs = 5000,
): Promise<HostConnection> {
  const socket = new WebSocket(
    `ws://${loopbackAddress}:${endpoint.port}${socketPath}`,
    [socketProtocol],
    {
      headers: { authorization: `Bearer ${endpoint.token}` },
      handshakeTimeout: deadlineMs,
      perMessageDeflate: false,
      // Whole suites and listings travel in one message, and the host belongs to the same user.
      maxPayload: 1024 * 1024 * 1024,
    },
  );
  await opened(socket, endpoint.port);
  let closeCode = 0;
  socket.once('close', (code) => (closeCode = code));

  const asConnectionLost = (error: unknown): unknown => {
    if (error instanceof ORPCError || socket.readyState === WebSocket.OPEN) return error;
    const thing = 'The running window';
    if (closeCode === messageTooBig) {
      const cause = `takes at most ${maxFrameLength / 1024 / 1024} MB at once.`;
      const nextStep = 'Split the file, or close the window and run the command again.';
      return new ServiceError('INVALID', { thing, cause, nextStep }, { cause: error });
    }
    const cause = 'ended before it answered.';
    const nextStep = 'Start it again, or run the command without it.';
    return new ServiceError('TROUBLE', { thing, cause, nextStep }, { cause: error });
  };
  const link = new RPCLink({
    websocket: socket,
    interceptors: [
      async (call) => {
        try {
          const output: unknown = await call.next();
          if (!isStream(output)) return output;
          return mapEventIterator(output, {
            value: async (item: unknown) => item,
            error: async (error) => asConnectionLost(error),
          });
        } catch (error) {
          throw asConnectionLost(error);
        }
      },
    ],
  });
  return {
    client: createORPCClient<Client>(link),
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.close();
      await closed;
    },
  };
}

/** Asks a running window for a new sign-in link. Throws TROUBLE if it doesn't answer with one. */
export async function askForLink(
  endpoint: { port: number; token: string },
  deadlineMs = 5000,
): Promise<string> {
  const thing = `The window on port ${endpoint.port}`;
  try {
    const response = await fetch(`http://${loopbackAddress}:${endpoint.port}${linkPath}`, {
      method: 'POST',
      redirect: 'error',
      headers: { authorization: `Bearer ${endpoint.token}` },
      signal: AbortSignal.timeout(deadlineMs),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return linkAnswer.parse(await response.json()).url;
  } catch (error) {
    const cause = `gives no link (${errorText(error)}).`;
    throw new ServiceError(
      'TROUBLE',
      {
        thing,
        cause,
        nextStep: 'Press Enter in the terminal where it runs, or end it and start it again.',
      },
      { cause: error },
    );
  }
}

const linkAnswer = z.object({ url: z.string() });

function opened(socket: WebSocket, port: number): Promise<void> {
  const thing = `The window on port ${port}`;
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.removeAllListeners('unexpected-response');
      resolve();
    });
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      const cause =
        response.statusCode === 503
          ? 'has too many connections.'
          : `refused the command (${response.statusCode ?? 'no status'}).`;
      reject(
        new ServiceError('CONFLICT', { thing, cause, nextStep: 'End it and start it again.' }),
      );
      socket.terminate();
    });
    // Keeps listening: an error without a listener would end the program, and the close event
    // follows.
    socket.on('error', (error) =>
      reject(
        new ServiceError(
          'TROUBLE',
          { thing, cause: `does not answer (${error.message}).`, nextStep: 'Start it again.' },
          { cause: error },
        ),
      ),
    );
  });
}
