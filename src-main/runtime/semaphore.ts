/**
 * The one slot counter of the program: at most `limit` holders at a time, the longest waiting
 * first. The queue packages from npm run functions, but callers here take a slot in one place and
 * give it back in another, change the limit while others wait, and need `idle`.
 */
export class Semaphore {
  #limit: number;
  #held = 0;
  #waiting: (() => void)[] = [];
  #idle: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Slots that are taken; after the limit was lowered it may be more than the limit. */
  get held(): number {
    return this.#held;
  }

  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#admit();
  }

  /** Takes a slot; each one needs its `release`. Rejects with the signal's reason on abort. */
  async acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#held < this.#limit) {
      this.#held += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = (): void => {
      this.#waiting = this.#waiting.filter((each) => each !== admit);
      reject(signal?.reason);
    };
    const admit = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    signal?.addEventListener('abort', stop, { once: true });
    this.#waiting.push(admit);
    await promise;
  }

  release(): void {
    this.#held -= 1;
    this.#admit();
    if (this.#held === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when no slot is taken. */
  async idle(): Promise<void> {
    if (this.#held > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #admit(): void {
    while (this.#held < this.#limit) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      // The slot is taken before the waiting one runs, so nobody can slip in between.
      this.#held += 1;
      next();
    }
  }
}

/**
 * Calls `work` for every item, at most `limit` at a time, in the order of the items. Rejects with
 * the first error; calls that run by then go on to the next item, so `work` checks for abort.
 */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
