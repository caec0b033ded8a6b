import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp, Greeting, McpConnection } from '../../adapters/mcp/mcpConnection.ts';
import { ingestOffer, type IngestedServer } from './ingestTools.ts';
import { shortenInstructions } from './shortenText.ts';

/**
 * Creating or changing a server answers within 2 s whatever the server does. A check that takes
 * longer goes on in the background.
 */
export const maxCheckWaitMs = 1_500;

/** What a server answered to a check, with all its tools. */
type Answer = { listed: IngestedServer } | { reason: string };

/** What happens with the outcome of a check. */
interface CheckSink {
  /** Stores the tools that a check listed. */
  keepTools(serverId: string, ingested: IngestedServer): Promise<void>;
  /** Stores the status. `failure` is null if the server answered. */
  keepStatus(serverId: string, failure: string | null): void;
}

/**
 * How often a server announced a changed tool list since its tools were last listed, and when it
 * did so last.
 */
export interface ListChanges {
  times: number;
  at: string;
}

/**
 * Checks whether servers can be reached and list their tools, over one connection. One check per
 * server runs at a time; a newer one replaces the older.
 */
export class ConnectivityChecks {
  readonly #connect: ConnectMcp;
  readonly #sink: CheckSink;
  readonly #running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  /** Includes replaced checks, whose connections are still being closed. */
  readonly #probes = new Set<Promise<void>>();
  readonly #stderr = new Map<string, string>();
  readonly #greetings = new Map<string, Greeting>();
  readonly #listChanges = new Map<string, ListChanges>();

  constructor(connect: ConnectMcp, sink: CheckSink) {
    this.#connect = connect;
    this.#sink = sink;
  }

  isChecking(serverId: string): boolean {
    return this.#running.has(serverId);
  }

  /** The last lines that the server wrote to standard error in this session. */
  stderrTail(serverId: string): string {
    return this.#stderr.get(serverId) ?? '';
  }

  /**
   * What the server said about itself when it was last reached in this session; null if it was not,
   * or if its last check failed.
   */
  greeting(serverId: string): Greeting | null {
    return this.#greetings.get(serverId) ?? null;
  }

  setGreeting(serverId: string, greeting: Greeting): void {
    this.#greetings.set(serverId, shortenInstructions(greeting));
  }

  setStderr(serverId: string, text: string): void {
    if (text) this.#stderr.set(serverId, text);
  }

  listChanges(serverId: string): ListChanges | null {
    return this.#listChanges.get(serverId) ?? null;
  }

  /** Adds up announcements: thousands of them are still one fact for the user. */
  addListChanges(serverId: string, times: number, at: string): void {
    if (times > 0)
      this.#listChanges.set(serverId, {
        times: times + (this.#listChanges.get(serverId)?.times ?? 0),
        at,
      });
  }

  /** Called after the tools were listed, when the announcements are settled. */
  clearListChanges(serverId: string): void {
    this.#listChanges.delete(serverId);
  }

  /**
   * Resolves when the check has ended and its outcome is stored. A check that `signal` stops leaves
   * the status unchanged.
   */
  check(server: Pick<Server, 'id' | 'name' | 'config'>, signal?: AbortSignal): Promise<void> {
    this.#running.get(server.id)?.abort.abort();
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    const done = this.#probe(server, abort.signal).then((answer) => {
      signal?.removeEventListener('abort', stop);
      if (this.#running.get(server.id)?.abort !== abort) return;
      this.#running.delete(server.id);
      if (abort.signal.aborted) return;
      if ('listed' in answer) {
        const { instructions, protocolVersion, serverInfo } = answer.listed.listing;
        this.setGreeting(server.id, { instructions, protocolVersion, serverInfo });
      } else this.#greetings.delete(server.id);
      this.#sink.keepStatus(server.id, 'reason' in answer ? answer.reason : null);
    });
    this.#running.set(server.id, { abort, done });
    this.#track(done);
    return done;
  }

  /** Ends the check of a deleted server and forgets everything about it. */
  async forget(serverId: string): Promise<void> {
    const check = this.#running.get(serverId);
    check?.abort.abort();
    await check?.done;
    this.#running.delete(serverId);
    this.#stderr.delete(serverId);
    this.#listChanges.delete(serverId);
    this.#greetings.delete(serverId);
  }

  async close(): Promise<void> {
    for (const { abort } of this.#running.values()) abort.abort();
    await Promise.allSettled(this.#probes);
  }

  #track(probe: Promise<void>): void {
    this.#probes.add(probe);
    const untrack = (): void => void this.#probes.delete(probe);
    probe.then(untrack, untrack);
  }

  async #probe(
    server: Pick<Server, 'id' | 'name' | 'config'>,
    signal: AbortSignal,
  ): Promise<Answer> {
    let connection: McpConnection | null = null;
    const connect: ConnectMcp = async (target, stop) =>
      (connection = await this.#connect(target, stop));
    try {
      const listed = await ingestOffer(server, connect, signal);
      this.setStderr(server.id, stderrOf(connection));
      if (listed.listing.status === 'failed')
        return { reason: listed.listing.error ?? 'It listed no tools.' };
      if (!signal.aborted) {
        // Now, not at the end: keeping takes a while, and a call may hear of a newer change meanwhile.
        this.clearListChanges(server.id);
        await this.#sink.keepTools(server.id, listed);
      }
      return { listed };
    } catch (error) {
      return { reason: errorText(error) };
    }
  }
}

const stderrOf = (connection: McpConnection | null): string => connection?.stderrTail() ?? '';
