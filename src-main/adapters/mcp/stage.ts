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
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DeadlinePassed(ms)), ms);
  const onAbort = (): void => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    // Whatever the parts made of the abort: the reason is what the caller wants to know.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Leaves a promise that can't be cancelled to itself when the signal is aborted. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined);
  if (signal.aborted) throw signal.reason;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
