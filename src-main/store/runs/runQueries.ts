import { z } from 'zod';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { RunFilter, RunRow } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { RunSort, TaskRunSort } from '../../../src-shared/domain/runSorts.ts';
import {
  isAnyOf,
  NO_TOOL,
  rowLabel,
  toolId,
  toolsOfLabel,
} from '../../../src-shared/domain/labels.ts';
import {
  actualCall,
  type ActualCall,
  type ConfidenceMethod,
} from '../../../src-shared/domain/observation.ts';
import type { ExpectedCall } from '../../../src-shared/domain/testCase.ts';
import { alternatives, expectedCall } from '../../../src-shared/domain/testCase.ts';
import { outcomeOfRun } from '../../../src-shared/metrics/outcomes.ts';
import { remember } from '../../runtime/remember.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { outcomeColumn, undecidedColumn } from './outcomes.ts';

const callList = z.array(actualCall);

const runTable = defineTable('runs', {
  runId: { column: 'id', kind: 'text' },
  testCaseId: { column: 'source_id', kind: 'text' },
  modelSettingsId: 'text',
  position: 'integer',
  repetition: 'integer',
  attempt: 'integer',
  status: 'text',
  failure: 'text?',
  errorMessage: 'text?',
  classification: 'text?',
  confidenceScore: 'real?',
  confidenceMethod: 'text?',
  executionTimeMs: 'integer?',
});

/** A run with what a list shows of its case, its score and its units. */
interface ListedRow extends Omit<
  Row<typeof runTable>,
  'status' | 'failure' | 'classification' | 'confidenceMethod'
> {
  status: RunRow['status'];
  failure: RunRow['failure'];
  classification: RunRow['classification'];
  confidenceMethod: ConfidenceMethod | null;
  caseKey: string | null;
  caseName: string;
  query: string;
  content: string;
  passed: number | null;
  undecided: string | null;
  parameterCorrectness: number | null;
  units: string | null;
}

/** Tables that a condition or an order reads besides the runs themselves. */
type Joined = 'case' | 'result';

const joinOf: Record<Joined, string> = {
  case: 'JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position JOIN entry_contents k ON k.hash = c.content_hash',
  result: 'LEFT JOIN evaluation_results x ON x.test_run_id = r.id',
};
const fromAll = `FROM runs r ${joinOf.case} ${joinOf.result}`;

const orderings: Record<RunSort | TaskRunSort, { by: string; needs?: Joined }> = {
  position: { by: 'r.position' },
  classification: {
    by: "CASE r.classification WHEN 'FN' THEN 1 WHEN 'FP' THEN 2 WHEN 'TP' THEN 3 WHEN 'TN' THEN 4 ELSE 0 END",
  },
  parameterCorrectness: { by: 'x.parameter_correctness', needs: 'result' },
  executionTimeMs: { by: 'r.execution_time_ms' },
  confidence: { by: 'r.confidence_score' },
  outcome: { by: 'r.outcome' },
  task: { by: 'k.name COLLATE NOCASE', needs: 'case' },
  model: {
    by: "(SELECT m.provider || ' ' || m.model FROM model_settings m WHERE m.id = r.model_settings_id)",
  },
  repetition: { by: 'r.repetition' },
  steps: { by: "r.facts ->> '$.steps'" },
  calls: { by: "r.facts ->> '$.calls'" },
  time: { by: "r.facts ->> '$.elapsedMs'" },
};

/** The order of runs that are alike in what sorts them. */
const tieOf: Record<EvaluationUnit, string> = {
  case: 'r.position, r.model_settings_id, r.repetition',
  task: 'r.position, r.repetition, r.created_at, r.rowid',
};

/** A list of runs: an evaluation with a filter and an order. */
export interface RunList {
  /** Absent: cases. */
  unit?: EvaluationUnit;
  evaluationId: string;
  filter: RunFilter;
  sort: RunSort | TaskRunSort;
  descending: boolean;
}

const unitsColumn = `(SELECT json_group_array(json_array(u.expected, u.selected) ORDER BY u.unit) FROM confusion_units u WHERE u.test_run_id = r.id) AS units`;

interface Condition {
  sql: string;
  /** Bound to the parameters of the SQL, never spliced into it. */
  values: (string | number)[];
  needs?: Joined;
}

