import type { Clock } from './clock.ts';

/** So long the event loop may be held before everyone else has a turn. */
const maxBreathMs = 15;

/**
 * A selector without a model never waits: without a pause it would keep every other call of the
 * window waiting.
 */
export class Breath {
  readonly #clock: Clock;
  #pause: Promise<void> | null = null;
  #breathedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async take(): Promise<void> {
    if (!this.#pause && this.#clock.monotonic() - this.#breathedAt > maxBreathMs) {
      this.#pause = new Promise((resolve) => {
        setImmediate(() => {
          this.#pause = null;
          this.#breathedAt = this.#clock.monotonic();
          resolve();
        });
      });
    }
    await this.#pause;
  }
}
