import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { onAbort } from '../../runtime/deadline.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';

/**
 * A reader that falls more than this many events behind is cut off; it resumes from its last `seq`.
 */
const maxBacklog = 256;
/**
 * Events delivered before the event loop gets a turn. Small, because each event may hold a hundred
 * runs.
 */
const pageSize = 8;

interface Reader<Event> {
  backlog: Event[];
  lagged: boolean;
  wake: () => void;
}

export interface StoredEvents<Event> {
  after(evaluationId: string, seq: number, limit: number): Event[];
}

/**
 * Delivers committed events to watchers. It holds nothing that the store does not hold, so a lost
 * reader loses no event.
 */
export class EventStream<Event extends { seq: number }> {
  readonly #stored: StoredEvents<Event>;
  readonly #isActive: (evaluationId: string) => boolean;
  readonly #readers = new Map<string, Set<Reader<Event>>>();

  constructor(stored: StoredEvents<Event>, isActive: (evaluationId: string) => boolean) {
    this.#stored = stored;
    this.#isActive = isActive;
  }

  /** Call it after the commit, never before. */
  publish(evaluationId: string, event: Event): void {
    for (const reader of this.#readers.get(evaluationId) ?? []) {
      if (reader.backlog.length >= maxBacklog) reader.lagged = true;
      else reader.backlog.push(event);
      reader.wake();
    }
  }

  /** Wakes the readers of an evaluation whose runner has stopped, so that their streams can end. */
  wakeReaders(evaluationId: string): void {
    for (const reader of this.#readers.get(evaluationId) ?? []) reader.wake();
  }

  /**
   * Yields all events after `afterSeq`, first from the store, then as they are published. The
   * reader is registered before the store is read, so that no event is missed in between; events
   * seen twice are skipped by `seq`. Throws LAGGED when the caller is too slow.
   */
  async *watch(
    evaluationId: string,
    afterSeq: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Event, void> {
    let wake = Promise.withResolvers<void>();
    const reader: Reader<Event> = { backlog: [], lagged: false, wake: () => wake.resolve() };
    const readers = this.#readers.get(evaluationId) ?? new Set();
    this.#readers.set(evaluationId, readers);
    readers.add(reader);
    const stopListening = signal && onAbort(signal, () => wake.resolve());
    try {
      let seq = afterSeq;
      for (;;) {
        const page = this.#stored.after(evaluationId, seq, pageSize);
        for (const event of page) {
          if (signal?.aborted) return;
          yield event;
          seq = event.seq;
        }
        if (page.length < pageSize) break;
        await yieldToEventLoop();
      }
      let delivered = 0;
      for (;;) {
        if (signal?.aborted) return;
        if (reader.lagged) throw lagged(evaluationId, seq);
        const next = reader.backlog.shift();
        if (next) {
          if (next.seq <= seq) continue;
          yield next;
          seq = next.seq;
          if ((delivered += 1) % pageSize === 0) await yieldToEventLoop();
          continue;
        }
        if (!this.#isActive(evaluationId)) return;
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
    } finally {
      stopListening?.();
      readers.delete(reader);
      if (readers.size === 0) this.#readers.delete(evaluationId);
    }
  }
}

function lagged(evaluationId: string, seq: number): ServiceError {
  return new ServiceError('LAGGED', {
    thing: `Events of evaluation ${evaluationId}`,
    cause: `The reader fell more than ${maxBacklog} events behind after event ${seq}.`,
    nextStep: `Watch again with afterSeq ${seq}.`,
  });
}
