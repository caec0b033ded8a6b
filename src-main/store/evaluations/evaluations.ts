import { z } from 'zod';
import {
  type EvaluationSettings,
  evaluationSettings,
  evaluationState,
} from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationState } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationOrigin } from '../../../src-shared/domain/evaluationOrigin.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { price, type Price } from '../../../src-shared/domain/price.ts';
import { refusedSetting, type RefusedSetting } from '../../../src-shared/domain/refusedSetting.ts';
import {
  storedTaskSettings,
  type StoredTaskSettings,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { priorMessage } from '../../../src-shared/domain/testCase.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { asksAgain, isOriginal, isWhole, originColumn, readOrigin } from './origins.ts';
import { maxHoldInTransactionMs } from '../../runtime/yieldToEventLoop.ts';

/** Rows that are deleted between two looks at the clock: each run takes its steps and scores along. */
const rowsAtOnce = 20;

/** Deletes evaluations that an earlier session removed, or didn't plan to the end. */
function openPurge({ db, transaction }: StoreContext) {
  const removed = db
    .prepare<[], string>('SELECT id FROM evaluations WHERE deleted_at IS NOT NULL')
    .pluck();
  const keys = {
    runs: 'rowid',
    entries: 'position',
    evaluation_events: 'seq',
    case_rankings: 'servers, query',
  };
  const parts = Object.entries(keys).map(([table, key]) =>
    db.prepare<[{ id: string }]>(
      `DELETE FROM ${table} WHERE evaluation_id = :id AND (${key}) IN (
         SELECT ${key} FROM ${table} WHERE evaluation_id = :id LIMIT ${rowsAtOnce})`,
    ),
  );
  const remove = db.prepare<[string]>('DELETE FROM evaluations WHERE id = ?');
  let doomed: string[] = [];

  return {
    /** From now on, nobody can restore what is removed already: `purge` deletes it. */
    giveUpRemoved(): void {
      doomed = removed.all();
    },
    /**
     * Deletes for a moment. False once nothing is left, and while the file is still to be checked:
     * all that is deleted would stay in the journal until then.
     */
    purge: (): boolean =>
      doomed.length > 0 &&
      db.session?.isChecked === true &&
      transaction(() => {
        const until = performance.now() + maxHoldInTransactionMs;
        for (let id = doomed[0]; id !== undefined && performance.now() < until; [id] = doomed) {
          const one = { id };
          if (parts.some((part) => part.run(one).changes > 0)) continue;
          remove.run(id);
          doomed.shift();
        }
        return doomed.length > 0;
      }),
  };
}

/** What an evaluation keeps of its suite besides its cases or tasks. */
export const frozenSuite = z.object({
  system: z.string().nullable(),
  messages: z.array(priorMessage),
  servers: z.array(z.string()),
  /** True where the tools came with the request: then no server is asked. */
  inlineTools: z.boolean(),
});
export type FrozenSuite = z.infer<typeof frozenSuite>;

/** By id of model settings: what the endpoint refused in one evaluation. */
export type RefusedByModel = Readonly<Record<string, RefusedSetting[]>>;
const refusedByModel = z.record(z.string(), z.array(refusedSetting));

interface RowWith<Settings> {
  id: string;
  number: number;
  suiteId: string | null;
  suiteName: string;
  state: EvaluationState;
  reason: string | null;
  settings: Settings;
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
export type EvaluationRow = RowWith<EvaluationSettings>;
export type TaskEvaluationRow = RowWith<StoredTaskSettings>;

interface RowOf {
  case: EvaluationRow;
  task: TaskEvaluationRow;
}

export interface NamedEvaluation {
  id: string;
  unit: EvaluationUnit;
  number: number;
}

/** As much of an evaluation as a list is ordered, grouped and filtered by. */
export interface OutlinedEvaluation extends NamedEvaluation {
  suiteId: string | null;
  suiteName: string;
  /** Each as `provider/model`. */
  models: string[];
  createdAt: string;
  /** Null if a person started it for its own sake. */
  origin: EvaluationOrigin | null;
}

/** What the trash keeps of an evaluation. */
const removed = z.object({ id: z.string() });

const settingsOf = { case: evaluationSettings, task: storedTaskSettings };

export type NewEvaluation<Unit extends EvaluationUnit = EvaluationUnit> = Pick<
  RowOf[Unit],
  'id' | 'suiteId' | 'suiteName' | 'settings' | 'suite' | 'plannedRuns' | 'createdAt'
> & {
  /** With the prices that the evaluation uses; null = price unknown. */
  models: readonly { modelSettingsId: string; price: Price | null }[];
  owner: string;
};

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

function read<Unit extends EvaluationUnit>(
  unit: Unit,
  { models, refused, origin, ...row }: RowWithModels,
): RowOf[Unit] {
  const { state, settings, suite } = table.fromRow(row);
  return {
    ...row,
    state: evaluationState.parse(state),
    settings: settingsOf[unit].parse(settings),
    suite: frozenSuite.parse(suite),
    origin: readOrigin(origin),
    modelSettingsIds: z.array(z.string()).parse(JSON.parse(models)),
    refused: refusedByModel.parse(JSON.parse(refused)),
  } as RowOf[Unit];
}

const select = `SELECT ${table.columnsOf('e')}, ${originColumn},
    (SELECT json_group_array(m.model_settings_id ORDER BY m.position) FROM evaluation_models m WHERE m.evaluation_id = e.id) AS models,
    (SELECT json_group_object(m.model_settings_id, json(m.refused)) FROM evaluation_models m
     WHERE m.evaluation_id = e.id AND m.refused IS NOT NULL) AS refused
  FROM evaluations e`;

/**
 * Evaluations of cases and of tasks with their models, in one sequence of numbers. Deleted
 * evaluations are hidden until they are restored or purged.
 */
export function openEvaluations(context: StoreContext) {
  const { db } = context;
  const insert = db.prepare(
    `INSERT INTO evaluations (id, unit, number, suite_id, suite_name, state, settings, suite, planned_runs, owner, created_at, deleted_at)
     VALUES (@id, @unit, (SELECT coalesce(max(number), 0) + 1 FROM evaluations), @suiteId, @suiteName, 'planned', @settings, @suite, @plannedRuns, @owner, @createdAt, @createdAt)`,
  );
  const insertModel = db.prepare(
    'INSERT INTO evaluation_models (evaluation_id, position, model_settings_id, price) VALUES (?, ?, ?, ?)',
  );
  const prices = db.prepare<[string], { id: string; price: string | null }>(
    'SELECT model_settings_id AS id, price FROM evaluation_models WHERE evaluation_id = ?',
  );
  const setRefused = db.prepare(
    'UPDATE evaluation_models SET refused = ? WHERE evaluation_id = ? AND model_settings_id = ?',
  );
  const byId = db.prepare<[EvaluationUnit, string], RowWithModels>(
    `${select} WHERE e.unit = ? AND e.id = ? AND e.deleted_at IS NULL`,
  );
  const named = (where: string) =>
    db.prepare<[string | number], NamedEvaluation>(
      `SELECT id, unit, number FROM evaluations WHERE ${where} = ? AND deleted_at IS NULL`,
    );
  const namedBy = { id: named('id'), number: named('number'), oldNumber: named('old_number') };
  const newest = db.prepare<[EvaluationUnit, string | null, string | null, number], RowWithModels>(
    `${select} WHERE e.unit = ? AND e.deleted_at IS NULL AND (? IS NULL OR e.suite_id = ?) ORDER BY e.number DESC LIMIT ?`,
  );
  // Derived evaluations come after what they belong to, so the oldest original bounds them too.
  const sinceOriginals = db.prepare<[number], RowWithModels>(
    `${select} WHERE e.unit = 'case' AND e.deleted_at IS NULL AND e.number >= coalesce(
       (SELECT min(number) FROM (SELECT e.number FROM evaluations e
         WHERE e.unit = 'case' AND e.deleted_at IS NULL AND ${isOriginal} ORDER BY e.number DESC LIMIT ?)), 0)
     ORDER BY e.number DESC`,
  );
  const whole = db.prepare<[string | null, number], RowWithModels>(
    `${select} WHERE e.unit = 'task' AND e.deleted_at IS NULL AND e.settings ->> '$.whatIf.baseId' IS ?
       AND ${isWhole} ORDER BY e.number DESC LIMIT ?`,
  );
  const again = db.prepare<[EvaluationUnit, string], RowWithModels>(
    `${select} WHERE e.unit = ? AND e.deleted_at IS NULL AND e.settings ->> '$.whatIf.baseId' = ?
       AND ${asksAgain} ORDER BY e.number`,
  );
  const underOneLimit = db
    .prepare<[{ id: string }], string>(
      `WITH base AS (SELECT coalesce((SELECT e.settings ->> '$.whatIf.baseId' FROM evaluations e
         WHERE e.id = @id AND ${asksAgain}), @id) AS id)
       SELECT id FROM base
       UNION SELECT e.id FROM evaluations e JOIN base ON e.settings ->> '$.whatIf.baseId' = base.id
         WHERE ${asksAgain}`,
    )
    .pluck();
  const outline = db.prepare<
    [],
    NamedEvaluation & {
      suiteId: string | null;
      suiteName: string;
      createdAt: string;
      models: string;
      origin: string | null;
    }
  >(
    `SELECT e.id, e.unit, e.number, e.suite_id AS suiteId, e.suite_name AS suiteName, e.created_at AS createdAt, ${originColumn},
       (SELECT json_group_array(s.provider || '/' || s.model ORDER BY m.position) FROM evaluation_models m
        JOIN model_settings s ON s.id = m.model_settings_id WHERE m.evaluation_id = e.id) AS models
     FROM evaluations e WHERE e.deleted_at IS NULL ORDER BY e.created_at DESC, e.number DESC`,
  );
  const unfinished = db.prepare<[EvaluationUnit], { id: string }>(
    "SELECT id FROM evaluations WHERE unit = ? AND state IN ('planned', 'running')",
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

  return {
    /** Hidden, like a deleted one, until its plan is complete and `setDeleted` shows it. */
    insert<Unit extends EvaluationUnit>(
      unit: Unit,
      { models, ...evaluation }: NewEvaluation<Unit>,
    ): void {
      insert.run({
        ...evaluation,
        unit,
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
    /** What it runs; null where there is no such evaluation. */
    unitOf: (id: string): EvaluationUnit | null => namedBy.id.get(id)?.unit ?? null,
    /**
     * Finds an evaluation by what people call it: by its ID, by its number (`14`, `#14`), or, one of
     * tasks, as `tasks:3`. That is the number which it had while tasks were numbered apart; if no
     * evaluation had it, that of today.
     */
    named(name: string): NamedEvaluation | null {
      const known = namedBy.id.get(name);
      const [, tasks, digits] = /^(tasks:)?#?(\d+)$/.exec(name) ?? [];
      if (known !== undefined || digits === undefined) return known ?? null;
      const number = Number(digits);
      const before = tasks === undefined ? undefined : namedBy.oldNumber.get(number);
      const found = before ?? namedBy.number.get(number);
      return found === undefined || (tasks !== undefined && found.unit !== 'task') ? null : found;
    },
    /** Null also where the evaluation is of the other unit. */
    get<Unit extends EvaluationUnit>(unit: Unit, id: string): RowOf[Unit] | null {
      const row = byId.get(unit, id);
      return row ? read(unit, row) : null;
    },
    /** Those of a unit, of one suite or of all; the newest first. */
    list: <Unit extends EvaluationUnit = 'case'>(
      suiteId: string | null,
      limit: number,
      unit: Unit = 'case' as Unit,
    ): RowOf[Unit][] => newest.all(unit, suiteId, suiteId, limit).map((row) => read(unit, row)),
    /** The newest originals of cases, and every derived evaluation since the oldest of them. */
    listOriginals: (limit: number): EvaluationRow[] =>
      sinceOriginals.all(limit).map((row) => read('case', row)),
    /** Those of both units, the newest first. */
    outline: (): OutlinedEvaluation[] =>
      outline.all().map(({ models, origin, ...one }) => ({
        ...one,
        models: z.array(z.string()).parse(JSON.parse(models)),
        origin: readOrigin(origin),
      })),
    /**
     * Of tasks: the whole what-ifs of an evaluation, or those that repeat no other one; the newest
     * first.
     */
    listWhole: (limit: number, baseId: string | null = null): TaskEvaluationRow[] =>
      whole.all(baseId, limit).map((row) => read('task', row)),
    /** Those that ask cases or tasks of an evaluation again, the oldest first. */
    askedAgain: <Unit extends EvaluationUnit>(unit: Unit, baseId: string): RowOf[Unit][] =>
      again.all(unit, baseId).map((row) => read(unit, row)),
    /** An evaluation with those that share its spend limit: what asks again, and what is asked again. */
    underOneLimit: (id: string): string[] => underOneLimit.all({ id }),
    /** Those that run, or that a process which is gone has left running. */
    unfinished: (unit: EvaluationUnit): { id: string }[] => unfinished.all(unit),
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
    /** By id of model settings; null = price unknown. */
    prices: (id: string): ReadonlyMap<string, Price | null> =>
      new Map(
        prices
          .all(id)
          .map((row) => [row.id, row.price === null ? null : price.parse(JSON.parse(row.price))]),
      ),
    /** Keeps what an endpoint refused, in place of what was kept before. */
    setRefused(id: string, modelSettingsId: string, refused: readonly RefusedSetting[]): void {
      setRefused.run(refused.length === 0 ? null : JSON.stringify(refused), id, modelSettingsId);
    },
    setSettings(id: string, settings: EvaluationSettings): void {
      setSettings.run(JSON.stringify(settings), id);
    },
    setScorer(id: string, scorer: string): void {
      setScorer.run(scorer, id);
    },
    setDeleted(id: string, at: string | null): void {
      setDeleted.run(at, id);
    },
    /** Shows an evaluation again that the trash gives back; call it in the same transaction. */
    restore(content: unknown): void {
      setDeleted.run(null, removed.parse(content).id);
    },
    ...openPurge(context),
  };
}
