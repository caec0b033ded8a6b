import { Semaphore, type Release } from '../../../runtime/semaphore.ts';
import type { Timing } from './timing.ts';

/**
 * How many requests a host gets at once, and how fast, across all evaluations. There is no limit
 * until the host is overloaded. Each overload halves the requests under way, and every full round
 * of successes allows one more.
 */
export class Throttle {
  readonly #timing: Timing;
  readonly #slots = new Semaphore(Number.POSITIVE_INFINITY);
  #successes = 0;
  #pausedUntil = 0;
  #nextAt = 0;

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /** How many requests may be under way; infinite until the host was overloaded once. */
  get limit(): number {
    return this.#slots.limit;
  }

  /**
   * Waits for a slot and returns the function that gives it back. A request that has just waited because
   * the host asked for it (`waited`) is not held up by the pause again.
   */
  async acquire(
    signal: AbortSignal,
    { perMinute, waited }: { perMinute: number | null; waited: boolean },
  ): Promise<Release> {
    if (perMinute !== null) {
      const now = this.#timing.now();
      const at = Math.max(now, this.#nextAt);
      this.#nextAt = at + 60_000 / perMinute;
      if (at > now) await this.#timing.wait(at - now, signal);
    }
    const pause = waited ? 0 : this.#pausedUntil - this.#timing.now();
    if (pause > 0) await this.#timing.wait(pause, signal);
    return this.#slots.acquire(signal);
  }

  overloaded(afterMs: number | null): void {
    this.#slots.limit = Math.max(1, Math.floor(Math.min(this.limit, this.#slots.held) / 2));
    this.#successes = 0;
    if (afterMs !== null)
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#timing.now() + afterMs);
  }

  succeeded(): void {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    this.#successes += 1;
    if (this.#successes < this.limit) return;
    this.#successes = 0;
    this.#slots.limit += 1;
  }
}
