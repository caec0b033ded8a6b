import { createYielder, type YieldIfDue } from './yieldToEventLoop.ts';

/** Work that can be long, as a generator that stops between its steps. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does all of it at once, where nothing else waits. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Does it in turns of the event loop, so that a window is served and an interrupt is noticed
 * meanwhile. Throws the reason of `signal` when aborted.
 */
export async function finishInTurns<Result>(
  steps: Steps<Result>,
  signal?: AbortSignal,
  yieldIfDue: YieldIfDue = createYielder(),
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldIfDue();
    signal?.throwIfAborted();
  }
}
