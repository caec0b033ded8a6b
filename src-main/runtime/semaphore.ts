import { onAbort } from './deadline.ts';

/** Gives the slot back; further calls do nothing. */
export type Release = () => void;

/**
 * Counts slots: at most `limit` holders at a time, the longest waiting first. The queue packages
 * from npm run functions, but callers here take a slot in one place and give it back in another,
 * change the limit while others wait, and need `idle`.
 */
export class Semaphore {
  #limit: () => number;
  #held = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #idle: (() => void)[] = [];

  /** A function is asked for the limit whenever a slot is taken or given back. */
  constructor(limit: number | (() => number)) {
    this.#limit = typeof limit === 'number' ? () => limit : limit;
  }

  /** Slots that are taken; after the limit was lowered it may be more than the limit. */
  get held(): number {
    return this.#held;
  }

  get limit(): number {
    return this.#limit();
  }

  set limit(limit: number) {
    this.#limit = () => limit;
    this.#admit();
  }

  /** Waits for a slot. Rejects with the signal's reason on abort, and gives up its place. */
  async acquire(signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    if (this.#held < this.#limit()) this.#held += 1;
    else await this.#wait(signal);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#held -= 1;
      this.#admit();
      if (this.#held === 0) for (const resolve of this.#idle.splice(0)) resolve();
    };
  }

  /** Resolves when no slot is taken. */
  async idle(): Promise<void> {
    if (this.#held > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const giveUp = (): void => {
      const place = this.#waiting.indexOf(resolve);
      // Once admitted it holds its slot and is no longer in the queue.
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal?.reason);
    };
    const stopListening = signal && onAbort(signal, giveUp);
    try {
      await promise;
    } finally {
      stopListening?.();
    }
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#held < this.#limit()) {
      // The slot is taken before the waiting one runs, so nobody can slip in between.
      this.#held += 1;
      this.#waiting.shift()?.();
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
