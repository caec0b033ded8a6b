import { mapEventIterator, ORPCError, type ClientContext, type ClientLink } from '@orpc/client';
import { createStore } from '../state/createStore.ts';

export type HostKind = 'electron' | 'loopback';
/** `refused`: this tab has no session, and no other tab of this browser could give it one. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

/**
 * The core could not be reached, or was lost before it answered. The call may or may not have taken
 * effect.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

type Link = ClientLink<ClientContext>;

/** A connection to the core over any transport: a link for calls, and a state to show. */
export interface Connection {
  readonly host: HostKind;
  readonly link: Link;
  readonly state: () => ConnectionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Asks the other tabs of this browser for a session, if this one was refused. */
  readonly signIn: () => void;
  close(): void;
}

/** How long a call waits for the connection to open. */
const maxWaitMs = 15_000;

/**
 * A link that survives its transports: calls wait for the next one, and fail as ConnectionLost when
 * theirs goes away.
 */
export function createReconnectingLink(waitMs = maxWaitMs) {
  const state = createStore<ConnectionState>('connecting');
  let current: Link | null = null;
  const waiting = new Set<(transport: Link | null) => void>();

  const change = (next: ConnectionState, transport: Link | null) => {
    current = transport;
    if (transport !== null || next === 'refused')
      for (const settle of [...waiting]) settle(transport);
    state.set(next);
  };

  const transportFor = (signal: AbortSignal | undefined): Promise<Link> =>
    new Promise((resolve, reject) => {
      if (current !== null) {
        resolve(current);
        return;
      }
      if (state.get() === 'refused') {
        reject(new ConnectionLost('This window isn’t signed in.'));
        return;
      }
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const done = () => {
        waiting.delete(settle);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const settle = (transport: Link | null) => {
        done();
        if (transport === null) reject(new ConnectionLost('This window isn’t signed in.'));
        else resolve(transport);
      };
      const abort = () => {
        done();
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        done();
        reject(new ConnectionLost('Touchstone isn’t responding.'));
      }, waitMs);
      waiting.add(settle);
      signal?.addEventListener('abort', abort, { once: true });
    });

  const link: Link = {
    async call(path, input, options) {
      const transport = await transportFor(options.signal);
      // An error that the core did not send, on a transport that is gone, means that the connection
      // was lost.
      const asConnectionError = (error: unknown): unknown =>
        error instanceof ORPCError || options.signal?.aborted === true || transport === current
          ? error
          : new ConnectionLost('The connection to Touchstone was lost.', { cause: error });
      try {
        const output: unknown = await transport.call(path, input, options);
        if (!isStream(output)) return output;
        return mapEventIterator(output, {
          value: async (item: unknown) => item,
          error: async (error) => asConnectionError(error),
        });
      } catch (error) {
        throw asConnectionError(error);
      }
    },
  };

  return {
    link,
    state: state.get,
    subscribe: state.subscribe,
    /** The transport is open: waiting calls go out on it. */
    connected: (transport: Link): void => change('open', transport),
    disconnected: (next: Exclude<ConnectionState, 'open'>): void => change(next, null),
  };
}

function isStream(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
