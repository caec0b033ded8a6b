import { textList } from '../database/table.ts';
import { sentCalls } from '../../../src-shared/domain/task.ts';
import type { SentCall } from '../../../src-shared/metrics/reliability.ts';
import type { StoreContext } from '../storeContext.ts';

interface SentRow {
  evaluationId: string;
  runId: string;
  tool: string;
  answeredBy: string;
  isError: number;
  durationMs: number;
}

/** So many of the newest evaluations are read: a server of today isn't that of long ago. */
const maxEvaluations = 50;

/**
 * Calls that were sent to a server in evaluations of tasks that executed tools, of every attempt.
 * Replays sent nothing, and a call that met a fault on purpose says nothing about its server.
 */
export function openSentCalls({ db }: StoreContext) {
  const sent = db.prepare<[{ server: string; limit: number }], SentRow>(
    `WITH executed AS (
       SELECT e.id FROM evaluations e
       WHERE e.unit = 'task' AND e.deleted_at IS NULL AND e.settings ->> '$.mode' <> 'stub'
         AND NOT EXISTS (SELECT 1 FROM json_each(e.settings, '$.models') m
                         WHERE m.value ->> '$.provider' = 'replay')
         AND EXISTS (SELECT 1 FROM runs r JOIN steps s ON s.run_id = r.id,
                       json_each(s.content, '$.calls') c
                     WHERE r.evaluation_id = e.id AND c.value ->> '$.server' = @server)
       ORDER BY e.number DESC LIMIT @limit
     )
     SELECT e.id AS evaluationId, r.id AS runId, c.value ->> '$.tool' AS tool,
       c.value ->> '$.answeredBy' AS answeredBy, c.value ->> '$.result.isError' AS isError,
       c.value ->> '$.durationMs' AS durationMs
     FROM executed e JOIN runs r ON r.evaluation_id = e.id JOIN steps s ON s.run_id = r.id,
       json_each(s.content, '$.calls') c
     WHERE c.value ->> '$.server' = @server AND c.value ->> '$.answeredBy' IN (${textList(sentCalls)})
       AND c.value ->> '$.fault' IS NULL`,
  );
  return {
    /** By the name of the server, and how many evaluations they come from. */
    ofServer(server: string): { calls: SentCall[]; evaluations: number } {
      const evaluations = new Set<string>();
      const calls = sent.all({ server, limit: maxEvaluations }).map((row): SentCall => {
        evaluations.add(row.evaluationId);
        const { runId, tool, answeredBy, isError, durationMs } = row;
        const fate =
          answeredBy === 'no_answer' || answeredBy === 'server_ended'
            ? answeredBy
            : isError === 1
              ? 'error'
              : 'answered';
        return { runId, tool, fate, durationMs };
      });
      return { calls, evaluations: evaluations.size };
    },
  };
}
