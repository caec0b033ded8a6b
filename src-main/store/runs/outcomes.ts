import { z } from 'zod';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { Counts } from '../../../src-shared/domain/metrics.ts';
import type { OutcomeCounts } from '../../../src-shared/domain/outcome.ts';
import { failureOutcome, outcome } from '../../../src-shared/domain/outcomeSchema.ts';
import { taskOutcomes } from '../../../src-shared/domain/task.ts';
import {
  emptyTaskOutcomes,
  type TaskOutcomeCounts,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { caseContent, type CaseContent } from '../../../src-shared/domain/testCase.ts';
import type { CaseMarks, CauseGroup } from '../../../src-shared/domain/verdict.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import type { StoreContext } from '../storeContext.ts';

const countRow = z.object({ modelSettingsId: z.string(), outcome, n: z.number() });
const markRow = z.object({ position: z.number(), modelSettingsId: z.string(), outcome });
const causeRow = z.object({
  outcome: failureOutcome,
  expected: z.string(),
  called: z.string(),
  runs: z.number(),
  cases: z.number(),
});

const modelCauseRow = causeRow.omit({ cases: true }).extend({ modelSettingsId: z.string() });
const involvedRow = z.object({ tool: z.string(), modelSettingsId: z.string(), runs: z.number() });

export interface FailedRunsQuery {
  evaluationId: string;
  modelSettingsId: string | null;
  outcome: string;
  expected: string;
  called: string;
  /** Text to find in case name and query; empty for all. */
  search: string;
  /** The positions that are looked at, as a JSON array; null for all. */
  positions: string | null;
  limit: number;
}

/**
 * Runs that have not ended, were cancelled or interrupted are not run; others without a score are
 * not scored.
 */
export const outcomeColumn = `coalesce(r.outcome, CASE
  WHEN r.status <> 'failed' OR r.failure IN ('cancelled', 'interrupted') THEN 'not_run' ELSE 'not_scored' END)`;

/** Why an answer has no score, of results `x`. */
export const undecidedColumn = `CASE WHEN r.status = 'completed' AND x.passed IS NULL
  THEN x.details ->> '$.undecided' END`;

/** Outcomes of all runs of an evaluation, and of each model by the ID of its settings. */
interface OfModels<Counted> {
  outcomes: Counted;
  byModel: ReadonlyMap<string, Counted>;
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** What became of the runs of an evaluation, counted by the database. Last attempts only. */
export function openOutcomes({ db }: StoreContext) {
  const ofCases = db.prepare<
    [string],
    { model: string; status: string; classification: string | null; outcome: string; n: number }
  >(
    // Without the hint SQLite looks up every run in the table, which is ten times slower in a large
    // evaluation.
    `SELECT r.model_settings_id AS model, r.status, r.classification, ${outcomeColumn} AS outcome,
       count(*) AS n
     FROM runs r INDEXED BY test_runs_counts
     WHERE r.evaluation_id = ? AND r.is_current = 1
     GROUP BY r.model_settings_id, r.status, r.classification, r.outcome, r.failure`,
  );
  const ofTasks = db.prepare<[string], { model: string; outcome: string | null; n: number }>(
    `SELECT model_settings_id AS model, outcome, count(*) AS n FROM runs
     WHERE evaluation_id = ? AND is_current = 1 GROUP BY 1, 2`,
  );
  const passRates = db.prepare<[], { id: string; rate: number }>(
    `SELECT r.evaluation_id AS id, avg(r.outcome IN ('passed', 'succeeded')) AS rate
     FROM evaluations e JOIN runs r ON r.evaluation_id = e.id
     WHERE e.deleted_at IS NULL AND e.state NOT IN ('planned', 'running')
       AND r.is_current = 1 AND r.outcome <> 'not_scored'
     GROUP BY r.evaluation_id`,
  );
  const counts = db.prepare<[string]>(
    `SELECT r.model_settings_id AS modelSettingsId, ${outcomeColumn} AS outcome, count(*) AS n
     FROM runs r INDEXED BY test_runs_counts
     WHERE r.evaluation_id = ? AND r.is_current = 1 GROUP BY 1, 2`,
  );
  const causes = db.prepare<[string, string | null, string | null]>(
    `SELECT r.outcome, r.cause_expected AS expected, r.cause_called AS called,
       count(*) AS runs, count(DISTINCT r.position) AS cases
     FROM runs r INDEXED BY test_runs_causes
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.cause_expected IS NOT NULL
       AND (? IS NULL OR r.model_settings_id = ?)
     GROUP BY 1, 2, 3`,
  );
  const causesOfModels = db.prepare<[string, string | null, string | null]>(
    `SELECT r.outcome, r.cause_expected AS expected, r.cause_called AS called,
       r.model_settings_id AS modelSettingsId, count(*) AS runs
     FROM runs r INDEXED BY test_runs_causes
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.cause_expected IS NOT NULL
       AND (? IS NULL OR r.model_settings_id = ?)
     GROUP BY 1, 2, 3, 4`,
  );
  // A run counts once for a tool, also where its case expects the tool twice. A failure points at
  // the called tool where no single tool was expected (`toolOfCause`).
  const involved = db.prepare<{ evaluationId: string; modelSettingsId: string | null }>(
    `WITH scored AS (SELECT r.id, r.model_settings_id, r.cause_expected, r.cause_called FROM runs r
       WHERE r.evaluation_id = @evaluationId AND r.is_current = 1
         AND (r.outcome = 'passed' OR r.cause_expected IS NOT NULL)
         AND (@modelSettingsId IS NULL OR r.model_settings_id = @modelSettingsId))
     SELECT tool, model_settings_id AS modelSettingsId, count(*) AS runs FROM (
       SELECT u.expected AS tool, s.model_settings_id, s.id
         FROM scored s JOIN confusion_units u ON u.test_run_id = s.id
       UNION
       SELECT cause_called, model_settings_id, id FROM scored
         WHERE instr(cause_expected, ':') = 0 OR instr(cause_expected, ' | ') > 0)
     GROUP BY 1, 2`,
  );
  const passedInEveryRun = db
    .prepare<[string], number>(
      `SELECT count(*) FROM (SELECT 1 FROM runs r WHERE r.evaluation_id = ? AND r.is_current = 1
       GROUP BY r.position HAVING min(r.outcome = 'passed') = 1 AND count(r.outcome) = count(*))`,
    )
    .pluck();
  const requests = db.prepare<
    [string, string, string, string, string | null, string | null],
    { key: string; content: string }
  >(
    `SELECT DISTINCT coalesce(c.key, c.source_id) AS key, k.content FROM runs r
       JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
       JOIN entry_contents k ON k.hash = c.content_hash
       WHERE r.evaluation_id = ? AND r.is_current = 1
         AND r.outcome = ? AND r.cause_expected = ? AND r.cause_called = ?
         AND (? IS NULL OR r.model_settings_id = ?) ORDER BY r.position`,
  );
  const failed = db
    .prepare<[FailedRunsQuery], number>(
      `SELECT r.rowid FROM runs r
       JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position
       JOIN entry_contents k ON k.hash = c.content_hash
       WHERE r.evaluation_id = @evaluationId AND r.is_current = 1
         AND r.outcome = @outcome AND r.cause_expected = @expected AND r.cause_called = @called
         AND (@modelSettingsId IS NULL OR r.model_settings_id = @modelSettingsId)
         AND (@positions IS NULL OR r.position IN (SELECT value FROM json_each(@positions)))
         AND (@search = '' OR instr(lower(k.name), @search) > 0 OR instr(lower(k.query), @search) > 0)
       ORDER BY r.position, r.model_settings_id, r.repetition LIMIT @limit`,
    )
    .pluck();
  const marks = db.prepare<[string, string]>(
    `SELECT r.position, r.model_settings_id AS modelSettingsId, ${outcomeColumn} AS outcome
     FROM runs r INDEXED BY test_runs_place
     WHERE r.evaluation_id = ? AND r.is_current = 1
       AND r.position IN (SELECT value FROM json_each(?)) ORDER BY r.position`,
  );
  return {
    classes(evaluationId: string): { counts: Counts } & OfModels<OutcomeCounts> {
      const counted: Counts = { tp: 0, fp: 0, tn: 0, fn: 0, failed: 0, open: 0, total: 0 };
      const outcomes = emptyOutcomeCounts();
      const byModel = new Map<string, OutcomeCounts>();
      for (const { model, status, classification, n, ...row } of ofCases.all(evaluationId)) {
        const name = outcome.parse(row.outcome);
        const own = getOrAdd(byModel, model, emptyOutcomeCounts);
        own[name] += n;
        outcomes[name] += n;
        counted.total += n;
        if (status === 'failed') counted.failed += n;
        else if (status !== 'completed') counted.open += n;
        else if (classification === 'TP') counted.tp += n;
        else if (classification === 'FP') counted.fp += n;
        else if (classification === 'TN') counted.tn += n;
        else counted.fn += n;
      }
      return { counts: counted, outcomes, byModel };
    },
    ofTasks(evaluationId: string): OfModels<TaskOutcomeCounts> {
      const outcomes = emptyTaskOutcomes();
      const byModel = new Map<string, TaskOutcomeCounts>();
      for (const { model, outcome: name, n } of ofTasks.all(evaluationId)) {
        // A run without an outcome waits, is under way, or was cut short by a cancel or a crash.
        const known = taskOutcomes.find((each) => each === name) ?? 'not_run';
        const own = getOrAdd(byModel, model, emptyTaskOutcomes);
        own[known] += n;
        outcomes[known] += n;
      }
      return { outcomes, byModel };
    },
    /** Passed ÷ scored runs of each ended evaluation of either unit that has a scored run. */
    passRates: (): ReadonlyMap<string, number> =>
      new Map(passRates.all().map(({ id, rate }) => [id, rate])),
    /** What each model made of these cases; with repetitions, a model has several marks. */
    ofCases(evaluationId: string, positions: readonly number[]): CaseMarks[] {
      const found = new Map<number, CaseMarks>();
      for (const row of marks.all(evaluationId, JSON.stringify(positions))) {
        const { position, ...mark } = markRow.parse(row);
        const known = found.get(position) ?? { position, marks: [] };
        known.marks.push(mark);
        found.set(position, known);
      }
      return [...found.values()];
    },
    /** Row ids of the runs that failed by a cause, in the order of the suite. */
    failedRuns(query: FailedRunsQuery): number[] {
      return failed.all({ ...query, search: query.search.toLowerCase() });
    },
    /** The outcomes of each model, by the id of its settings. */
    counts(evaluationId: string): Map<string, OutcomeCounts> {
      const byModel = new Map<string, OutcomeCounts>();
      for (const row of counts.all(evaluationId)) {
        const { modelSettingsId, outcome: name, n } = countRow.parse(row);
        const known = byModel.get(modelSettingsId) ?? emptyOutcomeCounts();
        byModel.set(modelSettingsId, { ...known, [name]: n });
      }
      return byModel;
    },
    /** Every cause of failures, the most frequent first. */
    causes(evaluationId: string, modelSettingsId: string | null): CauseGroup[] {
      return causes
        .all(evaluationId, modelSettingsId, modelSettingsId)
        .map((row) => causeRow.parse(row))
        .sort(byFrequency);
    },
    /** How many runs of each model failed by each cause. */
    causesOfModels(evaluationId: string, modelSettingsId: string | null) {
      return causesOfModels
        .all(evaluationId, modelSettingsId, modelSettingsId)
        .map((row) => modelCauseRow.parse(row));
    },
    /** The scored runs of each model whose case expects a tool, or whose failure points to it. */
    involvedRuns(evaluationId: string, modelSettingsId: string | null) {
      return involved.all({ evaluationId, modelSettingsId }).map((row) => involvedRow.parse(row));
    },
    /** Cases of which every run passed. */
    casesPassedInEveryRun(evaluationId: string): number {
      return passedInEveryRun.get(evaluationId) ?? 0;
    },
    /** The cases that failed by a cause, in the order of the suite, as far as they are read. */
    *requests(
      evaluationId: string,
      modelSettingsId: string | null,
      { outcome: kind, expected, called }: Pick<CauseGroup, 'outcome' | 'expected' | 'called'>,
    ): Generator<{ key: string; content: CaseContent }, void> {
      for (const { key, content } of requests.iterate(
        evaluationId,
        kind,
        expected,
        called,
        modelSettingsId,
        modelSettingsId,
      ))
        yield { key, content: caseContent.parse(parseJson(content)) };
    },
  };
}

/** Ties in the order of code units, as all texts of a report: SQLite would order them by bytes. */
const byFrequency = (a: CauseGroup, b: CauseGroup): number =>
  b.runs - a.runs ||
  b.cases - a.cases ||
  compareText(a.outcome, b.outcome) ||
  compareText(a.expected, b.expected) ||
  compareText(a.called, b.called);
