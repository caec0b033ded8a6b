import { onAbort } from '../../runtime/deadline.ts';

/** Another process may change the tools, so the revision is polled at this interval. */
const pollIntervalMs = 400;

/**
 * Notifies readers of every change of the served tools, made here or by another process with the
 * same workspace.
 */
export class Revisions {
  readonly #read: () => number;
  readonly #readers = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(read: () => number) {
    this.#read = read;
  }

  /** Wakes all readers. Each checks whether the revision has changed. */
  notify(): void {
    for (const wake of [...this.#readers]) wake();
  }

  close(): void {
    this.#closed = true;
    this.notify();
  }

  /**
   * Yields the revision as soon as it differs from `afterRevision`, and every later one. Changes in
   * quick succession are merged.
   */
  async *watch(
    afterRevision: number,
    signal: AbortSignal,
  ): AsyncGenerator<{ revision: number }, void, undefined> {
    let last = afterRevision;
    while (!signal.aborted && !this.#closed) {
      const revision = this.#read();
      if (revision !== last) {
        last = revision;
        yield { revision };
      } else await this.#nextNotification(signal);
    }
  }

  #stopPolling(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #nextNotification(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#readers.add(resolve);
    this.#timer ??= setInterval(() => this.notify(), pollIntervalMs).unref();
    const stopListening = onAbort(signal, resolve);
    await promise;
    stopListening();
    this.#readers.delete(resolve);
    if (this.#readers.size === 0) this.#stopPolling();
  }
}
