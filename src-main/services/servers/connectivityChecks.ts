import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Server } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp, Greeting } from '../../adapters/mcp/mcpConnection.ts';
import { shortenInstructions } from './shortenText.ts';

/**
 * Creating or changing a server answers within 2 s whatever the server does. A check that takes
 * longer goes on in the background.
 */
export const maxCheckWaitMs = 1_500;

/** Result of a check: what the server said about itself, or why it failed. */
export type CheckOutcome =
  { status: 'active'; greeting: Greeting } | { status: 'failed'; reason: string };

/**
 * How often a server announced a changed tool list since its tools were last listed, and when it
 * did so last.
 */
export interface ListChanges {
  times: number;
  at: string;
}

/**
 * Checks whether servers can be reached. Only these checks set a server's status. One check per
 * server runs at a time; a newer one replaces the older.
 */
export class ConnectivityChecks {
  readonly #connect: ConnectMcp;
  readonly #saveOutcome: (serverId: string, outcome: CheckOutcome) => void;
  readonly #running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  /** Includes replaced checks, whose connections are still being closed. */
  readonly #probes = new Set<Promise<void>>();
  readonly #stderr = new Map<string, string>();
  readonly #greetings = new Map<string, Greeting>();
  readonly #listChanges = new Map<string, ListChanges>();

  constructor(connect: ConnectMcp, store: (serverId: string, outcome: CheckOutcome) => void) {
    this.#connect = connect;
    this.#saveOutcome = store;
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

  /** Resolves when the check has ended and its outcome is stored. */
  check(server: Pick<Server, 'id' | 'name' | 'config'>): Promise<void> {
    this.#running.get(server.id)?.abort.abort();
    const abort = new AbortController();
    const done = this.#probe(server, abort.signal).then((outcome) => {
      if (this.#running.get(server.id)?.abort !== abort) return;
      this.#running.delete(server.id);
      if (abort.signal.aborted) return;
      if (outcome.status === 'active') this.setGreeting(server.id, outcome.greeting);
      else this.#greetings.delete(server.id);
      this.#saveOutcome(server.id, outcome);
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
  ): Promise<CheckOutcome> {
    try {
      const connection = await this.#connect({ name: server.name, config: server.config }, signal);
      this.setStderr(server.id, connection.stderrTail());
      await connection.close();
      return { status: 'active', greeting: connection.greeting };
    } catch (error) {
      const reason =
        error instanceof ServiceError
          ? `${error.data.cause} ${error.data.nextStep}`.trim()
          : errorText(error);
      return { status: 'failed', reason };
    }
  }
}
