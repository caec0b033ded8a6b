import { z } from 'zod';
import type { EvaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import { evaluationSettings, evaluationState } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationOrigin } from '../../../src-shared/domain/evaluationOrigin.ts';
import type { Counts } from '../../../src-shared/domain/metrics.ts';
import type { OutcomeCounts } from '../../../src-shared/domain/outcome.ts';
import { outcome } from '../../../src-shared/domain/outcomeSchema.ts';
import { price, type Price } from '../../../src-shared/domain/price.ts';
import { priorMessage } from '../../../src-shared/domain/testCase.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import { defineTable, type Row } from '../database/table.ts';
import { outcomeColumn } from '../runs/outcomes.ts';
import type { StoreContext } from '../storeContext.ts';
import {
  prepareSetRefused,
  readRefused,
  refusedColumn,
  type RefusedByModel,
} from './refusedSettings.ts';
import { isOriginal, originColumn, readOrigin } from './origins.ts';

/** What an evaluation keeps of its suite besides the cases. */
export const frozenSuite = z.object({
  system: z.string().nullable(),
  messages: z.array(priorMessage),
  servers: z.array(z.string()),
  /** True where the tools came with the request: then no server is asked. */
  inlineTools: z.boolean(),
});
export type FrozenSuite = z.infer<typeof frozenSuite>;

