import { onAbort } from '../../runtime/deadline.ts';

/** Another process may change the tools: its changes are looked for this often. */
const pollIntervalMs = 400;

/**
 * Tells readers of every change of what is served, made here or by another process on the same
 * workspace.
 */
export class Revisions {
  readonly #read: () => number;
  readonly #readers = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(read: () => number) {
    this.#read = read;
  }

  /** Wakes the readers; each of them sees for itself whether there is anything new. */
  notify(): void {
    for (const wake of [...this.#readers]) wake();
  }

  close(): void {
    this.#closed = true;
    this.notify();
  }

  /**
   * The revision that is not `afterRevision`, at once or as soon as there is one, and every later
   * one; changes in quick succession come as one.
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
