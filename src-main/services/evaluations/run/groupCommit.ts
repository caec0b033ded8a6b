/**
 * Runs are committed together: at most this many, and none waits longer than `minWaitMs` where
 * the disk is quick.
 */
export const maxGroupSize = 100;
export const minWaitMs = 50;
/**
 * A disk that takes long for each commit is asked less often, so that commits take about a tenth of
 * the time; a person still sees results come.
 */
export const maxWaitMs = 500;
/**
 * A run is written as running once it has been under way for so long; what ends sooner costs one
 * write, not two.
 */
export const minRunningMs = 250;

/**
 * Collects what runs produced and commits it in groups. A failing commit keeps the group, so that
 * nothing is lost while the disk is full; `flush` may then be called again.
 */
export class GroupCommit<Finished> {
  readonly #commit: (started: string[], finished: Finished[]) => void;
  readonly #onError: (error: unknown) => void;
  readonly #idOf: (finished: Finished) => string;
  /** When each run that is not written as running began. */
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

  /** A run that ends soon is never written as running: nobody could have seen it so. */
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
   * Writes everything, also that what began just now is running. Throws where the commit fails; the
   * group is kept.
   */
  flush(): void {
    this.#write([...this.#started.keys()]);
  }

  #write(started: string[]): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (started.length > 0 || this.#finished.length > 0) {
      const began = performance.now();
      this.#commit(started, this.#finished);
      this.#waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, 10 * (performance.now() - began)));
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
