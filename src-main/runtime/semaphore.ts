/** Lets at most `limit` in at a time; whoever enters leaves. */
export class Semaphore {
  readonly #limit: number;
  #inside = 0;
  #waiting: (() => void)[] = [];
  #idle: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async acquire(): Promise<void> {
    if (this.#inside >= this.#limit)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
  }

  release(): void {
    const next = this.#waiting.shift();
    // The place passes on to the one that waited longest.
    if (next) return next();
    this.#inside -= 1;
    if (this.#inside === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when nobody is inside. */
  async idle(): Promise<void> {
    if (this.#inside > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
