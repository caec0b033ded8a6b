import type { NameMatch } from '../../../src-shared/domain/nameMatch.ts';
import { shownCases, shownId } from '../suites/shownCases.ts';
import type { StoreContext } from '../storeContext.ts';

interface FoundRow {
  id: string;
  parent: string | null;
  label: string;
  detail: string;
}

export function openFinder({ db }: StoreContext) {
  const cases = db.prepare<
    [string, string, number],
    FoundRow
  >(`SELECT ${shownId} AS id, u.id AS parent, c.name AS label, u.name AS detail
    FROM ${shownCases}
    WHERE c.name LIKE ? ESCAPE '\\' OR c.query LIKE ? ESCAPE '\\' ORDER BY c.name, c.id LIMIT ?`);
  const tools = db.prepare<
    [string, number],
    FoundRow
  >(`SELECT m.id || ' ' || t.name AS id, m.id AS parent, t.name AS label, m.name AS detail
    FROM mcp_servers m
    JOIN server_listings l ON l.id = (SELECT id FROM server_listings WHERE mcp_server_id = m.id ORDER BY created_at DESC, rowid DESC LIMIT 1)
    JOIN snapshot_tools st ON st.snapshot_id = l.snapshot_id
    JOIN tool_contents t ON t.hash = st.tool_hash
    WHERE t.name LIKE ? ESCAPE '\\' ORDER BY t.name, m.name LIMIT ?`);
  const own = db.prepare<
    [string, string, number],
    FoundRow
  >(`SELECT id, NULL AS parent, name AS label, display_name AS detail
    FROM tools WHERE deleted_at IS NULL AND (name LIKE ? ESCAPE '\\' OR display_name LIKE ? ESCAPE '\\') ORDER BY name LIMIT ?`);
  return {
    /**
     * Finds cases by name or query, tools by their name in the last listing, and workshop tools by
     * name; at most `limit` of each.
     */
    find(text: string, limit: number): NameMatch[] {
      const like = `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
      const of = (kind: NameMatch['kind'], rows: FoundRow[]): NameMatch[] =>
        rows.map((row) => ({ kind, ...row }));
      return [
        ...of('case', cases.all(like, like, limit)),
        ...of('tool', tools.all(like, limit)),
        ...of('workshop tool', own.all(like, like, limit)),
      ];
    },
  };
}
