import type { ServerCases } from '../../../src-shared/domain/toolCases.ts';
import { isOriginal } from '../evaluations/origins.ts';
import type { StoreContext } from '../storeContext.ts';

export interface ServerCasesStore {
  /** The latest ended evaluation that offered tools of this server; derived ones don't count. */
  latestEvaluation(server: string): { id: string; number: number; plannedRuns: number } | null;
  /** Cases per expected tool, with the runs of one evaluation. Visits every run of it. */
  read(server: string, evaluationId: string | null): ServerCases['tools'];
}

/** Cases and results by the tool that is expected. */
export function openServerCases({ db }: StoreContext): ServerCasesStore {
  const latest = db.prepare<[string], { id: string; number: number; plannedRuns: number }>(
    `SELECT e.id, e.number, e.planned_runs AS plannedRuns FROM evaluations e
     WHERE e.deleted_at IS NULL AND e.state NOT IN ('planned', 'running') AND ${isOriginal}
       AND EXISTS (SELECT 1 FROM snapshot_tools s WHERE s.snapshot_id = e.snapshot_id AND s.server_name = ?)
     ORDER BY e.number DESC LIMIT 1`,
  );
  const tools = db.prepare<
    { server: string; evaluationId: string | null },
    ServerCases['tools'][number]
  >(
    `WITH expected AS (SELECT t.id, call.value AS one FROM test_cases t, json_each(t.expected_calls) call),
     named AS (
       SELECT id, one ->> '$.tool' AS tool FROM expected WHERE one ->> '$.server' = :server
       UNION SELECT expected.id, other.value ->> '$.tool' FROM expected, json_each(one, '$.anyOf') other
         WHERE other.value ->> '$.server' = :server
     ),
     result AS (
       SELECT DISTINCT r.id, r.outcome, substr(u.expected, length(:server) + 2) AS tool
       FROM test_runs r JOIN confusion_units u ON u.test_run_id = r.id
       WHERE r.evaluation_id = :evaluationId AND r.is_current = 1 AND r.status = 'completed'
         AND substr(u.expected, 1, length(:server) + 1) = :server || ':'
     )
     SELECT tool AS name, sum(cases) AS cases, sum(scored) AS scored, sum(passed) AS passed FROM (
       SELECT tool, count(*) AS cases, 0 AS scored, 0 AS passed FROM named GROUP BY tool
       UNION ALL
       SELECT tool, 0, count(*), count(*) FILTER (WHERE outcome = 'passed') FROM result GROUP BY tool
     ) GROUP BY tool ORDER BY tool`,
  );
  return {
    latestEvaluation: (server) => latest.get(server) ?? null,
    read: (server, evaluationId) => tools.all({ server, evaluationId }),
  };
}
