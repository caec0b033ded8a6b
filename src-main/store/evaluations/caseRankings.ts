import { z } from 'zod';
import type { StoreContext } from '../storeContext.ts';

const ids = z.array(z.string());

/** Rankings by an external retriever, frozen with the evaluation that asked for them. */
export function openCaseRankings({ db }: StoreContext) {
  const one = db.prepare<[string, string, string], { tool_ids: string }>(
    'SELECT tool_ids FROM case_rankings WHERE evaluation_id = ? AND servers = ? AND query = ?',
  );
  const insert = db.prepare<[string, string, string, string]>(
    'INSERT INTO case_rankings (evaluation_id, servers, query, tool_ids) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    /**
     * The ids of the tools of these servers that were shown for a query, best first. Null before it
     * was ranked.
     */
    get(evaluationId: string, servers: readonly string[], query: string): string[] | null {
      const row = one.get(evaluationId, JSON.stringify(servers), query);
      return row ? ids.parse(JSON.parse(row.tool_ids)) : null;
    },
    put(
      evaluationId: string,
      servers: readonly string[],
      query: string,
      toolIds: readonly string[],
    ): void {
      insert.run(evaluationId, JSON.stringify(servers), query, JSON.stringify(toolIds));
    },
  };
}
