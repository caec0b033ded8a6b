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
  return {
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
