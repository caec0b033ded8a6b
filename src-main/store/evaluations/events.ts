import { evaluationEvent, type EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { taskEvent, type TaskEvent } from '../../../src-shared/domain/taskEvaluation.ts';
import type { StoreContext } from '../storeContext.ts';

interface RawEvent {
  seq: number;
  at: string;
  type: string;
  data: string;
}

interface EventOf {
  case: EvaluationEvent;
  task: TaskEvent;
}
const eventOf = { case: evaluationEvent, task: taskEvent };

type Unlogged<Event> = Event extends EventOf[EvaluationUnit] ? Omit<Event, 'seq' | 'at'> : never;
/** An event before it gets its sequence number. */
type NewEvent = Unlogged<EventOf[EvaluationUnit]>;

/**
 * The log of an evaluation: what happened, in order, without gaps. Events inform; they do not
 * control anything.
 */
export function openEvents({ db }: StoreContext) {
  const append = db.prepare(
    'INSERT INTO evaluation_events (evaluation_id, seq, at, type, data) VALUES (?, ?, ?, ?, ?)',
  );
  const last = db.prepare<[string], { seq: number | null }>(
    'SELECT max(seq) AS seq FROM evaluation_events WHERE evaluation_id = ?',
  );
  const after = db.prepare<[string, number, number], RawEvent>(
    'SELECT seq, at, type, data FROM evaluation_events WHERE evaluation_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  const first = db
    .prepare<[string, string], string>(
      'SELECT at FROM evaluation_events WHERE evaluation_id = ? AND type = ? ORDER BY seq LIMIT 1',
    )
    .pluck();
  const lastSeq = (evaluationId: string): number => last.get(evaluationId)?.seq ?? 0;

  return {
    lastSeq,
    /** When the first event of a type happened; null where there was none. */
    firstAt: (evaluationId: string, type: NewEvent['type']): string | null =>
      first.get(evaluationId, type) ?? null,
    /** Call inside the transaction that commits what the event reports. */
    append<Event extends NewEvent>(
      evaluationId: string,
      at: string,
      event: Event,
    ): Event & { seq: number; at: string } {
      const { type, ...data } = event;
      const seq = lastSeq(evaluationId) + 1;
      append.run(evaluationId, seq, at, type, JSON.stringify(data));
      return { ...event, seq, at };
    },
    after<Unit extends EvaluationUnit>(
      unit: Unit,
      evaluationId: string,
      seq: number,
      limit: number,
    ): EventOf[Unit][] {
      return after
        .all(evaluationId, seq, limit)
        .map(
          ({ data, ...head }) =>
            eventOf[unit].parse({ ...(JSON.parse(data) as object), ...head }) as EventOf[Unit],
        );
    },
  };
}
