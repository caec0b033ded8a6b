import type { z } from 'zod';
import { evaluationEvent, type EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import { taskEvent, type TaskEvent } from '../../../src-shared/domain/taskEvaluation.ts';
import type { StoreContext } from '../storeContext.ts';

interface RawEvent {
  seq: number;
  at: string;
  type: string;
  data: string;
}

interface LoggedEvent {
  seq: number;
  at: string;
  type: string;
}
/** An event before it gets its sequence number. */
type Unlogged<Event> = Event extends LoggedEvent ? Omit<Event, 'seq' | 'at'> : never;

export const openEvents = (context: StoreContext) =>
  openLog<EvaluationEvent>(context, 'evaluation_events', evaluationEvent);
export const openTaskEvents = (context: StoreContext) =>
  openLog<TaskEvent>(context, 'task_events', taskEvent);

/**
 * The log of an evaluation: what happened, in order, without gaps. Events inform; they do not
 * control anything.
 */
function openLog<Event extends LoggedEvent>(
  { db }: StoreContext,
  table: 'evaluation_events' | 'task_events',
  schema: z.ZodType<Event>,
) {
  const append = db.prepare(
    `INSERT INTO ${table} (evaluation_id, seq, at, type, data) VALUES (?, ?, ?, ?, ?)`,
  );
  const last = db.prepare<[string], { seq: number | null }>(
    `SELECT max(seq) AS seq FROM ${table} WHERE evaluation_id = ?`,
  );
  const after = db.prepare<[string, number, number], RawEvent>(
    `SELECT seq, at, type, data FROM ${table} WHERE evaluation_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const first = db
    .prepare<[string, string], string>(
      `SELECT at FROM ${table} WHERE evaluation_id = ? AND type = ? ORDER BY seq LIMIT 1`,
    )
    .pluck();
  const lastSeq = (evaluationId: string): number => last.get(evaluationId)?.seq ?? 0;

  return {
    lastSeq,
    /** When the first event of a type happened; null where there was none. */
    firstAt: (evaluationId: string, type: Event['type']): string | null =>
      first.get(evaluationId, type) ?? null,
    /** Call inside the transaction that commits what the event reports. */
    append(evaluationId: string, at: string, event: Unlogged<Event>): Event {
      const { type, ...data } = event;
      const seq = lastSeq(evaluationId) + 1;
      append.run(evaluationId, seq, at, type, JSON.stringify(data));
      return { ...event, seq, at } as unknown as Event;
    },
    after(evaluationId: string, seq: number, limit: number): Event[] {
      return after
        .all(evaluationId, seq, limit)
        .map(({ data, ...head }) => schema.parse({ ...(JSON.parse(data) as object), ...head }));
    },
  };
}
export type EventsStore = ReturnType<typeof openEvents>;
export type TaskEventsStore = ReturnType<typeof openTaskEvents>;
