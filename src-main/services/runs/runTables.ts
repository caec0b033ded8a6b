import type { EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { RefusedSetting } from '../../../src-shared/domain/refusedSetting.ts';
import type { UnscoredGroup } from '../../../src-shared/domain/judgement.ts';
import type { TaskEvent } from '../../../src-shared/domain/taskEvaluation.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  EvaluationRow,
  NamedEvaluation,
  TaskEvaluationRow,
} from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { StoredEvents } from './eventStream.ts';

/** Why an evaluation ends before its last run: a person's wish, or the end of the program. */
export type EarlyEnd = 'cancelled' | 'interrupted';

/** What every evaluation has, whatever it runs. */
export interface EvaluationHead {
  id: string;
  number: number;
  suiteName: string;
  state: EvaluationState;
  reason: string | null;
  completedAt: string | null;
}

interface StateChange {
  state: EvaluationState;
  reason: string | null;
  owner: string | null;
  startedAt: string | null;
  completedAt: string | null;
}

type CommonEvent =
  | { type: 'planned' | 'resumed'; runs: number }
  | Omit<Extract<EvaluationEvent, { type: 'ingested' }>, 'seq' | 'at'>
  | ({ type: 'ended' } & Pick<EvaluationHead, 'state' | 'reason'>);

/** The tables of one unit, as what starts, watches and ends evaluations sees them. */
export interface RunTables<
  Event extends { seq: number; type: string },
  Row extends EvaluationHead = EvaluationHead,
> {
  /** What people call an evaluation, before its number. */
  name: string;
  evaluations: {
    get(id: string): Row | null;
    /** An evaluation of either unit by its ID or number. */
    named(name: string): NamedEvaluation | null;
    /** Those that run, or that a process which is gone has left running. */
    unfinished(): readonly { id: string }[];
    /** Makes an ended evaluation a running one; false if it is one already. */
    claim(id: string, owner: string): boolean;
    setState(id: string, change: StateChange): void;
    setSnapshot(id: string, snapshotId: string): void;
    setRefused(id: string, modelSettingsId: string, refused: readonly RefusedSetting[]): void;
    /** Null shows an evaluation whose plan is complete. */
    setDeleted(id: string, at: string | null): void;
  };
  failRunning(id: string, failure: EarlyEnd, message: string, at: string): void;
  /** Runs that wait or are under way. */
  countOpen(id: string): number;
  /** Runs without a score, and runs that were not run. */
  left(id: string): { failed: number; open: number };
  /** Runs without a score by what they say; empty where they are not grouped. */
  unscored(id: string): readonly UnscoredGroup[];
  events: StoredEvents<Event> & {
    append(id: string, at: string, event: CommonEvent): Event;
    firstAt: (id: string, type: 'ingested') => string | null;
  };
}

/**
 * Finds an evaluation of one unit by ID or number (14, #14; of tasks also tasks:3). Throws NOT_FOUND,
 * also for one of the other unit.
 */
export function findRow<Row extends EvaluationHead>(
  { name, evaluations }: Pick<RunTables<never, Row>, 'name' | 'evaluations'>,
  text: string,
): Row {
  const found = evaluations.named(text);
  const row = found && evaluations.get(found.id);
  if (row) return row;
  throw new ServiceError('NOT_FOUND', {
    thing: `${name} ${text}`,
    cause: found === null ? "It doesn't exist." : `#${found.number} is of ${found.unit}s.`,
    nextStep: 'Choose one from the list of results.',
  });
}

const tablesOf = <Unit extends EvaluationUnit>(unit: Unit, { evaluations, events }: Store) => ({
  evaluations: {
    ...evaluations,
    get: (id: string) => evaluations.get(unit, id),
    unfinished: () => evaluations.unfinished(unit),
  },
  events: {
    ...events,
    after: (id: string, seq: number, limit: number) => events.after(unit, id, seq, limit),
  },
});

export const caseTables = (store: Store): RunTables<EvaluationEvent, EvaluationRow> => ({
  name: 'Evaluation',
  ...tablesOf('case', store),
  failRunning: (...end) => void store.runs.failRunning(...end),
  countOpen: (id) => store.runs.countOpen(id),
  left: (id) => store.outcomes.classes(id).counts,
  unscored: (id) => store.resultQueries.unscored(id),
});

export const taskTables = (store: Store): RunTables<TaskEvent, TaskEvaluationRow> => ({
  name: 'Task evaluation',
  ...tablesOf('task', store),
  failRunning: (...end) => store.runs.failRunning(...end),
  countOpen: (id) => store.runs.countOpen(id),
  left: (id) => {
    const { not_scored: failed, not_run: open } = store.outcomes.ofTasks(id).outcomes;
    return { failed, open };
  },
  unscored: () => [],
});
