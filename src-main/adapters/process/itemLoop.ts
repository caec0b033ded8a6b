import { parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../../../src-shared/domain/errorText.ts';

/** Indexes of the shared progress array. The sequence is odd while an item is being processed. */
export const progressSlots = { sequence: 0, index: 1, stage: 2, detail: 3 } as const;
export const PROGRESS_BYTES = 4 * Int32Array.BYTES_PER_ELEMENT;

export type ItemOutcome<Result> =
  | { outcome: 'done'; value: Result }
  /**
   * The item exceeded its time or ended the worker; `stage` and `detail` say what it last reported
   * to be doing.
   */
  | { outcome: 'over_time' | 'crashed'; stage: number; detail: number; reason: string }
  /** Another item ended the worker, and the batch was not to be repeated. */
  | { outcome: 'skipped'; reason: string }
  /** The item threw an error; the worker is unharmed. */
  | { outcome: 'failed'; reason: string };

export interface BatchMessage {
  batch: number;
  items: { index: number; item: unknown }[];
  /**
   * Key of the value that all items of the batch share. The value itself is sent only if this
   * worker does not have it yet.
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
  /** The value that the items of the batch share, if there is one. */
  shared: unknown;
  /**
   * Reports the current stage, so that the cause of an item that never ends is known. 0 stands for
   * no particular stage.
   */
  enterStage: (stage: number, detail: number) => void;
  /** The answer passes these bytes on instead of a copy: the worker has them no longer. */
  handOver: (bytes: readonly Uint8Array<ArrayBuffer>[]) => void;
}

/**
 * The worker's side of a `WorkerPool`: processes the items of each batch in order and answers with
 * all outcomes at once. Call it once, after all slow preparation, because the time of the first
 * item starts then.
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
  const handedOver: ArrayBuffer[] = [];
  const handOver: ItemContext['handOver'] = (bytes) => {
    for (const { buffer } of bytes) handedOver.push(buffer);
  };
  const work = (item: unknown, index: number, shared: unknown): ItemOutcome<unknown> => {
    Atomics.store(progress, progressSlots.index, index);
    Atomics.store(progress, progressSlots.stage, 0);
    Atomics.store(progress, progressSlots.detail, 0);
    Atomics.add(progress, progressSlots.sequence, 1);
    try {
      return { outcome: 'done', value: handle(item, { shared, enterStage, handOver }) };
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
    const done: WorkerMessage = { type: 'done', batch: message.batch, outcomes };
    port.postMessage(done, handedOver.splice(0));
  });
  port.postMessage({ type: 'ready' } satisfies WorkerMessage);
}
