import type { Timing } from './timing.ts';

/**
 * How many requests one host gets at once and how fast, whichever evaluations they belong to. It
 * starts without a bound of its own; each overload halves what was under way, and every full round
 * of successes allows one more.
 */
export class Throttle {
  readonly #timing: Timing;
  #limit = Number.POSITIVE_INFINITY;
  #active = 0;
  #successes = 0;
  #pausedUntil = 0;
  #nextAt = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /** How many may be under way; infinite until the host was overloaded once. */
  get limit(): number {
    return this.#limit;
  }

  /**
   * Waits for a turn; each `enter` needs its `leave`. One that has just waited for this host's sake
   * (`waited`) is not held up by the pause again.
   */
  async enter(
    signal: AbortSignal,
    { perMinute, waited }: { perMinute: number | null; waited: boolean },
  ): Promise<void> {
    if (perMinute !== null) {
      const now = this.#timing.now();
      const at = Math.max(now, this.#nextAt);
      this.#nextAt = at + 60_000 / perMinute;
      if (at > now) await this.#timing.wait(at - now, signal);
    }
    const pause = waited ? 0 : this.#pausedUntil - this.#timing.now();
    if (pause > 0) await this.#timing.wait(pause, signal);
    while (this.#active >= this.#limit) await this.#turn(signal);
    signal.throwIfAborted();
    this.#active += 1;
  }

  leave(): void {
    this.#active -= 1;
    this.#wake();
  }

  overloaded(afterMs: number | null): void {
    this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, this.#active) / 2));
    this.#successes = 0;
    if (afterMs !== null)
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#timing.now() + afterMs);
  }

  succeeded(): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    this.#successes += 1;
    if (this.#successes < this.#limit) return;
    this.#successes = 0;
    this.#limit += 1;
    this.#wake();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = () => {
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    this.#waiting.push(resolve);
    await promise;
    signal.removeEventListener('abort', stop);
    const place = this.#waiting.indexOf(resolve);
    if (place >= 0) this.#waiting.splice(place, 1);
    // The turn that this one gives up goes to the next.
    if (signal.aborted) this.#wake();
    signal.throwIfAborted();
  }

  #wake(): void {
    if (this.#active < this.#limit) this.#waiting.shift()?.();
  }
}
