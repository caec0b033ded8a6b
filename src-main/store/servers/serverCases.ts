import { compareText } from '../../../src-shared/domain/compareText.ts';
import { splitToolId, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import type { ServerCases } from '../../../src-shared/domain/toolCases.ts';
import { isOriginal } from '../evaluations/origins.ts';
import type { StoreContext } from '../storeContext.ts';

export interface ServerCasesStore {
  /** The latest ended evaluation that offered tools of this server; derived ones don't count. */
  latestEvaluation(server: string): { id: string; number: number; plannedRuns: number } | null;
  /** Cases per expected tool, with the runs of one evaluation. Visits every run of it. */
  read(server: string, evaluationId: string | null): ServerCases['tools'];
  /** Stored cases that expect a tool, also as an alternative, by suite and place. */
  ofTool(server: string, name: string): ExpectingCase[];
  /** Scored runs of an evaluation of cases that expected a tool, by model and place. */
  runsOfTool(evaluationId: string, toolId: string): ExpectingRun[];
  /** How the runs of each model of an evaluation came out, of cases or of tasks. */
  passedByModel(
    evaluationId: string,
  ): { modelSettingsId: string; scored: number; passed: number }[];
}

interface ExpectingCase {
  id: string;
  key: string;
  suiteId: string;
  suiteName: string;
  query: string;
}

interface ExpectingRun {
  runId: string;
  caseId: string;
  modelSettingsId: string;
  position: number;
  outcome: string;
  /** What was called for the tool: itself, another one, `(no tool)` or `(phantom)`. */
  selected: string;
}

/** Cases and results by the tool that is expected, also as one of several alternatives. */
export function openServerCases({ db }: StoreContext): ServerCasesStore {
  const latest = db.prepare<[string], { id: string; number: number; plannedRuns: number }>(
    `SELECT e.id, e.number, e.planned_runs AS plannedRuns FROM evaluations e
     WHERE e.unit = 'case' AND e.deleted_at IS NULL AND e.state NOT IN ('planned', 'running') AND ${isOriginal}
       AND EXISTS (SELECT 1 FROM snapshot_tools s WHERE s.snapshot_id = e.snapshot_id AND s.server_name = ?)
     ORDER BY e.number DESC LIMIT 1`,
  );
  const named = db.prepare<[{ server: string }], { name: string; cases: number }>(
    `WITH expected AS (SELECT t.id, call.value AS one FROM test_cases t, json_each(t.expected_calls) call),
     named AS (
       SELECT id, one ->> '$.tool' AS tool FROM expected WHERE one ->> '$.server' = :server
       UNION SELECT expected.id, other.value ->> '$.tool' FROM expected, json_each(one, '$.anyOf') other
         WHERE other.value ->> '$.server' = :server
     )
     SELECT tool AS name, count(*) AS cases FROM named GROUP BY tool`,
  );
  const results = db.prepare<[string], { runId: string; passed: 0 | 1; expected: string }>(
    `SELECT DISTINCT r.id AS runId, r.outcome = 'passed' AS passed, u.expected
     FROM runs r JOIN confusion_units u ON u.test_run_id = r.id
     WHERE r.evaluation_id = ? AND r.is_current = 1 AND r.status = 'completed'`,
  );
  const ofTool = db.prepare<[{ server: string; name: string }], ExpectingCase>(
    `SELECT t.id, t.key, t.suite_id AS suiteId, s.name AS suiteName, t.query
     FROM test_cases t JOIN suites s ON s.id = t.suite_id
     WHERE EXISTS (
       SELECT 1 FROM json_each(t.expected_calls) call
       WHERE (call.value ->> '$.server' = :server AND call.value ->> '$.tool' = :name)
         OR EXISTS (SELECT 1 FROM json_each(call.value, '$.anyOf') other
              WHERE other.value ->> '$.server' = :server AND other.value ->> '$.tool' = :name))
     ORDER BY s.name, t.suite_id, t.position`,
  );
  const runsOfTool = db.prepare<[{ evaluation: string; tool: string }], ExpectingRun>(
    `SELECT r.id AS runId, r.source_id AS caseId, r.model_settings_id AS modelSettingsId, r.position, r.outcome,
       min(u.selected) AS selected
     FROM runs r JOIN confusion_units u ON u.test_run_id = r.id
     WHERE r.evaluation_id = :evaluation AND r.is_current = 1 AND r.status = 'completed'
       AND instr(' | ' || u.expected || ' | ', ' | ' || :tool || ' | ') > 0
     GROUP BY r.id ORDER BY r.position, r.repetition`,
  );
  const passedByModel = db.prepare<
    [string],
    { modelSettingsId: string; scored: number; passed: number }
  >(
    `SELECT model_settings_id AS modelSettingsId, count(*) AS scored, sum(outcome = 'passed') AS passed
     FROM runs WHERE evaluation_id = ? AND is_current = 1 AND status = 'completed'
     GROUP BY model_settings_id`,
  );
  return {
    ofTool: (server, name) => ofTool.all({ server, name }),
    runsOfTool: (evaluation, tool) => runsOfTool.all({ evaluation, tool }),
    passedByModel: (evaluation) => passedByModel.all(evaluation),
    latestEvaluation: (server) => latest.get(server) ?? null,
    read(server, evaluationId) {
      const rows = new Map(
        named.all({ server }).map((row) => [row.name, { ...row, scored: 0, passed: 0 }]),
      );
      const seen = new Set<string>();
      for (const { runId, passed, expected } of evaluationId === null
        ? []
        : results.iterate(evaluationId))
        for (const id of toolsOfLabel(expected)) {
          const { server: own, tool: name } = splitToolId(id);
          const key = `${runId} ${name}`;
          if (own !== server || seen.has(key)) continue;
          seen.add(key);
          const row = rows.get(name) ?? { name, cases: 0, scored: 0, passed: 0 };
          rows.set(name, { ...row, scored: row.scored + 1, passed: row.passed + passed });
        }
      return [...rows.values()].sort((a, b) => compareText(a.name, b.name));
    },
  };
}
