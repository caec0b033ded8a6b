/**
 * Hands the latest value to a reader that may be slower than the writer; older values are skipped.
 */
export class LatestValue<Value> {
  #waiting: { value: Value } | null = null;
  #hasEnded = false;
  #wake: (() => void) | null = null;

  set(value: Value): void {
    this.#waiting = { value };
    this.#notify();
  }

  end(): void {
    this.#hasEnded = true;
    this.#notify();
  }

  async *read(): AsyncIterable<Value> {
    for (;;) {
      const next = this.#waiting;
      this.#waiting = null;
      if (next !== null) yield next.value;
      else if (this.#hasEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
