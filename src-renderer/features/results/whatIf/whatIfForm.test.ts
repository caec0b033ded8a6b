import { describe, expect, it } from 'vitest';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { changesOf, emptyForm, joinAdded, offeredIds } from './whatIfForm.ts';

const tool = (server: string, name: string): SnapshotTool => ({
  server,
  name,
  title: null,
  description: 'unchanged',
  inputSchema: {},
  outputSchema: null,
  annotations: null,
  snapshotToolId: 1,
  hash: name,
});
const tools = [tool('s', 'a'), tool('s', 'b'), tool('t', 'c')];

describe('what-if form', () => {
  it('leaves out edits without effect and edits of removed tools', () => {
    expect(
      changesOf(
        {
          ...emptyForm,
          tools: {
            's:a': { description: 'unchanged', name: ' a ' },
            's:b': { removed: true, description: 'other' },
          },
        },
        tools,
      ),
    ).toEqual([{ kind: 'remove_tool', toolId: 's:b' }]);
    expect(
      changesOf({ ...emptyForm, removedServers: ['s'], tools: { 's:a': { name: 'x' } } }, tools),
    ).toEqual([{ kind: 'remove_server', server: 's' }]);
    expect(changesOf(emptyForm, tools)).toEqual([]);
  });

  it('overrides the description before it renames the tool', () => {
    expect(
      changesOf({ ...emptyForm, tools: { 't:c': { description: '', name: 'd' } } }, tools),
    ).toEqual([
      { kind: 'override', toolId: 't:c', description: '' },
      { kind: 'rename', toolId: 't:c', name: 'd' },
    ]);
  });

  it('offers each added tool once and no removed tool', () => {
    const added = (name: string, description: string) => ({
      tool: { ...tool('s', name), description },
      raw: description,
    });
    const joined = joinAdded([added('a', 'old'), added('n', 'old')], [added('n', 'new')]);
    expect(joined.map(({ raw }) => raw)).toEqual(['old', 'new']);
    expect(changesOf({ ...emptyForm, added: joined }, tools)).toMatchObject([
      { kind: 'add_tools', tools: [{ raw: 'old' }, { raw: 'new' }] },
    ]);
    expect([
      ...offeredIds(
        { ...emptyForm, removedServers: ['t'], tools: { 's:a': { removed: true } } },
        tools,
      ),
    ]).toEqual(['s:b']);
  });
});
