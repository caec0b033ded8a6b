import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../../src-shared/domain/errorText.ts';

/** Places in the shared progress array. The sequence is odd while an item is being worked at. */
export const progressSlots = { sequence: 0, index: 1, stage: 2, detail: 3 } as const;
export const PROGRESS_BYTES = 4 * Int32Array.BYTES_PER_ELEMENT;

export type ItemOutcome<Result> =
  | { outcome: 'done'; value: Result }
  /**
   * The item used up its time, or took the worker down; `stage` and `detail` are what it said that
   * it was doing.
   */
  | { outcome: 'over_time' | 'crashed'; stage: number; detail: number; reason: string }
  /** The item's own error: the worker lives on. */
  | { outcome: 'failed'; reason: string };

export interface BatchMessage {
  batch: number;
  items: { index: number; item: unknown }[];
  /**
   * Key of the value that all items of the batch share; the value itself only where this worker has
   * not seen it yet.
   */
  key: string | null;
  shared?: { value: unknown };
  /** Keys whose values are no longer needed. */
  drop: string[];
}

export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'done'; batch: number; outcomes: { index: number; outcome: ItemOutcome<unknown> }[] };

export interface ItemContext {
  /** The value that the items of the batch share; undefined where there is none. */
  shared: unknown;
  /**
   * Says what is being done now, so that an item that never ends can be blamed on it. 0 = nothing
   * in particular.
   */
  enterStage: (stage: number, detail: number) => void;
}

/**
 * The worker's side of a `WorkerPool`: works at the items of each batch in order and answers with
 * all outcomes at once. Call it once, after everything that is slow to prepare: the clock of the
 * first item starts only then.
 */
export function serveItems(handle: (item: unknown, context: ItemContext) => unknown): void {
  const port = parentPort;
  if (!port) throw new Error('serveItems works only in a worker thread.');
  const progress = new Int32Array((workerData as { progress: SharedArrayBuffer }).progress);
  const values = new Map<string, unknown>();
  const enterStage = (stage: number, detail: number): void => {
    Atomics.store(progress, progressSlots.detail, detail);
    Atomics.store(progress, progressSlots.stage, stage);
  };
  const work = (item: unknown, index: number, shared: unknown): ItemOutcome<unknown> => {
    Atomics.store(progress, progressSlots.index, index);
    Atomics.store(progress, progressSlots.stage, 0);
    Atomics.add(progress, progressSlots.sequence, 1);
    try {
      return { outcome: 'done', value: handle(item, { shared, enterStage }) };
    } catch (error) {
      return { outcome: 'failed', reason: errorText(error) };
    } finally {
      Atomics.add(progress, progressSlots.sequence, 1);
    }
  };
  port.on('message', (message: BatchMessage) => {
    for (const key of message.drop) values.delete(key);
    if (message.key !== null && message.shared) values.set(message.key, message.shared.value);
    const shared = message.key === null ? undefined : values.get(message.key);
    const outcomes = message.items.map(({ index, item }) => ({
      index,
      outcome: work(item, index, shared),
    }));
    port.postMessage({ type: 'done', batch: message.batch, outcomes } satisfies WorkerMessage);
  });
  port.postMessage({ type: 'ready' } satisfies WorkerMessage);
}
