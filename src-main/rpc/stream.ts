/** What a handler answers with where the contract has an event iterator. */
interface Stream<Item> extends AsyncIteratorObject<Item, undefined, undefined> {
  next(): Promise<IteratorResult<Item, undefined>>;
  return(): Promise<IteratorResult<Item, undefined>>;
  [Symbol.asyncIterator](): Stream<Item>;
}

/**
 * Ends a service's stream together with its reader: when the signal fires or the reader stops,
 * `return()` reaches the source at once, even if it is waiting for its next item, and a pending
 * `next()` resolves as done.
 */
export function endWithReader<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): Stream<Item> {
  const iterator = source[Symbol.asyncIterator]();
  const done: IteratorResult<Item, undefined> = { done: true, value: undefined };
  let ended = false;
  let settlePending: ((result: IteratorResult<Item, undefined>) => void) | null = null;

  const finish = () => {
    ended = true;
    signal.removeEventListener('abort', stop);
  };
  function stop(): void {
    if (ended) return;
    finish();
    settlePending?.(done);
    // Errors of a source that is being closed have no reader.
    iterator.return?.().catch(() => undefined);
  }
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  const advance = async (): Promise<IteratorResult<Item, undefined>> => {
    try {
      const result: IteratorResult<Item, unknown> = await iterator.next();
      if (result.done !== true) return result;
      finish();
      return done;
    } catch (error) {
      finish();
      throw error;
    } finally {
      settlePending = null;
    }
  };

  return {
    next() {
      if (ended) return Promise.resolve(done);
      return new Promise((resolve, reject) => {
        settlePending = resolve;
        advance().then(resolve, reject);
      });
    },
    return() {
      stop();
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      stop();
    },
  };
}

/** True for the output of a streaming procedure. */
export function isStream(value: unknown): value is AsyncIterator<unknown> & AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
