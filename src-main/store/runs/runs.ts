import type { FailureKind } from '../../../src-shared/domain/evaluation.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { Observation, UnreportedSpend } from '../../../src-shared/domain/observation.ts';
import { observation } from '../../../src-shared/domain/observation.ts';
import type {
  TaskEnd,
  TaskOutcome,
  TaskVerdict,
  Trajectory,
} from '../../../src-shared/domain/task.ts';
import type { TaskFacts, TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';
import { causeOf, outcomeOf, type OutcomeFacts } from '../../../src-shared/metrics/outcomes.ts';
import { defineTable, type Row } from '../database/table.ts';
import { readContent, type ContentOf } from '../evaluations/entries.ts';
import type { StoreContext } from '../storeContext.ts';
import type { Exchange, StepsStore } from './steps.ts';

/** Where a run belongs: its case or task, its model and its attempt. */
interface RunPlace {
  id: string;
  /** The ID of its case or task in the suite. */
  sourceId: string;
  modelSettingsId: string;
  /** The place of its case or task in the evaluation. */
  position: number;
  repetition: number;
  attempt: number;
}

/** A new run. It waits until the engine takes it. */
interface PlannedRun extends RunPlace {
  evaluationId: string;
  createdAt: string;
}

/** A waiting run with the frozen case or task that it puts to the model. */
export interface WaitingRun<Unit extends EvaluationUnit> extends RunPlace {
  rowid: number;
  content: ContentOf[Unit];
}

/** What re-scoring reads. */
interface ObservedRun extends WaitingRun<'case'> {
  executionTimeMs: number | null;
  observation: Observation;
}

/** How a run of a case ended: with an observation, or with a failure. */
interface FinishedRun {
  id: string;
  status: 'completed' | 'failed';
  failure: FailureKind | null;
  errorMessage: string | null;
  request: string | null;
  response: string | null;
  selectedToolId: number | null;
  /** The list of tools that it was offered; null where that is not known. */
  offeredListId: string | null;
  extractedParameters: string | null;
  observation: Observation | null;
  unreported: UnreportedSpend | null;
  /** Null if the run failed. */
  score: OutcomeFacts | null;
  executionTimeMs: number | null;
  completedAt: string;
}

interface EndedTaskRun {
  id: string;
  /** Null: it was cut short. */
  outcome: TaskOutcome | null;
  /** Why it is not scored; null for a scored run. */
  failure: TaskFailure | null;
  errorMessage: string | null;
  trajectory: Trajectory;
  exchanges: readonly Exchange[];
  verdict: TaskVerdict | null;
  facts: TaskFacts | null;
  completedAt: string;
}

/** What runs cost where a limit is set: all of them, and the most expensive one. */
interface Spent {
  usd: number;
  maxRunUsd: number;
}

const placeColumns = {
  id: 'text',
  sourceId: 'text',
  modelSettingsId: 'text',
  position: 'integer',
  repetition: 'integer',
  attempt: 'integer',
} as const;
const placeTable = defineTable('runs', placeColumns);
const plannedTable = defineTable('runs', {
  ...placeColumns,
  evaluationId: 'text',
  createdAt: 'text',
});
const endTable = defineTable('runs', {
  id: 'text',
  status: 'text',
  failure: 'text?',
  errorMessage: 'text?',
  request: { column: 'llm_request_raw', kind: 'text?' },
  response: { column: 'llm_response_raw', kind: 'text?' },
  offeredListId: 'text?',
  selectedToolId: 'integer?',
  extractedParameters: 'text?',
  observation: 'text?',
  confidenceScore: 'real?',
  confidenceMethod: 'text?',
  classification: 'text?',
  outcome: 'text?',
  causeExpected: 'text?',
  causeCalled: 'text?',
  inputTokens: 'integer?',
  outputTokens: 'integer?',
  unreported: 'text?',
  executionTimeMs: 'integer?',
  verdict: 'text?',
  facts: 'text?',
  completedAt: 'text',
});
type EndRow = Row<typeof endTable>;
type PlacedRow = Row<typeof placeTable> & { rowid: number };

const placed = `r.rowid, ${placeTable.columnsOf('r')}`;
const withEntry = `JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
  JOIN entry_contents k ON k.hash = c.content_hash`;

/** What a run repeats of its score, so that counts, groups and filters need no other table. */
function scoreColumns(score: OutcomeFacts | null) {
  const cause = score && causeOf(score);
  return {
    classification: score?.classification ?? null,
    outcome: score && outcomeOf(score),
    causeExpected: cause?.expected ?? null,
    causeCalled: cause?.called ?? null,
  };
}

/** What only runs of cases have. */
const nothingOfCases = {
  request: null,
  response: null,
  offeredListId: null,
  selectedToolId: null,
  extractedParameters: null,
  confidenceScore: null,
  confidenceMethod: null,
  ...scoreColumns(null),
  inputTokens: null,
  outputTokens: null,
  unreported: null,
  executionTimeMs: null,
};

/** Runs of cases and of tasks as the engine moves them: pending → running → completed | failed. */
export function openRuns({ db }: StoreContext, steps: StepsStore) {
  const insert = db.prepare<[PlannedRun]>(plannedTable.insert());
  const waiting = db.prepare<[string, number, number], PlacedRow & { content: string }>(
    `SELECT ${placed}, k.content FROM runs r ${withEntry}
     WHERE r.evaluation_id = ? AND r.rowid > ? AND r.status = 'pending' AND r.is_current = 1 ORDER BY r.rowid LIMIT ?`,
  );
  const observed = db.prepare<
    [string, number, number],
    PlacedRow & { observation: string; executionTimeMs: number | null; content: string }
  >(
    `SELECT ${placed}, r.observation, r.execution_time_ms AS executionTimeMs, k.content FROM runs r ${withEntry}
     WHERE r.evaluation_id = ? AND r.rowid > ? AND r.status = 'completed' AND r.is_current = 1 ORDER BY r.rowid LIMIT ?`,
  );
  const markRunning = db.prepare(
    "UPDATE runs SET status = 'running' WHERE id = ? AND status = 'pending'",
  );
  const end = db.prepare<[EndRow]>(
    `UPDATE runs SET ${endTable.assignmentsExcept('id')} WHERE id = :id AND status IN ('pending', 'running')`,
  );
  // What a run had sent before it was interrupted stays readable.
  const failRunning = db.prepare(
    `UPDATE runs SET status = 'failed', failure = @failure, error_message = @message, completed_at = @at,
       observation = iif(EXISTS (SELECT 1 FROM steps WHERE run_id = runs.id), @observation, NULL)
     WHERE evaluation_id = @evaluationId AND status = 'running'`,
  );
  const fail = db.prepare(
    `UPDATE runs SET status = 'failed', failure = @failure, error_message = @message, completed_at = @at,
       observation = @observation WHERE id = @id`,
  );
  const failed = db.prepare<[string], PlacedRow & { failure: FailureKind | TaskFailure | null }>(
    `SELECT ${placed}, r.failure FROM runs r WHERE r.evaluation_id = ? AND r.status = 'failed' AND r.is_current = 1 ORDER BY r.rowid`,
  );
  const supersede = db.prepare('UPDATE runs SET is_current = 0 WHERE id = ?');
  const setScore = db.prepare(
    'UPDATE runs SET classification = @classification, outcome = @outcome, cause_expected = @causeExpected, cause_called = @causeCalled WHERE id = @id',
  );
  const withdrawScore = db.prepare(
    `UPDATE runs SET status = 'failed', failure = @failure, error_message = @message, classification = NULL,
       outcome = NULL, cause_expected = NULL, cause_called = NULL WHERE id = @id AND status = 'completed'`,
  );
  const countOpen = db
    .prepare<[string], number>(
      "SELECT count(*) FROM runs WHERE evaluation_id = ? AND is_current = 1 AND status IN ('pending', 'running')",
    )
    .pluck();
  const addSpent = db.prepare<[number, string]>(
    'UPDATE runs SET spent_usd = spent_usd + ? WHERE id = ?',
  );
  const spent = db.prepare<[string], Spent>(
    `SELECT coalesce(sum(spent_usd), 0) AS usd, coalesce(max(spent_usd), 0) AS maxRunUsd
     FROM runs WHERE evaluation_id IN (SELECT value FROM json_each(?))`,
  );
  const last = db.prepare<[], number | null>('SELECT max(rowid) FROM runs').pluck();
  const evaluationOf = db
    .prepare<[string], string>('SELECT evaluation_id FROM runs WHERE id = ?')
    .pluck();
  const dropTraffic = db.prepare(
    'UPDATE runs SET llm_request_raw = NULL, llm_response_raw = NULL WHERE evaluation_id = ? AND (llm_request_raw IS NOT NULL OR llm_response_raw IS NOT NULL)',
  );

  return {
    insert: (run: PlannedRun): void => void insert.run(run),
    /** The next page of waiting runs, in the order in which they were planned. */
    waiting: <Unit extends EvaluationUnit>(
      unit: Unit,
      evaluationId: string,
      afterRowid: number,
      limit: number,
    ): WaitingRun<Unit>[] =>
      waiting
        .all(evaluationId, afterRowid, limit)
        .map((row) => ({ ...row, content: readContent(unit, row.content) })),
    observed: (evaluationId: string, afterRowid: number, limit: number): ObservedRun[] =>
      observed.all(evaluationId, afterRowid, limit).map((row) => ({
        ...row,
        observation: observation.parse(parseJson(row.observation)),
        content: readContent('case', row.content),
      })),
    /** Does nothing where the run is no longer pending. */
    markRunning: (id: string): void => void markRunning.run(id),
    finish({ score, ...run }: FinishedRun): void {
      const seen = run.observation;
      end.run({
        ...run,
        ...scoreColumns(score),
        observation: seen && JSON.stringify(seen),
        unreported: run.unreported && JSON.stringify(run.unreported),
        confidenceScore: seen?.confidence?.score ?? null,
        confidenceMethod: seen?.confidence?.method ?? null,
        inputTokens: seen?.usage?.input ?? null,
        outputTokens: seen?.usage?.output ?? null,
        verdict: null,
        facts: null,
      });
    },
    /**
     * Stores the end of a run of a task with its whole trajectory. Call it inside a transaction: a run
     * either has all of it or counts as not run.
     */
    finishTask({ trajectory, exchanges, ...run }: EndedTaskRun): void {
      const { steps: made, ...rest } = trajectory;
      const { changes } = end.run({
        ...nothingOfCases,
        ...run,
        status: run.outcome === null || run.outcome === 'not_scored' ? 'failed' : 'completed',
        observation: JSON.stringify(rest),
        verdict: run.verdict && JSON.stringify(run.verdict),
        facts: run.facts && JSON.stringify(run.facts),
      });
      // A run that another process ended stays as it is.
      if (changes > 0) steps.write(run.id, { steps: made, exchanges }, 0);
    },
    /**
     * Marks running runs that can't go on as failed; returns how many. What they had sent to servers
     * stays as their trajectory.
     */
    failRunning(
      evaluationId: string,
      failure: 'cancelled' | 'interrupted',
      message: string,
      at: string,
    ): number {
      const cut = observationOf({ by: 'infrastructure', stage: 'interrupted', message });
      return failRunning.run({ evaluationId, failure, message, at, observation: cut }).changes;
    },
    /** Takes over a run of a task that was cut short. Without an end, it has no trajectory. */
    fail(
      id: string,
      failure: TaskFailure | null,
      message: string | null,
      { at, end: ending }: { at: string; end: TaskEnd | null },
    ): void {
      fail.run({ id, failure, message, at, observation: ending && observationOf(ending) });
    },
    /** Runs without a score whose attempt counts, in the order in which they were planned. */
    failed: (evaluationId: string) => failed.all(evaluationId),
    /** The old attempt stays on record and no longer counts. */
    supersede: (id: string): void => void supersede.run(id),
    /** Plans another attempt of a run, which counts in its place. */
    retry(
      { id, attempt, sourceId, modelSettingsId, position, repetition }: RunPlace,
      next: Pick<PlannedRun, 'id' | 'evaluationId' | 'createdAt'>,
    ): void {
      supersede.run(id);
      const place = { sourceId, modelSettingsId, position, repetition };
      insert.run({ ...place, ...next, attempt: attempt + 1 });
    },
    /** Updates what a run stores of its score, after it was scored again. */
    setScore: (id: string, score: OutcomeFacts): void =>
      void setScore.run({ id, ...scoreColumns(score) }),
    /** A scored run turns out not to be scorable; its observation stays. */
    withdrawScore: (id: string, failure: FailureKind, message: string): void =>
      void withdrawScore.run({ id, failure, message }),
    /** An upper bound for the number of runs in the workspace, without counting them. */
    atMost: (): number => last.get() ?? 0,
    /** Runs that are pending or running. */
    countOpen: (evaluationId: string): number => countOpen.get(evaluationId) ?? 0,
    /** Adds what a reply in a run cost, whether or not the run ends. */
    addSpent: (id: string, usd: number): void => void addSpent.run(usd, id),
    /** US dollars of every attempt, replaced and interrupted ones included. */
    spent: (evaluationIds: readonly string[]): Spent =>
      spent.get(JSON.stringify(evaluationIds)) ?? { usd: 0, maxRunUsd: 0 },
    /** The evaluation of a run; null if there is no such run. */
    evaluationOf: (id: string): string | null => evaluationOf.get(id) ?? null,
    /** Deletes requests and responses but keeps observations; returns the number of runs. */
    deleteRawTraffic: (evaluationId: string): number => dropTraffic.run(evaluationId).changes,
  };
}

/** What is kept of a run that was cut short besides its steps. */
const observationOf = (end: TaskEnd): string =>
  JSON.stringify({ end, states: {} } satisfies Omit<Trajectory, 'steps'>);