function conditionsOf(evaluationId: string, filter: RunFilter): Condition[] {
  const { modelSettingsId, classification, outcome, cause, status, passed, tag, search, cell } =
    filter;
  const oneOf = (column: string, values: readonly string[]): Condition => ({
    sql: `${column} IN (${values.map(() => '?').join(',')})`,
    values: [...values],
  });
  const conditions: Condition[] = [
    { sql: 'r.evaluation_id = ?', values: [evaluationId] },
    { sql: 'r.is_current = 1', values: [] },
  ];
  if (modelSettingsId !== undefined)
    conditions.push({ sql: 'r.model_settings_id = ?', values: [modelSettingsId] });
  if (classification?.length) conditions.push(oneOf('r.classification', classification));
  if (outcome?.length) conditions.push(oneOf(outcomeColumn, outcome));
  if (cause)
    conditions.push({
      sql: 'r.outcome = ? AND r.cause_expected = ? AND r.cause_called = ?',
      values: [cause.outcome, cause.expected, cause.called],
    });
  if (status?.length) conditions.push(oneOf('r.status', status));
  if (passed !== undefined)
    conditions.push({ sql: 'x.passed = ?', values: [Number(passed)], needs: 'result' });
  if (tag !== undefined)
    conditions.push({
      sql: "EXISTS (SELECT 1 FROM json_each(k.content, '$.tags') t WHERE t.value = ?)",
      values: [tag],
      needs: 'case',
    });
  if (search)
    conditions.push({
      sql: '(instr(lower(k.name), lower(?)) > 0 OR instr(lower(k.query), lower(?)) > 0)',
      values: [search, search],
      needs: 'case',
    });
  if (cell) {
    const { expected, selected } = cell;
    const called = expected === selected && isAnyOf(expected) ? toolsOfLabel(expected) : [selected];
    const ofCall = oneOf('u.selected', called);
    conditions.push({
      sql: `EXISTS (SELECT 1 FROM confusion_units u WHERE u.test_run_id = r.id AND u.expected = ? AND ${ofCall.sql})`,
      values: [expected, ...ofCall.values],
    });
  }
  return conditions;
}

/** The runs that a filter leaves, in order, with only the joins that this needs. */
function selectRowids(
  conditions: readonly Condition[],
  { unit = 'case', sort, descending }: RunList,
): string {
  const { by, needs } = orderings[sort];
  const needed = new Set([needs, ...conditions.map((condition) => condition.needs)]);
  const joins = (['case', 'result'] as const).filter((one) => needed.has(one));
  return `SELECT r.rowid FROM runs r ${joins.map((one) => joinOf[one]).join(' ')}
    WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}
    ORDER BY ${by} IS NULL, ${by} ${descending ? 'DESC' : 'ASC'}, ${tieOf[unit]}`;
}

const shown = z.object({ tags: z.array(z.string()), expectedCalls: z.array(expectedCall) });

const expectedLabel = (call: ExpectedCall) =>
  rowLabel(alternatives(call).map(({ server, tool }) => toolId(server, tool)));

function shownOf(content: string) {
  const { tags, expectedCalls } = shown.parse(parseJson(content));
  return {
    tags,
    expected: expectedCalls.length > 0 ? expectedCalls.map(expectedLabel) : [NO_TOOL],
  };
}

/** `read` reads the content of its case. */
function fromRow(
  { content, confidenceScore, confidenceMethod, units: unitsText, undecided, ...row }: ListedRow,
  read = shownOf,
): RunRow {
  const units = JSON.parse(unitsText ?? '[]') as [expected: string, selected: string][];
  const { tags, expected } = read(content);
  const passed = row.passed === null ? null : row.passed === 1;
  const shownUnits = units.map(([expected, label]) => ({ expected, selected: label }));
  const selected = units.map(([, label]) => label).filter((label) => label !== NO_TOOL);
  return {
    ...row,
    // Of an answer too, this is why it has no score.
    errorMessage: row.errorMessage ?? undecided,
    caseKey: row.caseKey ?? row.testCaseId,
    tags,
    passed,
    outcome: outcomeOfRun({ ...row, passed, units: shownUnits }),
    expected,
    selected: selected.length > 0 || units.length === 0 ? selected : [NO_TOOL],
    units: shownUnits,
    parameterCorrectness: row.classification === 'TP' ? row.parameterCorrectness : null,
    confidence:
      confidenceScore === null || confidenceMethod === null
        ? null
        : { score: confidenceScore, method: confidenceMethod },
  };
}