export interface EvaluationRow {
  id: string;
  number: number;
  suiteId: string | null;
  suiteName: string;
  state: EvaluationState;
  reason: string | null;
  settings: EvaluationSettings;
  suite: FrozenSuite;
  snapshotId: string | null;
  plannedRuns: number;
  owner: string | null;
  scorer: string | null;
  /** Null if a person started it for its own sake. */
  origin: EvaluationOrigin | null;
  modelSettingsIds: string[];
  /** What endpoints refused so far. */
  refused: RefusedByModel;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface NewEvaluation {
  id: string;
  suiteId: string | null;
  suiteName: string;
  settings: EvaluationSettings;
  suite: FrozenSuite;
  modelSettingsIds: string[];
  plannedRuns: number;
  owner: string;
  createdAt: string;
}

const table = defineTable('evaluations', {
  id: 'text',
  number: 'integer',
  suiteId: 'text?',
  suiteName: 'text',
  state: 'text',
  reason: 'text?',
  settings: 'json',
  suite: 'json',
  snapshotId: 'text?',
  plannedRuns: 'integer',
  owner: 'text?',
  scorer: 'text?',
  createdAt: 'text',
  startedAt: 'text?',
  completedAt: 'text?',
});
type RowWithModels = Row<typeof table> & {
  models: string;
  refused: string;
  origin: string | null;
};

function fromRow({ models, refused, origin, ...row }: RowWithModels): EvaluationRow {
  const { state, settings, suite } = table.fromRow(row);
  return {
    ...row,
    state: evaluationState.parse(state),
    settings: evaluationSettings.parse(settings),
    suite: frozenSuite.parse(suite),
    origin: readOrigin(origin),
    modelSettingsIds: z.array(z.string()).parse(JSON.parse(models)),
    refused: readRefused(refused),
  };
}

const columns = `${table.columnsOf('e')}, ${originColumn},
  (SELECT json_group_array(m.model_settings_id ORDER BY m.position) FROM evaluation_models m WHERE m.evaluation_id = e.id) AS models,
  ${refusedColumn('evaluation_models')}`;

/**
 * Rows of `evaluations` and `evaluation_models`. Deleted ones are hidden until they are restored or
 * purged.
 */
export function openEvaluations({ db }: StoreContext) {
  const setRefused = prepareSetRefused({ db }, 'evaluation_models');
  const insert = db.prepare(
    `INSERT INTO evaluations (id, number, suite_id, suite_name, state, settings, suite, planned_runs, owner, created_at, deleted_at)
     VALUES (@id, (SELECT coalesce(max(number), 0) + 1 FROM evaluations), @suiteId, @suiteName, 'planned', @settings, @suite, @plannedRuns, @owner, @createdAt, @createdAt)`,
  );
  const insertModel = db.prepare(
    'INSERT INTO evaluation_models (evaluation_id, position, model_settings_id) VALUES (?, ?, ?)',
  );
  const setPrice = db.prepare(
    'UPDATE evaluation_models SET price = ? WHERE evaluation_id = ? AND model_settings_id = ?',
  );
  const prices = db.prepare<[string], { id: string; price: string | null }>(
    'SELECT model_settings_id AS id, price FROM evaluation_models WHERE evaluation_id = ?',
  );
  const byId = db.prepare<[string], RowWithModels>(
    `SELECT ${columns} FROM evaluations e WHERE e.id = ? AND e.deleted_at IS NULL`,
  );
  const byNumber = db.prepare<[number], RowWithModels>(
    `SELECT ${columns} FROM evaluations e WHERE e.number = ? AND e.deleted_at IS NULL`,
  );
  const newest = db.prepare<[string | null, string | null, number], RowWithModels>(
    `SELECT ${columns} FROM evaluations e WHERE e.deleted_at IS NULL AND (? IS NULL OR e.suite_id = ?) ORDER BY e.number DESC LIMIT ?`,
  );
  // Derived evaluations come after what they belong to, so the oldest original bounds them too.
  const sinceOriginals = db.prepare<[number], RowWithModels>(
    `SELECT ${columns} FROM evaluations e WHERE e.deleted_at IS NULL AND e.number >= coalesce(
       (SELECT min(number) FROM (SELECT e.number FROM evaluations e
         WHERE e.deleted_at IS NULL AND ${isOriginal} ORDER BY e.number DESC LIMIT ?)), 0)
     ORDER BY e.number DESC`,
  );
  const unfinished = db.prepare<[], RowWithModels>(
    `SELECT ${columns} FROM evaluations e WHERE e.state IN ('planned', 'running')`,
  );
  const setState = db.prepare(
    `UPDATE evaluations SET state = @state, reason = @reason, owner = @owner,
       started_at = coalesce(started_at, @startedAt), completed_at = @completedAt WHERE id = @id`,
  );
  const claim = db.prepare(
    `UPDATE evaluations SET state = 'running', reason = NULL, owner = @owner, completed_at = NULL
     WHERE id = @id AND state NOT IN ('planned', 'running')`,
  );
  const setSnapshot = db.prepare('UPDATE evaluations SET snapshot_id = ? WHERE id = ?');
  const setSettings = db.prepare('UPDATE evaluations SET settings = ? WHERE id = ?');
  const setScorer = db.prepare('UPDATE evaluations SET scorer = ? WHERE id = ?');
  const setDeleted = db.prepare('UPDATE evaluations SET deleted_at = ? WHERE id = ?');
  const purge = db.prepare('DELETE FROM evaluations WHERE deleted_at IS NOT NULL');
  const countRuns = db.prepare<
    [string, string | null, string | null],
    { status: string; classification: string | null; outcome: string; n: number }
  >(
    // Without the hint SQLite looks up every run in the table, which is ten times slower in a large
    // evaluation.
    `SELECT r.status, r.classification, ${outcomeColumn} AS outcome, count(*) AS n
     FROM test_runs r INDEXED BY test_runs_counts
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND (? IS NULL OR r.model_settings_id = ?)
     GROUP BY r.model_settings_id, r.status, r.classification, r.outcome, r.failure`,
  );

  return {
    /** Hidden, like a deleted one, until its plan is complete and `setDeleted` shows it. */
    insert(evaluation: NewEvaluation): void {
      insert.run({
        ...evaluation,
        settings: JSON.stringify(evaluation.settings),
        suite: JSON.stringify(evaluation.suite),
      });
      evaluation.modelSettingsIds.forEach((id, position) =>
        insertModel.run(evaluation.id, position, id),
      );
    },
    get(id: string): EvaluationRow | null {
      const row = byId.get(id);
      return row ? fromRow(row) : null;
    },
    getByNumber(number: number): EvaluationRow | null {
      const row = byNumber.get(number);
      return row ? fromRow(row) : null;
    },
    list(suiteId: string | null, limit: number): EvaluationRow[] {
      return newest.all(suiteId, suiteId, limit).map(fromRow);
    },
    /** The newest originals, and every derived evaluation since the oldest of them. */
    listOriginals(limit: number): EvaluationRow[] {
      return sinceOriginals.all(limit).map(fromRow);
    },
    unfinished(): EvaluationRow[] {
      return unfinished.all().map(fromRow);
    },
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
    /** Sets the price that this evaluation uses for one of its models. */
    setPrice(id: string, modelSettingsId: string, value: Price | null): void {
      setPrice.run(value === null ? null : JSON.stringify(value), id, modelSettingsId);
    },
    /** By id of model settings; null = unpriced. */
    prices(id: string): ReadonlyMap<string, Price | null> {
      return new Map(
        prices
          .all(id)
          .map((row) => [row.id, row.price === null ? null : price.parse(JSON.parse(row.price))]),
      );
    },
    setRefused,
    setSettings(id: string, settings: EvaluationSettings): void {
      setSettings.run(JSON.stringify(settings), id);
    },
    setScorer(id: string, scorer: string): void {
      setScorer.run(scorer, id);
    },
    setDeleted(id: string, at: string | null): void {
      setDeleted.run(at, id);
    },
    /** Purges evaluations that were deleted before; returns how many. */
    purgeDeleted(): number {
      return purge.run().changes;
    },
    /** Classes and outcomes of one model, or of all. Only the last attempts count. */
    counts(
      id: string,
      modelSettingsId: string | null = null,
    ): { counts: Counts; outcomes: OutcomeCounts } {
      const counts: Counts = { tp: 0, fp: 0, tn: 0, fn: 0, failed: 0, open: 0, total: 0 };
      const outcomes = emptyOutcomeCounts();
      for (const { status, classification, n, ...row } of countRuns.all(
        id,
        modelSettingsId,
        modelSettingsId,
      )) {
        outcomes[outcome.parse(row.outcome)] += n;
        counts.total += n;
        if (status === 'failed') counts.failed += n;
        else if (status !== 'completed') counts.open += n;
        else if (classification === 'TP') counts.tp += n;
        else if (classification === 'FP') counts.fp += n;
        else if (classification === 'TN') counts.tn += n;
        else counts.fn += n;
      }
      return { counts, outcomes };
    },
  };
}
export type EvaluationsStore = ReturnType<typeof openEvaluations>;
