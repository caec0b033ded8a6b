/** Runs are committed together: at most this many, and none waits longer than `shortestWaitMs` where the disk is quick. */
export const maximumGroup = 100;
export const shortestWaitMs = 50;
/** A disk that takes long for each commit is asked less often, so that commits take about a tenth of the time; a person still sees results come. */
export const longestWaitMs = 500;

/**
 * Collects what runs produced and commits it in groups. A failing commit keeps the group, so that nothing is lost while the
 * disk is full; `flush` may then be called again.
 */
export class GroupCommit<Finished> {
  readonly #commit: (started: string[], finished: Finished[]) => void;
  readonly #onTrouble: (error: unknown) => void;
  readonly #idOf: (finished: Finished) => string;
  #started = new Set<string>();
  #finished: Finished[] = [];
  #timer: NodeJS.Timeout | null = null;
  #waitMs = shortestWaitMs;

  constructor(options: {
    commit: (started: string[], finished: Finished[]) => void;
    idOf: (finished: Finished) => string;
    onTrouble: (error: unknown) => void;
  }) {
    this.#commit = options.commit;
    this.#idOf = options.idOf;
    this.#onTrouble = options.onTrouble;
  }

  /** A run that starts and ends within one group is never written as running: nobody could have seen it so. */
  start(id: string): void {
    this.#started.add(id);
    this.#arm();
  }

  finish(item: Finished): void {
    this.#started.delete(this.#idOf(item));
    this.#finished.push(item);
    if (this.#finished.length >= maximumGroup) this.#tryFlush();
    else this.#arm();
  }

  get size(): number {
    return this.#finished.length;
  }

  /** Throws where the commit fails; the group is kept. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#started.size === 0 && this.#finished.length === 0) return;
    const began = performance.now();
    this.#commit([...this.#started], this.#finished);
    this.#waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, 10 * (performance.now() - began)));
    this.#started = new Set();
    this.#finished = [];
  }

  #arm(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#tryFlush();
    }, this.#waitMs);
  }

  #tryFlush(): void {
    try {
      this.flush();
    } catch (error) {
      this.#onTrouble(error);
    }
  }
}
