import { z } from 'zod';
import type { RunFilter, RunRow } from '../../../src-shared/domain/evaluation.ts';
import { NO_TOOL, toolId } from '../../../src-shared/domain/labels.ts';
import type { ConfidenceMethod } from '../../../src-shared/domain/observation.ts';
import type { ExpectedCall } from '../../../src-shared/domain/testCase.ts';
import { alternatives, expectedCall } from '../../../src-shared/domain/testCase.ts';
import type { StoreContext } from '../storeContext.ts';

export type RunSort =
  'position' | 'classification' | 'parameterCorrectness' | 'executionTimeMs' | 'confidence';

interface RawRow {
  id: string;
  test_case_id: string;
  case_key: string | null;
  name: string;
  query: string;
  content: string;
  model_settings_id: string;
  position: number;
  repetition: number;
  attempt: number;
  status: RunRow['status'];
  failure: RunRow['failure'];
  error_message: string | null;
  classification: RunRow['classification'];
  passed: number | null;
  parameter_correctness: number | null;
  confidence_score: number | null;
  confidence_method: ConfidenceMethod | null;
  execution_time_ms: number | null;
  units: string | null;
}

const orderings: Record<RunSort, string> = {
  position: 'r.position',
  classification:
    "CASE r.classification WHEN 'FN' THEN 1 WHEN 'FP' THEN 2 WHEN 'TP' THEN 3 WHEN 'TN' THEN 4 ELSE 0 END",
  parameterCorrectness: 'x.parameter_correctness',
  executionTimeMs: 'r.execution_time_ms',
  confidence: 'r.confidence_score',
};

const caseJoins =
  'JOIN evaluation_cases c ON c.evaluation_id = r.evaluation_id AND c.position = r.position JOIN case_contents k ON k.hash = c.case_hash';
const resultJoin = 'LEFT JOIN evaluation_results x ON x.test_run_id = r.id';
const joins = `FROM test_runs r ${caseJoins} ${resultJoin}`;

const unitsColumn = `(SELECT json_group_array(json_array(u.expected, u.selected) ORDER BY u.unit) FROM confusion_units u WHERE u.test_run_id = r.id) AS units`;

/** Only what the filter names becomes a condition; values are always bound, never spliced in. */
function conditions(
  evaluationId: string,
  filter: RunFilter,
): { where: string; values: (string | number)[] } {
  const parts = ['r.evaluation_id = ?', 'r.is_current = 1'];
  const values: (string | number)[] = [evaluationId];
  const add = (part: string, ...bound: (string | number)[]) => {
    parts.push(part);
    values.push(...bound);
  };
  if (filter.modelSettingsId !== undefined) add('r.model_settings_id = ?', filter.modelSettingsId);
  if (filter.classification?.length)
    add(
      `r.classification IN (${filter.classification.map(() => '?').join(',')})`,
      ...filter.classification,
    );
  if (filter.status?.length)
    add(`r.status IN (${filter.status.map(() => '?').join(',')})`, ...filter.status);
  if (filter.passed !== undefined) add('x.passed = ?', Number(filter.passed));
  if (filter.tag !== undefined)
    add("EXISTS (SELECT 1 FROM json_each(k.content, '$.tags') t WHERE t.value = ?)", filter.tag);
  if (filter.search)
    add(
      '(instr(lower(k.name), lower(?)) > 0 OR instr(lower(k.query), lower(?)) > 0)',
      filter.search,
      filter.search,
    );
  if (filter.cell) {
    add(
      'EXISTS (SELECT 1 FROM confusion_units u WHERE u.test_run_id = r.id AND u.expected = ? AND u.selected = ?)',
      filter.cell.expected,
      filter.cell.selected,
    );
  }
  return { where: parts.join(' AND '), values };
}

const unitList = z.array(z.tuple([z.string(), z.string()]));
const shown = z.object({ tags: z.array(z.string()), expectedCalls: z.array(expectedCall) });

const expectedLabel = (call: ExpectedCall) =>
  alternatives(call)
    .map(({ server, tool }) => toolId(server, tool))
    .join(' or ');

function fromRow(row: RawRow): RunRow {
  const units = unitList.parse(JSON.parse(row.units ?? '[]'));
  const content = shown.parse(JSON.parse(row.content));
  const selected = units.map(([, label]) => label).filter((label) => label !== NO_TOOL);
  return {
    runId: row.id,
    testCaseId: row.test_case_id,
    caseKey: row.case_key ?? row.test_case_id,
    caseName: row.name,
    query: row.query,
    tags: content.tags,
    modelSettingsId: row.model_settings_id,
    position: row.position,
    repetition: row.repetition,
    attempt: row.attempt,
    status: row.status,
    failure: row.failure,
    errorMessage: row.error_message,
    classification: row.classification,
    passed: row.passed === null ? null : row.passed === 1,
    expected:
      content.expectedCalls.length > 0 ? content.expectedCalls.map(expectedLabel) : [NO_TOOL],
    selected: selected.length > 0 || units.length === 0 ? selected : [NO_TOOL],
    units: units.map(([expected, label]) => ({ expected, selected: label })),
    parameterCorrectness: row.classification === 'TP' ? row.parameter_correctness : null,
    confidence:
      row.confidence_score === null || row.confidence_method === null
        ? null
        : { score: row.confidence_score, method: row.confidence_method },
    executionTimeMs: row.execution_time_ms,
  };
}

