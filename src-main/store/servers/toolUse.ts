import type { ToolUse } from '../../../src-shared/domain/tokenReport.ts';
import { isOriginal } from '../evaluations/origins.ts';
import { shownCases } from '../suites/shownCases.ts';
import type { StoreContext } from '../storeContext.ts';

const originals = `SELECT e.id, e.snapshot_id FROM evaluations e
  WHERE e.unit = 'case' AND e.deleted_at IS NULL AND e.snapshot_id IS NOT NULL AND ${isOriginal}`;

/** Tools that no case expects or allows and that no run called, though it could have. */
export function openToolUse({ db }: StoreContext) {
  const cases = db.prepare<[], number>(`SELECT count(*) FROM ${shownCases}`).pluck();
  const evaluations = db.prepare<[], number>(`SELECT count(*) FROM (${originals})`).pluck();
  const neverUsed = db
    .prepare<[], string>(
      `WITH original AS (${originals}),
       reference AS (
         SELECT call.value AS one FROM ${shownCases} JOIN json_each(c.expected_calls) call
         UNION ALL SELECT allowed.value FROM ${shownCases} JOIN json_each(c.allowed_calls) allowed
       )
       SELECT s.server_name || ':' || c.name AS tool FROM original o
         JOIN snapshot_tools s ON s.snapshot_id = o.snapshot_id JOIN tool_contents c ON c.hash = s.tool_hash
       EXCEPT SELECT (one ->> '$.server') || ':' || (one ->> '$.tool') FROM reference WHERE one ->> '$.tool' IS NOT NULL
       EXCEPT SELECT (alternative.value ->> '$.server') || ':' || (alternative.value ->> '$.tool')
         FROM reference, json_each(one, '$.anyOf') alternative
       EXCEPT SELECT u.selected FROM original o JOIN runs r ON r.evaluation_id = o.id
         JOIN confusion_units u ON u.test_run_id = r.id WHERE r.is_current = 1
       ORDER BY tool`,
    )
    .pluck();
  return {
    /** Visits every run, so large workspaces are read in a worker. */
    read: (): ToolUse => ({
      cases: cases.get() ?? 0,
      evaluations: evaluations.get() ?? 0,
      neverUsed: neverUsed.all(),
    }),
  };
}
