/** So many at once; whoever comes later waits in order. */
export class ExecutionSemaphore {
  readonly #limit: () => number;
  readonly #waiting: (() => void)[] = [];
  #acquired = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Resolves with the act that gives the turn back. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#acquired < this.#limit()) this.#acquired += 1;
    else {
      await new Promise<void>((resolve, reject) => {
        const enter = (): void => {
          signal.removeEventListener('abort', leave);
          // Taken at once: nobody may come in between.
          this.#acquired += 1;
          resolve();
        };
        const leave = (): void => {
          const place = this.#waiting.indexOf(enter);
          if (place >= 0) this.#waiting.splice(place, 1);
          reject(signal.reason as Error);
        };
        this.#waiting.push(enter);
        signal.addEventListener('abort', leave, { once: true });
      });
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#acquired -= 1;
      // As many as there is room for now: the limit may have been raised meanwhile.
      while (this.#acquired < this.#limit() && this.#waiting.length > 0) this.#waiting.shift()?.();
    };
  }
}
