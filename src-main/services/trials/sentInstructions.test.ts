import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ClientId } from '../../../src-shared/domain/clientFacts.ts';
import { tokenCuts } from '../../optimize/proposers/tokenCuts.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { sentInstructions } from './trial.ts';

let at: TestDatabase;
beforeEach(() => {
  at = createTestDatabase();
});
afterEach(() => at.close());

const instructions = 'Boards belong to a workspace. Dates are UTC.';
const description = 'Creates a board. Boards belong to a workspace. Dates are UTC.';
const tool = {
  ...{ server: 'boards', name: 'create_board', title: null, description },
  ...{ inputSchema: { type: 'object' }, outputSchema: null, annotations: null },
};

/** What is left of the description where an evaluation has such settings. */
function leftWith(settings: { serverInstructions: boolean; client?: ClientId }): string {
  const { id: snapshotId } = at.store.toolSnapshots.freeze({
    servers: [
      {
        ...{ server: 'boards', serverId: 'b', status: 'listed', error: null, instructions },
        ...{ protocolVersion: '2025-11-25', serverInfo: null, rejected: [] },
      },
    ],
    tools: [{ serverId: 'b', tool: { tool, raw: JSON.stringify(tool) } }],
  });
  const sent = sentInstructions(at.store, { snapshotId, settings });
  return tokenCuts(tool, [tool], sent('boards'))[0]?.edits[0]?.newText ?? description;
}

it('cuts what the instructions of a server say only where the evaluation sends them', () => {
  expect(leftWith({ serverInstructions: true })).toBe('Creates a board.');
  expect(leftWith({ serverInstructions: false })).toBe(description);
});

it('cuts nothing where the client of the evaluation sends no instructions', () => {
  expect(leftWith({ serverInstructions: true, client: 'claude-code' })).toBe('Creates a board.');
  expect(leftWith({ serverInstructions: true, client: 'cline' })).toBe(description);
});

it('knows none of an evaluation without stored tools', () => {
  const settings = { serverInstructions: true };
  expect(sentInstructions(at.store, { snapshotId: null, settings })('boards')).toBe('');
});
