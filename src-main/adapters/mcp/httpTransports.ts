import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../runtime/deadline.ts';
import type { HttpConfig } from '../../../src-shared/domain/server.ts';
import { rulesOf } from '../http/addressPolicy.ts';
import type { Resolve } from '../http/checkedLookup.ts';
import { createCappedFetch } from './cappedFetch.ts';
import type { EventRules } from './lenientMessages.ts';
import type { ConnectionNotes } from './notes.ts';

/**
 * Which addresses a server may have. Servers on this computer and in its network are the rule; what
 * is refused is link-local and reserved.
 */
export interface ServerAccess {
  /** Hosts that a person allowed by name, wherever they lead. */
  allowedHosts: () => readonly string[];
  /** Looks up names; by default the system. */
  resolve?: Resolve | undefined;
}

/** The HTTP transports of the SDK on top of the capped fetch. */
export function openHttpTransport(
  config: HttpConfig,
  kind: HttpConfig['transport'],
  notes: ConnectionNotes,
  messageBytes: () => number,
  access: ServerAccess,
  events: EventRules,
) {
  const url = new URL(config.url);
  const headers = new Headers(config.headers);
  // fetch refuses an address with credentials; a header says the same.
  if (url.username !== '' && !headers.has('authorization')) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  }
  url.username = '';
  url.password = '';
  const requestInit = { headers };
  const streamed = new Set<unknown>();
  const fetch = createCappedFetch({
    get messageBytes() {
      return messageBytes();
    },
    kind,
    addresses: () => rulesOf('allow', access.allowedHosts()),
    resolve: access.resolve,
    onFault: (fault) => (notes.fault = fault),
    onStream: (id) => void streamed.add(id),
    ...events,
  });
  if (kind === 'sse')
    return {
      // oxlint-disable-next-line typescript/no-deprecated -- some servers speak only this old transport.
      transport: new SSEClientTransport(url, { fetch, requestInit }),
      terminate: () => Promise.resolve(),
      mayStillAnswer: () => true,
    };
  // A stream that breaks off fails at once: it is unknown whether the server acted, so a repetition
  // is not decided here.
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
    /** Whether the answer to a request may come after the request itself was answered, on a stream. */
    mayStillAnswer: (id: string | number): boolean => streamed.delete(id),
    /** Ends the session at the server, on a best-effort basis. */
    terminate: async (signal: AbortSignal): Promise<void> => {
      await unlessAborted(transport.terminateSession(), signal).catch(() => undefined);
    },
  };
}
