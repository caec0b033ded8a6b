import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationEvent } from '../../../../src-shared/domain/evaluation.ts';

/**
 * A reader may fall this many events behind before it is cut off; it resumes from its last `seq`.
 */
const maxBacklog = 256;
/**
 * Whatever a reader has to catch up on, everyone else has a turn after so many events: each may
 * tell of a hundred runs.
 */
const pageSize = 8;

interface Reader {
  backlog: EvaluationEvent[];
  lagged: boolean;
  wake: () => void;
}

export interface StoredEvents {
  after(evaluationId: string, seq: number, limit: number): EvaluationEvent[];
}

/**
 * Hands committed events to whoever watches. It holds nothing that the store does not: losing it
 * loses no event.
 */
export class EventStream {
  readonly #stored: StoredEvents;
  readonly #isActive: (evaluationId: string) => boolean;
  readonly #readers = new Map<string, Set<Reader>>();

  constructor(stored: StoredEvents, isActive: (evaluationId: string) => boolean) {
    this.#stored = stored;
    this.#isActive = isActive;
  }

  /** Call after the commit, never before. */
  publish(evaluationId: string, event: EvaluationEvent): void {
    for (const reader of this.#readers.get(evaluationId) ?? []) {
      if (reader.backlog.length >= maxBacklog) reader.lagged = true;
      else reader.backlog.push(event);
      reader.wake();
    }
  }

  /**
   * Wakes every reader of an evaluation whose runner has stopped, so that their streams can end.
   */
  wakeReaders(evaluationId: string): void {
    for (const reader of this.#readers.get(evaluationId) ?? []) reader.wake();
  }

  async *watch(
    evaluationId: string,
    afterSeq: number,
    signal?: AbortSignal,
  ): AsyncGenerator<EvaluationEvent, void> {
    let wake = Promise.withResolvers<void>();
    const reader: Reader = { backlog: [], lagged: false, wake: () => wake.resolve() };
    const readers = this.#readers.get(evaluationId) ?? new Set();
    this.#readers.set(evaluationId, readers);
    readers.add(reader);
    const stop = () => wake.resolve();
    signal?.addEventListener('abort', stop);
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
        await setImmediate();
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
          if ((delivered += 1) % pageSize === 0) await setImmediate();
          continue;
        }
        if (!this.#isActive(evaluationId)) return;
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
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
