import type { ExpectedCall } from '../../../src-shared/domain/testCase.ts';
import { expectedCall, stubResult, toolReference } from '../../../src-shared/domain/testCase.ts';
import { z } from 'zod';
import { json, readRow, defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { renameServersOfTask } from '../../../src-shared/domain/taskRenames.ts';
import { shownCases, shownId } from '../suites/shownCases.ts';
import { openTasks } from '../suites/tasks.ts';
import { firstExpected } from '../suites/testCases.ts';

/** A case that needs a server, shown before the server is deleted. */
export interface CaseNaming {
  id: string;
  name: string;
  suiteName: string;
}

const names = z.array(z.string());
const naming = z.object({
  servers: names,
  expectedCalls: z.array(expectedCall),
  allowedCalls: z.array(toolReference),
  stubResults: z.array(stubResult),
});

const namingColumns = {
  servers: 'json',
  expectedCalls: 'json',
  allowedCalls: 'json',
  stubResults: 'json',
} as const;
const namingTable = defineTable('test_cases', { id: 'text', name: 'text', ...namingColumns });
type NamingRow = Row<typeof namingTable>;
const renamedTable = defineTable('test_cases', {
  id: 'text',
  ...namingColumns,
  expectedMcpServerName: 'text?',
  expectedToolName: 'text?',
  expectedParameters: 'json?',
  updatedAt: 'text',
});

/** The servers whose tools a case shows, as a JSON array: its own, or those of the suite. */
const serversOfCase = "CASE WHEN c.servers = '[]' THEN u.servers ELSE c.servers END";

/** Cases and suites refer to servers by name. This keeps the names consistent. */
export function openServerReferences(context: StoreContext) {
  const { db } = context;
  const tasks = openTasks(context);
  const casesNaming = db.prepare<
    { needle: string; without: string },
    NamingRow
  >(`SELECT ${namingTable.columns} FROM test_cases
    WHERE suite_id IN (SELECT id FROM suites WHERE id NOT IN (SELECT value FROM json_each(:without)))
      AND (instr(servers, :needle) OR instr(expected_calls, :needle) OR instr(allowed_calls, :needle) OR instr(stub_results, :needle))`);
  const suitesNaming = db.prepare<[string], { id: string; name: string; servers: string }>(
    'SELECT id, name, servers FROM suites WHERE instr(servers, ?)',
  );
  const renameCase = db.prepare<[Row<typeof renamedTable>]>(
    `UPDATE test_cases SET ${renamedTable.assignmentsExcept('id')} WHERE id = :id`,
  );
  const renameSuite = db.prepare<[string, string, string]>(
    'UPDATE suites SET servers = ?, updated_at = ? WHERE id = ?',
  );

  const referring = db.prepare<
    { name: string },
    CaseNaming
  >(`SELECT ${shownId} AS id, c.name, u.name AS suiteName FROM ${shownCases}
    WHERE EXISTS (SELECT 1 FROM json_each(${serversOfCase}) WHERE value = :name)
      OR EXISTS (SELECT 1 FROM json_each(c.expected_calls) e WHERE e.value ->> '$.server' = :name
        OR EXISTS (SELECT 1 FROM json_each(e.value, '$.anyOf') a WHERE a.value ->> '$.server' = :name))
    ORDER BY u.name, c.position`);

  return {
    /** `without`: rows of suites whose cases need no look, because they have the new name. */
    rename(from: string, to: string, at: string, without: readonly string[]): void {
      const renamed = (name: string) => (name === from ? to : name);
      // Every case that can hold the name has its JSON text. Other cases that have the text stay as
      // they are.
      const needle = JSON.stringify(from);
      for (const row of casesNaming.all({ needle, without: JSON.stringify(without) }))
        renameCase.run(renamedRow(row, { from, to, at }));
      // A check may name a tool as `server:tool`, so the name need not be a text of its own.
      tasks.candidate(needle.slice(1, -1), at, (content) => renameServersOfTask(content, renamed));
      for (const row of suitesNaming.all(needle)) {
        const servers = readRow(names, `The suite ${row.name} (${row.id})`, () =>
          json(row.servers),
        );
        renameSuite.run(JSON.stringify(servers.map(renamed)), at, row.id);
      }
    },
    casesNaming: (name: string): CaseNaming[] => referring.all({ name }),
  };
}

export interface ServerRename {
  from: string;
  to: string;
  at: string;
}

/** Whether a case may name a server: where it can, its JSON text is in one of these columns. */
export const mayName = (row: Omit<NamingRow, 'id' | 'name'>, server: string): boolean => {
  const needle = JSON.stringify(server);
  return [row.servers, row.expectedCalls, row.allowedCalls, row.stubResults].some((text) =>
    text.includes(needle),
  );
};

export const renamedRow = (row: NamingRow, { from, to, at }: ServerRename) =>
  renamedTable.toRow({
    ...renameInCase(row, (name) => (name === from ? to : name)),
    id: row.id,
    updatedAt: at,
  });

function renameInCase(row: NamingRow, renamed: (name: string) => string) {
  const old = readRow(naming, `The case ${row.name} (${row.id})`, () => namingTable.fromRow(row));
  const reference = <R extends { server: string }>(value: R): R => ({
    ...value,
    server: renamed(value.server),
  });
  const expectedCalls: ExpectedCall[] = old.expectedCalls.map((call) =>
    'anyOf' in call ? { ...call, anyOf: call.anyOf.map(reference) } : reference(call),
  );
  return {
    servers: old.servers.map(renamed),
    expectedCalls,
    allowedCalls: old.allowedCalls.map(reference),
    stubResults: old.stubResults.map(reference),
    ...firstExpected(expectedCalls),
  };
}
