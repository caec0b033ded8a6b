import type { MetricsChoices } from '../../../src-shared/domain/trend.ts';
import type { StoreContext } from '../storeContext.ts';

/** Enough for a list to choose from. Other values still work in an address or a command. */
const maxChoices = 2000;

/** The tags, servers and tools that occur in stored evaluations, to filter their runs by. */
export function openFilterChoices({ db }: StoreContext) {
  const tags = db
    .prepare<[number], string>(
      `SELECT DISTINCT t.value FROM entries c
       JOIN evaluations e ON e.id = c.evaluation_id AND e.unit = 'case' AND e.deleted_at IS NULL
       JOIN entry_contents k ON k.hash = c.content_hash, json_each(k.content, '$.tags') t
       ORDER BY 1 LIMIT ?`,
    )
    .pluck();
  const tools = db.prepare<[number], { server: string; name: string }>(
    `SELECT DISTINCT s.server_name AS server, c.name FROM snapshot_tools s
     JOIN evaluations e ON e.snapshot_id = s.snapshot_id AND e.unit = 'case' AND e.deleted_at IS NULL
     JOIN tool_contents c ON c.hash = s.tool_hash ORDER BY 1, 2 LIMIT ?`,
  );
  return {
    list(): MetricsChoices {
      const offered = tools.all(maxChoices);
      return {
        tags: tags.all(maxChoices),
        servers: [...new Set(offered.map(({ server }) => server))],
        tools: offered.map(({ server, name }) => `${server}:${name}`),
      };
    },
  };
}
