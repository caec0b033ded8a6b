/**
 * Waiting with a limit: for work that may be aborted by its caller or take too long. Every function
 * clears its timer and removes its listener before it settles.
 */

/** The wait was ended by its own limit, not by the caller. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
  readonly ms: number;

  constructor(ms: number) {
    super(`no answer in ${ms} ms`);
    this.ms = ms;
  }
}

/**
 * Calls `listener` once when the signal is aborted, immediately if it already is. Returns a function
 * that stops listening.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** A signal that is aborted with `signal`, or with a TimeoutError after `ms`. */
export function signalWithTimeout(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

/**
 * Settles like `work`, or rejects with the signal's reason as soon as it is aborted. `work` goes on
 * by itself then, and its outcome is ignored.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  const aborted = Promise.withResolvers<never>();
  const stopListening = onAbort(signal, () => aborted.reject(signal.reason));
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    stopListening();
  }
}

/**
 * Runs `work` under a total limit that nothing prolongs. Its signal is aborted with the caller's
 * reason or with DeadlinePassed; `work` must settle soon after, so that nothing of it runs on when
 * the caller goes on.
 */
export async function withinDeadline<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // One controller for both reasons: a combined signal costs more than a listener and a timer.
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlinePassed(ms)), ms);
  const stopListening = onAbort(signal, () => controller.abort(signal.reason));
  try {
    return await work(controller.signal);
  } catch (error) {
    // Whatever the parts made of the abort: the reason is what the caller wants to know.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

/** Settles like `work`, or rejects with the error that `tooLate` makes after `ms`. */
export async function rejectAfter<T>(
  ms: number,
  work: Promise<T>,
  tooLate: () => Error,
): Promise<T> {
  work.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLate()), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work`, but no longer than `ms`. Rejects only if `work` does within that time. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  work.catch(() => undefined);
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
