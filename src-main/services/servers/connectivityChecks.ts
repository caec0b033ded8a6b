import { isDeepStrictEqual } from 'node:util';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp, Greeting, McpConnection } from '../../adapters/mcp/mcpConnection.ts';
import { onAbort, unlessAborted } from '../../runtime/deadline.ts';
import { failureReason, listOver, type IngestedServer } from './ingestTools.ts';
import { shortenInstructions } from './shortenText.ts';

/**
 * Creating or changing a server answers within 2 s whatever the server does. A check that takes
 * longer goes on in the background.
 */
export const maxCheckWaitMs = 1_500;

/** What happens with the outcome of a check. */
interface CheckSink {
  /** Stores the tools that a check listed, or why it could not. */
  keepTools(serverId: string, ingested: IngestedServer): Promise<void>;
  /** Stores the status. `failure` is null if the server answered. */
  keepStatus(serverId: string, failure: string | null): void;
}

type Checked = Pick<Server, 'id' | 'name' | 'config'>;

interface Check {
  server: Checked;
  listsTools: boolean;
  /** Whether its caller may stop it. */
  canStop: boolean;
  abort: AbortController;
  /** The status is stored. */
  answered: Promise<void>;
  /** The tools are stored too, if they were asked for. */
  done: Promise<void>;
}

/** A check that has begun. Both promises resolve whatever comes of it. */
export type StartedCheck = Pick<Check, 'answered' | 'done'>;

/**
 * How often a server announced a changed tool list since its tools were last listed, and when it
 * did so last.
 */
export interface ListChanges {
  times: number;
  at: string;
}

/**
 * Checks whether servers can be reached, and lists their tools over the same connection if that was
 * asked for. One check per server runs at a time; a newer one replaces the older.
 */
export class ConnectivityChecks {
  readonly #connect: ConnectMcp;
  readonly #sink: CheckSink;
  readonly #running = new Map<string, Check>();
  /** Includes replaced checks, whose connections are still being closed. */
  readonly #probes = new Set<Promise<void>>();
  readonly #greetings = new Map<string, Greeting>();
  readonly #listChanges = new Map<string, ListChanges>();

  constructor(connect: ConnectMcp, sink: CheckSink) {
    this.#connect = connect;
    this.#sink = sink;
  }

  isChecking(serverId: string): boolean {
    return this.#running.has(serverId);
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
   * Checks a server and lists its tools. Resolves when both outcomes are stored. A check that
   * `signal` stops leaves the status unchanged. One that already runs for the same configuration is
   * joined: starting a server twice takes twice as long.
   */
  check(server: Checked, signal?: AbortSignal): Promise<void> {
    const running = this.#running.get(server.id);
    const isSame =
      running?.listsTools === true &&
      !running.canStop &&
      running.server.name === server.name &&
      isDeepStrictEqual(running.server.config, server.config);
    if (!isSame) return this.start(server, true, signal).done;
    return signal === undefined
      ? running.done
      : unlessAborted(running.done, signal).catch(() => undefined);
  }

  /** Begins a check. Its status is known, and stored, before its tools are listed. */
  start(server: Checked, listsTools: boolean, signal?: AbortSignal): StartedCheck {
    this.#running.get(server.id)?.abort.abort();
    const abort = new AbortController();
    const stopListening = signal && onAbort(signal, () => abort.abort());
    const isCurrent = (): boolean =>
      this.#running.get(server.id)?.abort === abort && !abort.signal.aborted;
    const end = (): void => {
      stopListening?.();
      if (this.#running.get(server.id)?.abort === abort) this.#running.delete(server.id);
    };
    const answered = Promise.withResolvers<void>();
    const done = this.#probe(server, abort.signal, {
      answer: (failure, greeting) => {
        if (isCurrent()) {
          if (greeting === null) this.#greetings.delete(server.id);
          else this.setGreeting(server.id, greeting);
          this.#sink.keepStatus(server.id, failure);
        }
        if (failure !== null || !listsTools) end();
        answered.resolve();
        return listsTools && isCurrent();
      },
      isCurrent,
    }).finally(() => {
      end();
      answered.resolve();
    });
    const check: Check = {
      ...{ server, listsTools, canStop: signal !== undefined, abort },
      answered: answered.promise,
      done,
    };
    this.#running.set(server.id, check);
    this.#track(done);
    return check;
  }

  /** Ends the check of a deleted server and forgets everything about it. */
  async forget(serverId: string): Promise<void> {
    const check = this.#running.get(serverId);
    check?.abort.abort();
    await check?.done;
    this.#running.delete(serverId);
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
    server: Checked,
    signal: AbortSignal,
    {
      answer,
      isCurrent,
    }: {
      /** Stores the status; returns whether the tools are to be listed. */
      answer: (failure: string | null, greeting: Greeting | null) => boolean;
      isCurrent: () => boolean;
    },
  ): Promise<void> {
    let connection: McpConnection;
    try {
      connection = await this.#connect({ name: server.name, config: server.config }, signal);
    } catch (error) {
      answer(failureReason(error), null);
      return;
    }
    try {
      if (!answer(null, connection.greeting)) return;
      const listed = await listOver(connection, server, signal, true);
      if (!isCurrent()) return;
      // Now, not at the end: keeping takes a while, and a call may hear of a newer change meanwhile.
      if (listed.listing.status === 'listed') this.clearListChanges(server.id);
      await this.#sink.keepTools(server.id, listed);
    } catch (error) {
      // Who stopped the check needs no tools.
      if (!signal.aborted) throw error;
    } finally {
      await connection.close();
    }
  }
}
