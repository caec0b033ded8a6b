import { ORPCError } from '@orpc/client';
import type { MessagePortMainLike } from '@orpc/client/message-port';
import { createRouterClient } from '@orpc/server';
import { RPCHandler as PortHandler } from '@orpc/server/message-port';
import { RPCHandler as SocketHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import { orElse } from '../../src-shared/domain/orElse.ts';
import type { Log } from '../runtime/log.ts';
import type { Services } from '../services/services.ts';
import { inspectFrame, inspectInput, type Frame } from './frames.ts';
import { createRouter, procedureNames } from './router.ts';
import { isStream } from './stream.ts';

/** A message port as Electron's main process sees it. */
interface ServedPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: string): void;
  start(): void;
  close(): void;
}

interface PlainAnswer {
  status: number;
  body: unknown;
}

/** WebSocket close codes: unsupported kind of data, and a message that breaks the protocol. */
const unsupportedData = 1003;
const policyViolation = 1008;

/**
 * Serves the contract to peers that the host has already admitted. Transports send and receive;
 * every message is inspected first.
 */
export function createRpcServer(services: Services, log: Log) {
  const router = createRouter(services);
  const ports = new PortHandler(router);
  const sockets = new SocketHandler(router);
  const context = { log, redactValue: services.secretGuard.redactValue };
  const client = createRouterClient(router, { context }) as unknown as Record<
    string,
    Record<string, DirectCall> | undefined
  >;

  return {
    servePort(port: ServedPort): void {
      const inspected: MessagePortMainLike = {
        on(event, listener) {
          if (event === 'close') port.on('close', () => listener());
          if (event !== 'message') return;
          port.on('message', ({ data }) => {
            receive(
              data,
              (frame) => listener({ data: frame }),
              (text) => post(port, text),
              (reason) => {
                log.error(`A window was cut off: it sent ${reason}.`);
                port.close();
              },
            );
          });
        },
        postMessage: (text: string) => post(port, text),
      };
      ports.upgrade(inspected, { context });
      port.start();
    },

    serveSocket(socket: WebSocket): void {
      type Listener = (event: { data: string }) => void;
      const inspected = {
        addEventListener(event: string, listener: Listener) {
          if (event === 'close') socket.on('close', () => listener({ data: '' }));
          if (event !== 'message') return;
          socket.on('message', (data, isBinary) => {
            if (isBinary) {
              socket.close(unsupportedData, 'text only');
              return;
            }
            const text = (data as Buffer).toString('utf8');
            receive(
              text,
              () => listener({ data: text }),
              (answer) => socket.send(answer),
              (reason) => {
                log.error(`A page was cut off: it sent ${reason}.`);
                socket.close(policyViolation, 'malformed message');
              },
            );
          });
        },
        // Resolves when the socket has taken the message, so that a stream is read no faster than
        // its reader receives it, and the service notices a slow one. A lost socket is reported by
        // its close event.
        send: (text: string) => new Promise<void>((resolve) => socket.send(text, () => resolve())),
      };
      void sockets.upgrade(inspected as unknown as Pick<WebSocket, 'addEventListener' | 'send'>, {
        context,
      });
    },

    /** Runs one call on JSON text and returns JSON data. Streams need a port or a socket. */
    async answer(call: string, text: string, signal: AbortSignal): Promise<PlainAnswer> {
      if (!procedureNames.includes(call))
        return errorAnswer(new ORPCError('NOT_FOUND', { message: 'There is no such procedure.' }));
      const input = parseInput(text);
      if (input === null)
        return errorAnswer(
          new ORPCError('BAD_REQUEST', { message: `${call}: the input is not JSON.` }),
        );
      const problem = inspectInput(call, input.value, text.length);
      if (problem !== null) return errorAnswer(problem);
      const [topic = '', name = ''] = call.split('.');
      try {
        const output = await client[topic]?.[name]?.(input.value, { signal });
        if (!isStream(output)) return { status: 200, body: output ?? null };
        await output.return?.();
        return errorAnswer(
          new ORPCError('NOT_ACCEPTABLE', {
            message: `${call} answers with a stream: call it over the socket.`,
          }),
        );
      } catch (error) {
        return errorAnswer(
          error instanceof ORPCError
            ? (error as ORPCError<string, unknown>)
            : new ORPCError('INTERNAL_SERVER_ERROR'),
        );
      }
    },
  };
}
export type RpcServer = ReturnType<typeof createRpcServer>;

type DirectCall = (input: unknown, options: { signal: AbortSignal }) => Promise<unknown>;

function errorAnswer(error: ORPCError<string, unknown>): PlainAnswer {
  return { status: error.status, body: error.toJSON() };
}

/** Null if the text is not JSON. An empty text is a call without input. */
function parseInput(text: string): { value: unknown } | null {
  if (text.trim() === '') return { value: undefined };
  return orElse(() => ({ value: JSON.parse(text) as unknown }), null);
}

function receive(
  data: unknown,
  pass: (frame: Frame) => void,
  reply: (text: string) => void,
  drop: (reason: string) => void,
): void {
  const inspection = inspectFrame(data);
  if (inspection.verdict === 'pass') pass(inspection.frame);
  else if (inspection.verdict === 'answer') reply(inspection.text);
  else drop(inspection.reason);
}

/** A port may close before its answer is sent; then there is nobody to answer. */
function post(port: ServedPort, text: string): void {
  try {
    port.postMessage(text);
  } catch {
    // The port is closed.
    port.close();
  }
}
