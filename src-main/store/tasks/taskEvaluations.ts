import { z } from 'zod';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { evaluationState } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import { price, type Price } from '../../../src-shared/domain/price.ts';
import { taskContent, taskOutcomes, type TaskContent } from '../../../src-shared/domain/task.ts';
import {
  emptyTaskOutcomes,
  storedTaskSettings,
  type StoredTaskSettings,
  type TaskOutcomeCounts,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { defineTable, type Row } from '../database/table.ts';
import { frozenSuite, type FrozenSuite } from '../evaluations/evaluations.ts';
import {
  prepareSetRefused,
  readRefused,
  refusedColumn,
  type RefusedByModel,
} from '../evaluations/refusedSettings.ts';
import type { StoreContext } from '../storeContext.ts';

export interface TaskEvaluationRow {
  id: string;
  number: number;
  suiteId: string | null;
  suiteName: string;
  state: EvaluationState;
  reason: string | null;
  settings: StoredTaskSettings;
  suite: FrozenSuite;
  snapshotId: string | null;
  modelSettingsIds: string[];
  /** What endpoints refused so far. */
  refused: RefusedByModel;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface NewTaskEvaluation extends Pick<
  TaskEvaluationRow,
  'id' | 'suiteId' | 'suiteName' | 'settings' | 'suite' | 'createdAt'
> {
  models: { modelSettingsId: string; price: Price | null }[];
  owner: string;
}

/** A task as an evaluation froze it. */
export interface FrozenTask {
  position: number;
  taskId: string;
  key: string;
  content: TaskContent;
}

const table = defineTable('task_evaluations', {
  id: 'text',
  number: 'integer',
  suiteId: 'text?',
  suiteName: 'text',
  state: 'text',
  reason: 'text?',
  settings: 'json',
  suite: 'json',
  snapshotId: 'text?',
  createdAt: 'text',
  startedAt: 'text?',
  completedAt: 'text?',
});
type RowWithModels = Row<typeof table> & { models: string; refused: string };

function fromRow({ models, refused, ...row }: RowWithModels): TaskEvaluationRow {
  const { state, settings, suite } = table.fromRow(row);
  return {
    ...row,
    state: evaluationState.parse(state),
    settings: storedTaskSettings.parse(settings),
    suite: frozenSuite.parse(suite),
    modelSettingsIds: z.array(z.string()).parse(JSON.parse(models)),
    refused: readRefused(refused),
  };
}

const select = `SELECT ${table.columnsOf('e')},
  (SELECT json_group_array(m.model_settings_id ORDER BY m.position) FROM task_evaluation_models m WHERE m.evaluation_id = e.id) AS models,
  ${refusedColumn('task_evaluation_models')}
  FROM task_evaluations e`;

/**
 * SQL: true for an evaluation `e` of all tasks. Those of some are steps of an optimization and
 * estimates and proofs of a fix; what started them leads to them.
 */
export const isWhole = "json_extract(e.settings, '$.whatIf.positions') IS NULL";

/**
 * Evaluations of tasks with their models and frozen tasks. Deleted ones are hidden until they are
 * restored or purged.
 */
export function openTaskEvaluations({ db }: StoreContext) {
  const setRefused = prepareSetRefused({ db }, 'task_evaluation_models');
  const insert = db.prepare(
    `INSERT INTO task_evaluations (id, number, suite_id, suite_name, state, mode, settings, suite, owner, created_at, deleted_at)
     VALUES (@id, (SELECT coalesce(max(number), 0) + 1 FROM task_evaluations), @suiteId, @suiteName, 'planned', @mode, @settings, @suite, @owner, @createdAt, @createdAt)`,
  );
  const insertModel = db.prepare(
    'INSERT INTO task_evaluation_models (evaluation_id, position, model_settings_id, price) VALUES (?, ?, ?, ?)',
  );
  const insertTask = db.prepare(
    'INSERT INTO task_evaluation_tasks (evaluation_id, position, task_id, key, content) VALUES (?, ?, ?, ?, ?)',
  );
  const prices = db.prepare<[string], { id: string; price: string | null }>(
    'SELECT model_settings_id AS id, price FROM task_evaluation_models WHERE evaluation_id = ?',
  );
  const byId = db.prepare<[string], RowWithModels>(
    `${select} WHERE e.id = ? AND e.deleted_at IS NULL`,
  );
  const byNumber = db.prepare<[number], RowWithModels>(
    `${select} WHERE e.number = ? AND e.deleted_at IS NULL`,
  );
  const newest = db.prepare<[string | null, number], RowWithModels>(
    `${select} WHERE e.deleted_at IS NULL AND json_extract(e.settings, '$.whatIf.baseId') IS ?
       AND ${isWhole}
     ORDER BY e.number DESC LIMIT ?`,
  );
  const unfinished = db.prepare<[], RowWithModels>(
    `${select} WHERE e.state IN ('planned', 'running')`,
  );
  const tasks = db.prepare<
    [string],
    { position: number; taskId: string; key: string; content: string }
  >(
    'SELECT position, task_id AS taskId, key, content FROM task_evaluation_tasks WHERE evaluation_id = ? ORDER BY position',
  );
  const setState = db.prepare(
    `UPDATE task_evaluations SET state = @state, reason = @reason, owner = @owner,
       started_at = coalesce(started_at, @startedAt), completed_at = @completedAt WHERE id = @id`,
  );
  const claim = db.prepare(
    `UPDATE task_evaluations SET state = 'running', reason = NULL, owner = @owner, completed_at = NULL
     WHERE id = @id AND state NOT IN ('planned', 'running')`,
  );
  const setSnapshot = db.prepare('UPDATE task_evaluations SET snapshot_id = ? WHERE id = ?');
  const setDeleted = db.prepare('UPDATE task_evaluations SET deleted_at = ? WHERE id = ?');
  const purge = db.prepare('DELETE FROM task_evaluations WHERE deleted_at IS NOT NULL');
  const countRuns = db.prepare<[string], { outcome: string | null; n: number }>(
    `SELECT outcome, count(*) AS n FROM task_runs WHERE evaluation_id = ? AND is_current = 1
     GROUP BY outcome`,
  );

  return {
    setRefused,
    /** Hidden, like a deleted one, until its plan is complete and `setDeleted` shows it. */
    insert({ models, ...evaluation }: NewTaskEvaluation): void {
      insert.run({
        ...evaluation,
        mode: evaluation.settings.mode,
        settings: JSON.stringify(evaluation.settings),
        suite: JSON.stringify(evaluation.suite),
      });
      for (const [position, each] of models.entries())
        insertModel.run(
          evaluation.id,
          position,
          each.modelSettingsId,
          each.price && JSON.stringify(each.price),
        );
    },
    freezeTask(id: string, { position, taskId, key, content }: FrozenTask): void {
      insertTask.run(id, position, taskId, key, JSON.stringify(content));
    },
    get(id: string): TaskEvaluationRow | null {
      const row = byId.get(id);
      return row ? fromRow(row) : null;
    },
    getByNumber(number: number): TaskEvaluationRow | null {
      const row = byNumber.get(number);
      return row ? fromRow(row) : null;
    },
    /** The whole what-ifs of an evaluation, or those that repeat no other one; the newest first. */
    list: (limit: number, baseId: string | null = null): TaskEvaluationRow[] =>
      newest.all(baseId, limit).map(fromRow),
    unfinished: (): TaskEvaluationRow[] => unfinished.all().map(fromRow),
    /** In the order of the suite. */
    tasks: (id: string): FrozenTask[] =>
      tasks.all(id).map((row) => ({ ...row, content: taskContent.parse(parseJson(row.content)) })),
    /** By id of model settings; null = unpriced. */
    prices: (id: string): ReadonlyMap<string, Price | null> =>
      new Map(
        prices
          .all(id)
          .map((row) => [row.id, row.price === null ? null : price.parse(JSON.parse(row.price))]),
      ),
    setState(
      id: string,
      change: {
        state: EvaluationState;
        reason: string | null;
        owner: string | null;
        startedAt: string | null;
        completedAt: string | null;
      },
    ): void {
      setState.run({ id, ...change });
    },
    /** Makes an ended evaluation a running one; false if it is one already. */
    claim: (id: string, owner: string): boolean => claim.run({ id, owner }).changes === 1,
    setSnapshot(id: string, snapshotId: string): void {
      setSnapshot.run(snapshotId, id);
    },
    setDeleted(id: string, at: string | null): void {
      setDeleted.run(at, id);
    },
    purgeDeleted: (): number => purge.run().changes,
    /** Runs by outcome. Only last attempts count. */
    outcomes(id: string): TaskOutcomeCounts {
      const counts = emptyTaskOutcomes();
      for (const { outcome, n } of countRuns.all(id)) {
        const known = taskOutcomes.find((each) => each === outcome);
        // A run without an outcome waits, is under way, or was cut short by a cancel or a crash.
        counts[known ?? 'not_run'] += n;
      }
      return counts;
    },
  };
}
export type TaskEvaluationsStore = ReturnType<typeof openTaskEvaluations>;
