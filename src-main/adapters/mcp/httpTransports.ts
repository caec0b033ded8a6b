import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { unlessAborted } from '../../runtime/deadline.ts';
import type { HttpConfig } from '../../../src-shared/domain/server.ts';
import { createCappedFetch } from './cappedFetch.ts';
import type { ConnectionNotes } from './notes.ts';

export interface HttpWire {
  transport: Transport;
  /** Tells the server that its session is over; best effort. */
  terminate: (signal: AbortSignal) => Promise<void>;
}

/** The SDK's HTTP transports, with every byte through the capped fetch. */
export function openHttpTransport(
  config: HttpConfig,
  kind: HttpConfig['transport'],
  notes: ConnectionNotes,
  messageBytes: number,
): HttpWire {
  const url = new URL(config.url);
  const headers = new Headers(config.headers);
  // fetch refuses an address with a user name in it; the header says the same.
  if (url.username !== '' && !headers.has('authorization')) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  }
  url.username = '';
  url.password = '';
  const requestInit = { headers };
  const fetch = createCappedFetch({
    messageBytes,
    standingStream: kind === 'sse',
    onFault: (fault) => (notes.fault = fault),
  });
  if (kind === 'sse')
    return {
      // oxlint-disable-next-line typescript/no-deprecated -- some servers speak only this old transport.
      transport: new SSEClientTransport(url, { fetch, requestInit }),
      terminate: () => Promise.resolve(),
    };
  // A stream that breaks off is told at once: whether the server acted is unknown, and asking again
  // is not ours to decide.
  const reconnectionOptions = {
    initialReconnectionDelay: 1000,
    maxReconnectionDelay: 1000,
    reconnectionDelayGrowFactor: 1,
    maxRetries: 0,
  };
  const transport = new StreamableHTTPClientTransport(url, {
    fetch,
    requestInit,
    reconnectionOptions,
  });
  return {
    transport,
    terminate: async (signal) => {
      await unlessAborted(transport.terminateSession(), signal).catch(() => undefined);
    },
  };
}
