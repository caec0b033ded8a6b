import { expect, test } from 'vitest';
import type { SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { read } from './readBack.fixture.ts';
import { createCatalog } from './toolCatalog.ts';

/** Two registered servers, and a tool that both have. */
const owners: Record<string, readonly string[]> = {
  find_book: ['shelf'],
  reserve_book: ['shelf'],
  open_ticket: ['desk'],
  search: ['shelf', 'desk'],
};
const options = { catalog: createCatalog((tool) => owners[tool] ?? []) };

const promptfoo = (...asserts: object[]): string =>
  JSON.stringify({
    prompts: ['{{query}}'],
    providers: ['openai:gpt-5'],
    tests: asserts.map((assert, at) => ({ vars: { query: `Request ${at}` }, assert: [assert] })),
  });
const used = (name: string) => ({ type: 'trajectory:tool-used', value: name });
const mcpjam = (...tools: string[]): string =>
  JSON.stringify(
    tools.map((toolName, at) => ({
      title: `Case ${at}`,
      query: `Request ${at}`,
      expectedToolCalls: [{ toolName, arguments: { id: at } }],
    })),
  );
const calls = (cases: readonly SuiteFileCase[] | undefined): string[] =>
  (cases ?? []).flatMap(({ expected_calls: expected }) =>
    expected.map((call) => ('any_of' in call ? '' : `${call.server}:${call.tool}`)),
  );

test.each([
  ['promptfoo', promptfoo(used('find_book'), used('open_ticket'))],
  ['mcpjam', mcpjam('find_book', 'open_ticket')],
] as const)('finds the servers of tools that %s names without one', (format, text) => {
  const { suite, report } = read(format, text, options);
  expect(calls(suite?.cases)).toEqual(['shelf:find_book', 'desk:open_ticket']);
  expect(suite?.servers).toEqual(['desk', 'shelf']);
  expect(report.assumedServer).toBeNull();
});

test.each([
  ['promptfoo', promptfoo(used('mcp__shelf__find_book'), used('desk.search'))],
  ['mcpjam', mcpjam('mcp__shelf__find_book', 'desk.search')],
] as const)('reads names of tools as clients write them, in %s', (format, text) => {
  expect(calls(read(format, text, options).suite?.cases)).toEqual([
    'shelf:find_book',
    'desk:search',
  ]);
});

test.each([
  ['promptfoo', promptfoo(used('search'))],
  ['mcpjam', mcpjam('search')],
] as const)('assumes a server for a tool that several have, and says so, in %s', (format, text) => {
  const { suite, report } = read(format, text, options);
  expect(calls(suite?.cases)).toEqual([`${format}:search`]);
  expect(report.assumedServer).toBe(format);
});

test('keeps the only server of a promptfoo configuration for tools that no server lists', () => {
  const text = JSON.stringify({
    prompts: ['{{query}}'],
    providers: [{ id: 'openai:gpt-5', config: { mcp: { server: { name: 'own' } } } }],
    tests: [{ vars: { query: 'Request' }, assert: [used('other')] }],
  });
  expect(calls(read('promptfoo', text, options).suite?.cases)).toEqual(['own:other']);
});

test('gives a task of MCPJam the servers of the tools that its checks name', () => {
  const text = JSON.stringify({
    schemaVersion: '1',
    suite: { name: 'Turns' },
    cases: [
      {
        id: 'two',
        title: 'Two turns',
        steps: ['A', 'B'].map((prompt, at) => ({ id: `${at}`, kind: 'prompt', prompt })),
        checks: ['find_book', 'open_ticket'].map((toolName) => ({
          type: 'toolCalledAtLeastOnce',
          toolName,
        })),
      },
    ],
  });
  expect(read('mcpjam', text, options).suite?.servers).toEqual(['shelf', 'desk']);
});

test.each([
  ['mcp.shelf.find_book', 'shelf:find_book'],
  ['mcp:shelf:search', 'shelf:search'],
  ['mcp-shelf-search', 'shelf:search'],
  ['mcp_notes:add', 'mcp_notes:add'],
  ['mcp.mcp_notes.add', 'mcp_notes:add'],
  ['search', null],
  ['mcp.search', null],
])('resolves %s', (name, tool) => {
  const known: typeof owners = { ...owners, add: ['mcp_notes', 'desk'] };
  const resolved = createCatalog((each) => known[each] ?? []).resolve(name);
  expect(resolved && `${resolved.server}:${resolved.tool}`).toBe(tool);
});

test('asks for the column of the expected tool where only the tools of a run are named', () => {
  const text = JSON.stringify([
    { input: 'Is Dune there?', mcp_tools_called: [{ name: 'find_book', args: {} }] },
  ]);
  expect(read('jsonl', text, { ...options, fileName: 'a.json' }).problems).toMatchObject([
    { message: expect.stringContaining('Which column has the expected tool?') as unknown },
  ]);
});
