/**
 * Runs are committed in groups of at most `maxGroupSize`; none waits longer than `minWaitMs` on a
 * fast disk.
 */
export const maxGroupSize = 100;
export const minWaitMs = 50;
/**
 * A slow disk is written less often, so that commits take about a tenth of the time; but at least
 * twice a second, so that a person still sees results arrive.
 */
export const maxWaitMs = 500;
/**
 * A run is stored as running only after this time. Most runs end sooner and cost one write instead
 * of two.
 */
export const minRunningMs = 250;

/**
 * Collects finished runs and commits them in groups. When a commit fails the group is kept, so that
 * nothing is lost while the disk is full; call `flush` to try again.
 */
export class GroupCommit<Finished> {
  readonly #commit: (started: string[], finished: Finished[]) => void;
  readonly #onError: (error: unknown) => void;
  readonly #idOf: (finished: Finished) => string;
  /** Start times of runs that are not yet stored as running. */
  readonly #started = new Map<string, number>();
  #finished: Finished[] = [];
  #timer: NodeJS.Timeout | null = null;
  #waitMs = minWaitMs;

  constructor(options: {
    commit: (started: string[], finished: Finished[]) => void;
    idOf: (finished: Finished) => string;
    onError: (error: unknown) => void;
  }) {
    this.#commit = options.commit;
    this.#idOf = options.idOf;
    this.#onError = options.onError;
  }

  /** Notes that a run started. It is stored as running only if it takes long. */
  start(id: string): void {
    this.#started.set(id, performance.now());
    this.#schedule();
  }

  finish(item: Finished): void {
    this.#started.delete(this.#idOf(item));
    this.#finished.push(item);
    if (this.#finished.length >= maxGroupSize) this.#tryWrite();
    else this.#schedule();
  }

  get size(): number {
    return this.#finished.length;
  }

  /**
   * Commits everything, including runs that have just started. Throws when the commit fails; the
   * group is kept.
   */
  flush(): void {
    this.#write([...this.#started.keys()]);
  }

  #write(started: string[]): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (started.length > 0 || this.#finished.length > 0) {
      const startedAt = performance.now();
      this.#commit(started, this.#finished);
      this.#waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, 10 * (performance.now() - startedAt)));
      for (const id of started) this.#started.delete(id);
      this.#finished = [];
    }
    if (this.#started.size > 0) this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#tryWrite();
    }, this.#waitMs);
  }

  #tryWrite(): void {
    const before = performance.now() - minRunningMs;
    try {
      this.#write([...this.#started].filter(([, beganAt]) => beganAt <= before).map(([id]) => id));
    } catch (error) {
      this.#onError(error);
    }
  }
}
