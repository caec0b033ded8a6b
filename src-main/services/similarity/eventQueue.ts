/** The two ends of the queue: `events` for the reader, the rest for the task. */
export interface EventQueue<Event> {
  events: AsyncIterableIterator<Event>;
  push: (event: Event) => void;
  end: () => void;
  fail: (error: unknown) => void;
  /** Aborted when the reader leaves or `callerSignal` aborts. */
  signal: AbortSignal;
}

/**
 * A queue between a running task and one reader of its events. The task is cancelled when the
 * reader leaves or `callerSignal` aborts.
 */
export function eventQueue<Event>(callerSignal: AbortSignal): EventQueue<Event> {
  const stop = new AbortController();
  const waiting: Event[] = [];
  let ending: { error: unknown } | 'ended' | null = null;
  let wake = Promise.withResolvers<void>();
  const notify = (): void => {
    wake.resolve();
  };
  const finish = (outcome: { error: unknown } | 'ended'): void => {
    ending ??= outcome;
    notify();
  };
  const events: AsyncIterableIterator<Event> = {
    async next() {
      for (;;) {
        const event = waiting.shift();
        if (event !== undefined) return { done: false, value: event };
        if (ending === 'ended') return { done: true, value: undefined };
        if (ending) throw ending.error;
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
    },
    async return() {
      stop.abort(new Error('Nothing is waiting for it.'));
      finish('ended');
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return {
    events,
    signal: AbortSignal.any([callerSignal, stop.signal]),
    push(event) {
      waiting.push(event);
      notify();
    },
    end: () => finish('ended'),
    fail: (error) => finish({ error }),
  };
}