/**
 * Reading runs: pages for the table, one run with its neighbours, and the columns that summaries
 * fold.
 */
export function openRunQueries({ db }: StoreContext) {
  const columns = `r.id, r.test_case_id, c.case_key, k.name, k.query, k.content, r.model_settings_id, r.position, r.repetition, r.attempt,
    r.status, r.failure, r.error_message, r.classification, x.passed, x.parameter_correctness, r.confidence_score,
    r.confidence_method, r.execution_time_ms, ${unitsColumn}`;
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
    'SELECT evaluation_id, llm_request_raw, llm_response_raw, observation, created_at, completed_at FROM test_runs WHERE id = ?',
  );
  const one = db.prepare<[string], RawRow>(`SELECT ${columns} ${joins} WHERE r.id = ?`);
  const many = db.prepare<[string], RawRow & { rowid: number }>(
    `SELECT r.rowid, ${columns} ${joins} WHERE r.rowid IN (SELECT value FROM json_each(?))`,
  );
  const rowidOf = db.prepare<[string], number>('SELECT rowid FROM test_runs WHERE id = ?').pluck();
  const idOf = db.prepare<[number], string>('SELECT id FROM test_runs WHERE rowid = ?').pluck();
  const cells = db.prepare<
    [string, string | null, string | null],
    { expected: string; selected: string; n: number }
  >(
    `SELECT u.expected, u.selected, count(*) AS n FROM test_runs r JOIN confusion_units u ON u.test_run_id = r.id
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed' AND (? IS NULL OR r.model_settings_id = ?)
     GROUP BY u.expected, u.selected`,
  );
  const selections = db.prepare<
    [string, string],
    { position: number; repetition: number; selected: string; inputTokens: number | null }
  >(
    `SELECT r.position, r.repetition, iif(r.observation ->> '$.usage.source' = 'estimated', NULL, r.input_tokens) AS inputTokens,
       (SELECT json_group_array(coalesce(c.value ->> 'server' || ':' || (c.value ->> 'tool'), c.value ->> 'name') ORDER BY coalesce(c.value ->> 'server' || ':' || (c.value ->> 'tool'), c.value ->> 'name')) FROM json_each(r.observation, '$.calls') c) AS selected
     FROM test_runs r WHERE r.evaluation_id = ? AND r.model_settings_id = ? AND r.is_current = 1 AND r.status = 'completed' ORDER BY r.position, r.repetition`,
  );
  const order = (sort: RunSort, descending: boolean) =>
    `ORDER BY ${orderings[sort]} IS NULL, ${orderings[sort]} ${descending ? 'DESC' : 'ASC'}, r.position, r.model_settings_id, r.repetition`;

  return {
    /**
     * Row ids of every run that the filter leaves, in order: what pages and neighbours are cut
     * from.
     */
    order(
      evaluationId: string,
      filter: RunFilter,
      sort: RunSort,
      descending: boolean,
    ): Float64Array {
      const { where, values } = conditions(evaluationId, filter);
      const needed = `${/[^a-z][ck]\./.test(where) ? caseJoins : ''} ${/[^a-z]x\./.test(where) || sort === 'parameterCorrectness' ? resultJoin : ''}`;
      return Float64Array.from(
        db
          .prepare<(string | number)[], number>(
            `SELECT r.rowid FROM test_runs r ${needed} WHERE ${where} ${order(sort, descending)}`,
          )
          .pluck()
          .all(...values),
      );
    },
    /** Runs by row id, in the order asked for. */
    rows(rowids: ArrayLike<number>): RunRow[] {
      const found = new Map(
        many.all(JSON.stringify(Array.from(rowids))).map((row) => [row.rowid, row]),
      );
      return Array.from(rowids).flatMap((rowid) => {
        const row = found.get(rowid);
        return row ? [fromRow(row)] : [];
      });
    },
    rowidOf(runId: string): number | null {
      return rowidOf.get(runId) ?? null;
    },
    idOf(rowid: number): string | null {
      return idOf.get(rowid) ?? null;
    },
    row(runId: string): RunRow | null {
      const row = one.get(runId);
      return row ? fromRow(row) : null;
    },
    raw(runId: string) {
      return raw.get(runId) ?? null;
    },
    /** What each scored run of a model selected, as JSON of tool ids in order of their text. */
    selections: (evaluationId: string, modelSettingsId: string) =>
      selections.all(evaluationId, modelSettingsId),
    cells(evaluationId: string, modelSettingsId: string | null) {
      return cells.all(evaluationId, modelSettingsId, modelSettingsId);
    },
  };
}
export type RunQueries = ReturnType<typeof openRunQueries>;
