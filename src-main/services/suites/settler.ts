import { setImmediate, setTimeout } from 'node:timers/promises';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/store.ts';

type SettlerStore = Pick<Store, 'stagedCases' | 'testCases' | 'evaluations' | 'writable'>;

/** How long moves wait for those who read or add cases, who would wait for the disk with them. */
const waitForOthersMs = 50;

/**
 * Moves and deletes cases in the background, after imports and removals of suites, and deletes
 * evaluations that an earlier session removed.
 */
export class Settler {
  readonly #store: SettlerStore;
  readonly #log: Log | undefined;
  #running: Promise<void> | null = null;
  readonly #stopped = new AbortController();

  constructor(store: SettlerStore, log?: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Begins with what is left from an earlier session, which nobody can restore or end any more. */
  begin(): void {
    this.#store.stagedCases.giveUpHidden();
    this.#store.evaluations.giveUpRemoved();
    this.wake();
  }

  /** There may be something to move or to delete. */
  wake(): void {
    if (!this.#stopped.signal.aborted && this.#store.writable)
      this.#running ??= this.#settle()
        .catch((error: unknown) => {
          this.#log?.error(`What was removed is left for the next start: ${errorText(error)}`);
        })
        .finally(() => (this.#running = null));
  }

  /** Resolves once nothing is left to do. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** The rest is done at the next start. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #settle(): Promise<void> {
    const { stagedCases, testCases, evaluations } = this.#store;
    const { signal } = this.#stopped;
    for (;;) {
      await setImmediate();
      // A program that ends waits for no timer: without the signal, it would end while it stops.
      while (!signal.aborted && (testCases.isRead() || stagedCases.isFilled()))
        await setTimeout(waitForOthersMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (!stagedCases.settle() && !evaluations.purge()) return;
    }
  }
}
