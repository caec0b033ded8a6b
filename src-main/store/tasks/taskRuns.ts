import { z } from 'zod';
import { sha256 } from '../../runtime/sha256.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { runStatus } from '../../../src-shared/domain/evaluation.ts';
import {
  sentCalls,
  taskEnd,
  taskOutcomes,
  taskVerdict,
  trajectory,
  trajectoryStep,
  unansweredCalls,
  type CallAnswer,
  type TaskEnd,
  type TaskOutcome,
  type TaskVerdict,
  type Trajectory,
  type TrajectoryStep,
} from '../../../src-shared/domain/task.ts';
import {
  taskFacts,
  taskFailure,
  type TaskFacts,
  type TaskFailure,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { MadeCall } from '../../../src-shared/domain/taskTools.ts';
import { json, readRow } from '../database/row.ts';
import type { StoreContext } from '../storeContext.ts';
import { isWhole } from '../evaluations/origins.ts';

/** A run that waits until the engine takes it. */
export interface PlannedTaskRun {
  id: string;
  evaluationId: string;
  modelSettingsId: string;
  position: number;
  repetition: number;
  attempt: number;
  createdAt: string;
}

export type WaitingTaskRun = Omit<PlannedTaskRun, 'evaluationId' | 'createdAt'> & {
  rowid: number;
};

/** One exchange with the model, as text. */
export interface Exchange {
  request: string;
  response: string;
}

/** The steps of a run with the exchange of each, as far as it got. */
export interface StepsOfRun {
  steps: readonly TrajectoryStep[];
  exchanges: readonly Exchange[];
}

export interface EndedTaskRun {
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

const storedRun = z.object({
  id: z.string(),
  modelSettingsId: z.string(),
  position: z.number().int(),
  repetition: z.number().int(),
  attempt: z.number().int(),
  status: runStatus,
  outcome: z.enum(taskOutcomes).nullable(),
  failure: taskFailure.nullable(),
  errorMessage: z.string().nullable(),
  ending: taskEnd.nullable(),
  verdict: taskVerdict.nullable(),
  facts: taskFacts.nullable(),
});
/** A run without its steps. */
export type StoredTaskRun = z.infer<typeof storedRun>;

type RawRun = Omit<StoredTaskRun, 'ending' | 'verdict' | 'facts'> & {
  ending: string | null;
  verdict: string | null;
  facts: string | null;
};

/** What runs cost where a limit is set: all of them, and the most expensive one. */
interface Spent {
  usd: number;
  maxRunUsd: number;
}

/** What one attempt cost: its facts, or what is known of one that was killed. */
export interface StoredCost {
  facts: TaskFacts | null;
  spentUsd: number;
}

/** A run of a task in any evaluation of its suite. */
export interface RunOfTask {
  runId: string;
  evaluationId: string;
  number: number;
  modelSettingsId: string;
  repetition: number;
  outcome: TaskOutcome;
  createdAt: string;
}

/** A call in a step, or a step without calls: then all but its run and index are null. */
interface MadeCallRow {
  runId: string;
  step: number;
  server: string | null;
  tool: string | null;
  name: string | null;
  answeredBy: CallAnswer | null;
  isError: number | null;
  durationMs: number | null;
}

/** Calls of one tool that were sent to its server. */
interface ExecutedTool {
  tool: string;
  calls: number;
  /** Those that have no answer. */
  unanswered: number;
}

const listOf = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

const columns = `id, model_settings_id AS modelSettingsId, position, repetition, attempt, status, outcome, failure,
  error_message AS errorMessage, ending, verdict, facts`;

const readRun = (row: RawRun): StoredTaskRun =>
  readRow(storedRun, `The task run ${row.id}`, () => ({
    ...row,
    ending: json(row.ending),
    verdict: json(row.verdict),
    facts: json(row.facts),
  }));

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return Math.min(length, other.length);
}

/** Runs of tasks, as the engine moves them, with their trajectories. */
export function openTaskRuns({ db, redact }: StoreContext) {
  const insert = db.prepare<[PlannedTaskRun]>(
    `INSERT INTO task_runs (id, evaluation_id, model_settings_id, position, repetition, attempt, created_at)
     VALUES (@id, @evaluationId, @modelSettingsId, @position, @repetition, @attempt, @createdAt)`,
  );
  const waiting = db.prepare<[string, number, number], WaitingTaskRun>(
    `SELECT rowid, id, model_settings_id AS modelSettingsId, position, repetition, attempt FROM task_runs
     WHERE evaluation_id = ? AND rowid > ? AND status = 'pending' AND is_current = 1 ORDER BY rowid LIMIT ?`,
  );
  const markRunning = db.prepare(
    "UPDATE task_runs SET status = 'running' WHERE id = ? AND status = 'pending'",
  );
  const finish = db.prepare(
    `UPDATE task_runs SET status = @status, outcome = @outcome, failure = @failure, error_message = @errorMessage,
       ending = @ending, states = @states, said = @said, verdict = @verdict, facts = @facts, completed_at = @completedAt
     WHERE id = @id AND status IN ('pending', 'running')`,
  );
  const insertStep = db.prepare(
    `INSERT INTO task_steps (task_run_id, step, content, request_shared, request_rest, response, request_hash, response_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeSteps = db.prepare('DELETE FROM task_steps WHERE task_run_id = ? AND step >= ?');
  // What a run had sent before it was interrupted stays readable.
  const hasSteps = 'EXISTS (SELECT 1 FROM task_steps WHERE task_run_id = task_runs.id)';
  const failRunning = db.prepare(
    `UPDATE task_runs SET status = 'failed', failure = @failure, error_message = @message,
       completed_at = @at, ending = iif(${hasSteps}, @ending, NULL), states = iif(${hasSteps}, '{}', NULL)
     WHERE evaluation_id = @evaluationId AND status = 'running'`,
  );
  const addSpent = db.prepare<[number, string]>(
    'UPDATE task_runs SET spent_usd = spent_usd + ? WHERE id = ?',
  );
  const spent = db.prepare<[string], Spent>(
    `SELECT coalesce(sum(spent_usd), 0) AS usd, coalesce(max(spent_usd), 0) AS maxRunUsd
     FROM task_runs WHERE evaluation_id = ?`,
  );
  const costs = db.prepare<[string], { id: string; facts: string | null; spentUsd: number }>(
    `SELECT id, facts, spent_usd AS spentUsd FROM task_runs
     WHERE evaluation_id = ? AND status IN ('completed', 'failed') ORDER BY rowid`,
  );
  const list = db.prepare<[string], RawRun>(
    `SELECT ${columns} FROM task_runs WHERE evaluation_id = ? AND is_current = 1
     ORDER BY position, repetition, created_at, rowid`,
  );
  const one = db.prepare<[string, string], RawRun & { states: string | null; said: string | null }>(
    `SELECT ${columns}, states, said FROM task_runs WHERE evaluation_id = ? AND id = ?`,
  );
  const steps = db
    .prepare<[string], string>('SELECT content FROM task_steps WHERE task_run_id = ? ORDER BY step')
    .pluck();
  const exchanges = db.prepare<
    [string],
    { requestShared: number; requestRest: string; response: string }
  >(
    `SELECT request_shared AS requestShared, request_rest AS requestRest, response FROM task_steps
     WHERE task_run_id = ? ORDER BY step`,
  );
  const executed = db.prepare<[string], ExecutedTool>(
    `SELECT (c.value ->> '$.server') || ':' || (c.value ->> '$.tool') AS tool, count(*) AS calls,
       sum(c.value ->> '$.answeredBy' IN (${listOf(unansweredCalls)})) AS unanswered
     FROM task_runs r JOIN task_steps s ON s.task_run_id = r.id, json_each(s.content, '$.calls') c
     WHERE r.evaluation_id = ? AND c.value ->> '$.answeredBy' IN (${listOf(sentCalls)})
     GROUP BY 1 ORDER BY 1`,
  );
  const madeCalls = db.prepare<[string], MadeCallRow>(
    `SELECT r.id AS runId, s.step, c.value ->> '$.server' AS server, c.value ->> '$.tool' AS tool,
       c.value ->> '$.name' AS name, c.value ->> '$.answeredBy' AS answeredBy,
       c.value ->> '$.result.isError' AS isError, c.value ->> '$.durationMs' AS durationMs
     FROM task_runs r JOIN task_steps s ON s.task_run_id = r.id
     LEFT JOIN json_each(s.content, '$.calls') c
     WHERE r.evaluation_id = ? AND r.is_current = 1 ORDER BY r.rowid, s.step, c.key`,
  );
  const ofTask = db.prepare<[{ id: string; key: string; limit: number }], RunOfTask>(
    `SELECT r.id AS runId, e.id AS evaluationId, e.number, r.model_settings_id AS modelSettingsId,
       r.repetition, r.outcome, e.created_at AS createdAt
     FROM evaluations own
     JOIN evaluations e ON e.unit = 'task' AND e.suite_name = own.suite_name AND e.deleted_at IS NULL
       AND (e.id = own.id OR ${isWhole})
     JOIN task_evaluation_tasks t ON t.evaluation_id = e.id AND t.key = @key
     JOIN task_runs r ON r.evaluation_id = e.id AND r.position = t.position
     WHERE own.id = @id AND r.is_current = 1 AND r.ending IS NOT NULL AND r.outcome IS NOT NULL
     ORDER BY e.number DESC, r.repetition, r.rowid LIMIT @limit`,
  );
  const supersede = db.prepare('UPDATE task_runs SET is_current = 0 WHERE id = ?');
  const countOpen = db
    .prepare<[string], number>(
      "SELECT count(*) FROM task_runs WHERE evaluation_id = ? AND is_current = 1 AND status IN ('pending', 'running')",
    )
    .pluck();

  /** Writes the steps from an index on, each with the part of its request that is new. */
  function writeSteps(
    id: string,
    { steps: made, exchanges: kept }: StepsOfRun,
    from: number,
  ): void {
    removeSteps.run(id, from);
    let before = '';
    for (const [step, content] of made.entries()) {
      // Cutting a text comes after redacting it, or a secret could be cut in two and missed.
      const request = redact(kept[step]?.request ?? '');
      if (step >= from) {
        const response = redact(kept[step]?.response ?? '');
        const shared = sharedLength(before, request);
        insertStep.run(
          id,
          step,
          JSON.stringify(content),
          shared,
          request.slice(shared),
          response,
          sha256(request),
          sha256(response),
        );
      }
      before = request;
    }
  }

  return {
    insert: (run: PlannedTaskRun): void => void insert.run(run),
    waiting: (evaluationId: string, afterRowid: number, limit: number): WaitingTaskRun[] =>
      waiting.all(evaluationId, afterRowid, limit),
    markRunning: (id: string): void => void markRunning.run(id),
    /**
     * Stores the end of a run with its whole trajectory. Call it inside a transaction: a run either
     * has all of it or counts as not run.
     */
    finish(run: EndedTaskRun): void {
      const { id, outcome, failure, errorMessage, verdict, facts, completedAt } = run;
      const { steps: made, end, states, user } = run.trajectory;
      const { changes } = finish.run({
        id,
        status: outcome === null || outcome === 'not_scored' ? 'failed' : 'completed',
        outcome,
        failure,
        errorMessage,
        ending: JSON.stringify(end),
        states: JSON.stringify(states),
        said: user ? redact(JSON.stringify(user)) : null,
        verdict: verdict && JSON.stringify(verdict),
        facts: facts && JSON.stringify(facts),
        completedAt,
      });
      // A run that another process ended stays as it is.
      if (changes === 0) return;
      writeSteps(id, { steps: made, exchanges: run.exchanges }, 0);
    },
    /**
     * Keeps the steps of a run under way from an index on, so that a call that was sent is known
     * even if the program ends before its answer. `finish` replaces them. Call it inside a
     * transaction.
     */
    keepSteps(id: string, run: StepsOfRun, from: number): void {
      markRunning.run(id);
      writeSteps(id, run, from);
    },
    /** Fails the runs under way. What they had sent to servers stays as their trajectory. */
    failRunning(
      evaluationId: string,
      failure: Extract<TaskFailure, 'cancelled' | 'interrupted'>,
      message: string,
      at: string,
    ): void {
      const ending: TaskEnd = { by: 'infrastructure', stage: 'interrupted', message };
      failRunning.run({ evaluationId, failure, message, at, ending: JSON.stringify(ending) });
    },
    /** Adds what a reply in a run cost, whether or not the run ends. */
    addSpent: (id: string, usd: number): void => void addSpent.run(usd, id),
    /** US dollars of every attempt, replaced and interrupted ones included. */
    spent: (evaluationId: string): Spent => spent.get(evaluationId) ?? { usd: 0, maxRunUsd: 0 },
    /** What each ended attempt cost, replaced ones included. */
    costs: (evaluationId: string): StoredCost[] =>
      costs.all(evaluationId).map(({ id, facts, spentUsd }) => ({
        facts: readRow(taskFacts.nullable(), `The task run ${id}`, () => json(facts)),
        spentUsd,
      })),
    /** The last attempts, by task, repetition and model. */
    list: (evaluationId: string): StoredTaskRun[] => list.all(evaluationId).map(readRun),
    get(
      evaluationId: string,
      id: string,
    ): { run: StoredTaskRun; trajectory: Trajectory | null } | null {
      const row = one.get(evaluationId, id);
      if (row === undefined) return null;
      const { states, said, ...raw } = row;
      const run = readRun(raw);
      if (run.ending === null) return { run, trajectory: null };
      return {
        run,
        trajectory: readRow(trajectory, `The task run ${id}`, () => ({
          steps: steps
            .all(id)
            .map((content): TrajectoryStep => trajectoryStep.parse(parseJson(content))),
          end: run.ending satisfies TaskEnd | null,
          states: json(states),
          ...(said !== null && { user: json(said) }),
        })),
      };
    },
    /** What was sent and received in each step, byte for byte but for secrets. */
    exchanges(id: string): Exchange[] {
      let before = '';
      return exchanges.all(id).map(({ requestShared, requestRest, response }) => {
        before = before.slice(0, requestShared) + requestRest;
        return { request: before, response };
      });
    },
    /** Calls that were sent to servers for the model, by tool; of every attempt, also of those cut short. */
    executed: (evaluationId: string): ExecutedTool[] => executed.all(evaluationId),
    /** The calls of each run's steps without arguments and results, by run; last attempts only. */
    madeCalls(evaluationId: string): Map<string, MadeCall[][]> {
      const runs = new Map<string, MadeCall[][]>();
      for (const {
        runId,
        step,
        name,
        answeredBy,
        isError,
        durationMs,
        ...call
      } of madeCalls.iterate(evaluationId)) {
        const steps = runs.get(runId) ?? [];
        runs.set(runId, steps);
        const calls = (steps[step] ??= []);
        if (name !== null && answeredBy !== null)
          calls.push({
            ...call,
            name,
            answeredBy,
            isError: isError === 1,
            durationMs: durationMs ?? 0,
          });
      }
      return runs;
    },
    /** Runs of a task with a trajectory, of all evaluations of its suite; the newest first. */
    ofTask: (evaluationId: string, key: string, limit: number): RunOfTask[] =>
      ofTask.all({ id: evaluationId, key, limit }),
    /** Another attempt counts from now on. */
    supersede: (id: string): void => void supersede.run(id),
    countOpen: (evaluationId: string): number => countOpen.get(evaluationId) ?? 0,
  };
}
export type TaskRunsStore = ReturnType<typeof openTaskRuns>;
