import { z } from 'zod';
import { runStatus } from '../../../src-shared/domain/evaluation.ts';
import {
  taskEnd,
  taskOutcomes,
  taskVerdict,
  trajectory,
  type TaskOutcome,
  type Trajectory,
} from '../../../src-shared/domain/task.ts';
import { runValues } from '../../../src-shared/domain/runValues.ts';
import {
  taskFacts,
  taskFailure,
  type TaskFacts,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { json, readRow } from '../database/table.ts';
import { isWhole } from '../evaluations/origins.ts';
import type { StoreContext } from '../storeContext.ts';
import { atPositions, type StepsStore } from './steps.ts';

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
  /** What was filled into its task; null: nothing. */
  values: runValues.nullable(),
  verdict: taskVerdict.nullable(),
  facts: taskFacts.nullable(),
});
/** A run without its steps. */
export type StoredTaskRun = z.infer<typeof storedRun>;

type RawRun = Omit<StoredTaskRun, 'ending' | 'values' | 'verdict' | 'facts'> & {
  ending: string | null;
  values: string | null;
  verdict: string | null;
  facts: string | null;
};

/** What one attempt cost: its facts, or what is known of one that was killed. */
export interface StoredCost {
  facts: TaskFacts | null;
  spentUsd: number;
}

interface RunOfTask {
  runId: string;
  evaluationId: string;
  number: number;
  modelSettingsId: string;
  repetition: number;
  outcome: TaskOutcome;
  createdAt: string;
}

const columns = `id, model_settings_id AS modelSettingsId, position, repetition, attempt, status, outcome, failure,
  error_message AS errorMessage, observation -> '$.end' AS ending,
  observation -> '$.values' AS "values", verdict, facts`;

const readRun = (row: RawRun): StoredTaskRun =>
  readRow(storedRun, `The task run ${row.id}`, () => ({
    ...row,
    ending: json(row.ending),
    values: json(row.values),
    verdict: json(row.verdict),
    facts: json(row.facts),
  }));

export function openPlayedTasks({ db }: StoreContext, steps: StepsStore) {
  const costs = db.prepare<[string], { id: string; facts: string | null; spentUsd: number }>(
    `SELECT id, facts, spent_usd AS spentUsd FROM runs
     WHERE evaluation_id = ? AND status IN ('completed', 'failed') ORDER BY rowid`,
  );
  const listWhere = (chosen: string) =>
    db.prepare<string[], RawRun>(
      `SELECT ${columns} FROM runs WHERE evaluation_id = ? AND is_current = 1 ${chosen}
       ORDER BY position, repetition, created_at, rowid`,
    );
  const list = listWhere('');
  const listAt = listWhere(atPositions('position'));
  const places = db.prepare<[string], { rowid: number; id: string; position: number }>(
    'SELECT rowid, id, position FROM runs WHERE rowid IN (SELECT value FROM json_each(?))',
  );
  const one = db.prepare<[string, string], RawRun & { observation: string | null }>(
    `SELECT ${columns}, observation FROM runs WHERE evaluation_id = ? AND id = ?`,
  );
  const ofTask = db.prepare<[{ id: string; key: string; limit: number }], RunOfTask>(
    `SELECT r.id AS runId, e.id AS evaluationId, e.number, r.model_settings_id AS modelSettingsId,
       r.repetition, r.outcome, e.created_at AS createdAt
     FROM evaluations own
     JOIN evaluations e ON e.unit = 'task' AND e.suite_name = own.suite_name AND e.deleted_at IS NULL
       AND (e.id = own.id OR ${isWhole})
     JOIN entries t ON t.evaluation_id = e.id AND t.key = @key
     JOIN runs r ON r.evaluation_id = e.id AND r.position = t.position
     WHERE own.id = @id AND r.is_current = 1 AND r.observation IS NOT NULL AND r.outcome IS NOT NULL
     ORDER BY e.number DESC, r.repetition, r.rowid LIMIT @limit`,
  );

  return {
    /** What each ended attempt cost, replaced ones included. */
    costs: (evaluationId: string): StoredCost[] =>
      costs.all(evaluationId).map(({ id, facts, spentUsd }) => ({
        facts: readRow(taskFacts.nullable(), `The task run ${id}`, () => json(facts)),
        spentUsd,
      })),
    /** The last attempts, by task, repetition and model; of all tasks, unless their places are given. */
    list: (evaluationId: string, positions?: readonly number[]): StoredTaskRun[] =>
      (positions
        ? listAt.all(evaluationId, JSON.stringify(positions))
        : list.all(evaluationId)
      ).map(readRun),
    /** Ids of runs and the places of their tasks by row id, in the given order. */
    places(rowids: ArrayLike<number>): { id: string; position: number }[] {
      const found = new Map(
        places.all(JSON.stringify(Array.from(rowids))).map(({ rowid, ...run }) => [rowid, run]),
      );
      return Array.from(rowids).flatMap((rowid) => found.get(rowid) ?? []);
    },
    get(
      evaluationId: string,
      id: string,
    ): { run: StoredTaskRun; trajectory: Trajectory | null } | null {
      const row = one.get(evaluationId, id);
      if (row === undefined) return null;
      const { observation, ...raw } = row;
      const run = readRun(raw);
      if (observation === null) return { run, trajectory: null };
      return {
        run,
        trajectory: readRow(trajectory, `The task run ${id}`, () => ({
          ...(json(observation) as object),
          steps: steps.ofRun(id),
        })),
      };
    },
    /** Runs of a task with a trajectory, of all evaluations of its suite; the newest first. */
    ofTask: (evaluationId: string, key: string, limit: number): RunOfTask[] =>
      ofTask.all({ id: evaluationId, key, limit }),
  };
}