/**
 * Reads runs: pages for the table, one run with its neighbors, and the columns that summaries fold.
 */
export function openRunQueries({ db }: StoreContext) {
  const columns = `${runTable.columnsOf('r')}, c.key AS caseKey, k.name AS caseName, k.query, k.content,
    x.passed, x.parameter_correctness AS parameterCorrectness, ${undecidedColumn} AS undecided, ${unitsColumn}`;
  const raw = db.prepare<
    [string],
    {
      evaluation_id: string;
      llm_request_raw: string | null;
      llm_response_raw: string | null;
      observation: string | null;
      created_at: string;
      completed_at: string | null;
    }
  >(
    'SELECT evaluation_id, llm_request_raw, llm_response_raw, observation, created_at, completed_at FROM runs WHERE id = ?',
  );
  const calls = db
    .prepare<[string], string | null>(`SELECT observation -> '$.calls' FROM runs WHERE id = ?`)
    .pluck();
  const one = db.prepare<[string], ListedRow>(`SELECT ${columns} ${fromAll} WHERE r.id = ?`);
  const many = db.prepare<[string], ListedRow & { rowid: number }>(
    `SELECT r.rowid, ${columns} ${fromAll} WHERE r.rowid IN (SELECT value FROM json_each(?))`,
  );
  const rowidOf = db.prepare<[string], number>('SELECT rowid FROM runs WHERE id = ?').pluck();
  const cells = db.prepare<
    [string, string | null, string | null],
    { expected: string; selected: string; n: number }
  >(
    `SELECT u.expected, u.selected, count(*) AS n FROM runs r JOIN confusion_units u ON u.test_run_id = r.id
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed' AND (? IS NULL OR r.model_settings_id = ?)
     GROUP BY u.expected, u.selected`,
  );
  const selections = db.prepare<
    [string, string],
    { position: number; repetition: number; selected: string; inputTokens: number | null }
  >(
    `SELECT r.position, r.repetition, iif(r.observation ->> '$.usage.source' = 'estimated', NULL, r.input_tokens) AS inputTokens,
       (SELECT json_group_array(coalesce(c.value ->> 'server' || ':' || (c.value ->> 'tool'), c.value ->> 'name') ORDER BY coalesce(c.value ->> 'server' || ':' || (c.value ->> 'tool'), c.value ->> 'name')) FROM json_each(r.observation, '$.calls') c) AS selected
     FROM runs r WHERE r.evaluation_id = ? AND r.model_settings_id = ? AND r.is_current = 1 AND r.status = 'completed' ORDER BY r.position, r.repetition`,
  );

  return {
    /**
     * Row ids of every run that matches the filter, in order. Pages and neighbors are cut from
     * this.
     */
    order(list: RunList): Float64Array {
      const conditions = conditionsOf(list.evaluationId, list.filter);
      return Float64Array.from(
        db
          .prepare<(string | number)[], number>(selectRowids(conditions, list))
          .pluck()
          .all(...conditions.flatMap(({ values }) => values)),
      );
    },
    /** Runs by row id, in the given order. */
    rows(rowids: ArrayLike<number>): RunRow[] {
      const found = new Map(
        many.all(JSON.stringify(Array.from(rowids))).map(({ rowid, ...row }) => [rowid, row]),
      );
      // Repetitions share their case.
      const read = remember(shownOf);
      return Array.from(rowids).flatMap((rowid) => {
        const row = found.get(rowid);
        return row ? [fromRow(row, read)] : [];
      });
    },
    rowidOf(runId: string): number | null {
      return rowidOf.get(runId) ?? null;
    },
    row(runId: string): RunRow | null {
      const row = one.get(runId);
      return row ? fromRow(row) : null;
    },
    raw(runId: string) {
      return raw.get(runId) ?? null;
    },
    /** The calls of its answer; none without one. */
    calls: (runId: string): ActualCall[] => callList.parse(parseJson(calls.get(runId) ?? '[]')),
    /** What each scored run of a model selected, as JSON of tool ids in order of their text. */
    selections: (evaluationId: string, modelSettingsId: string) =>
      selections.all(evaluationId, modelSettingsId),
    cells(evaluationId: string, modelSettingsId: string | null) {
      return cells.all(evaluationId, modelSettingsId, modelSettingsId);
    },
  };
}
