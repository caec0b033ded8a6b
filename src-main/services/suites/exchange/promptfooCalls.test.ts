import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { callsAssertion } from './promptfooCalls.ts';

/** Runs the assertion the way promptfoo does: as the body of a function. */
function judge(output: unknown, metadata: object): { pass: boolean; reason: string } {
  const body = callsAssertion().value;
  return runInNewContext(`((output, context) => {${body}})(output, context)`, {
    output,
    context: { test: { metadata } },
  }) as { pass: boolean; reason: string };
}
const add = { tool: 'add', args: { title: 'Milk', tags: ['a'] } };
const chat = (name: string, args: object) => ({
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

test.each([
  ['Chat Completions', [chat('add', { tags: ['a'], title: 'Milk', more: 1 })]],
  ['Chat Completions with text', { content: 'Yes.', tool_calls: [chat('add', add.args)] }],
  ['Responses', JSON.stringify({ type: 'function_call', name: 'add', arguments: add.args })],
  ['Anthropic', `Sure.\n\n${JSON.stringify({ type: 'tool_use', name: 'add', input: add.args })}`],
  ['Google', [{ functionCall: { name: 'add', args: add.args } }]],
])('the exported assertion reads calls as %s returns them', (_, output) => {
  expect(judge(output, { expected_calls: [add] }).pass).toBe(true);
  expect(judge(output, { expected_calls: [{ ...add, tool: 'drop' }] }).pass).toBe(false);
  expect(judge(output, { expected_calls: [] }).pass).toBe(false);
  expect(judge(output, { expected_calls: [add, add] }).pass).toBe(false);
});

test('the exported assertion expects no call from text alone, and says what differs', () => {
  expect(judge('Nothing to do.', { expected_calls: [] }).pass).toBe(true);
  expect(judge('Nothing to do.', { expected_calls: [add] })).toMatchObject({
    pass: false,
    reason: expect.stringContaining('but got []'),
  });
});

test('the exported assertion accepts any value or none for an ignored argument', () => {
  const expected_calls = [{ tool: 'add', args: { title: 'Milk', note: null }, ignore: ['note'] }];
  expect(judge([chat('add', { title: 'Milk' })], { expected_calls }).pass).toBe(true);
  expect(judge([chat('add', { title: 'Milk', note: 'x' })], { expected_calls }).pass).toBe(true);
  expect(judge([chat('add', { note: 'x' })], { expected_calls }).pass).toBe(false);
});

test('the exported assertion rejects additional arguments with the mode exact', () => {
  const metadata = { expected_calls: [add], arguments_mode: 'exact' };
  expect(judge([chat('add', add.args)], metadata).pass).toBe(true);
  expect(judge([chat('add', { ...add.args, more: 1 })], metadata).pass).toBe(false);
  expect(
    judge([chat('add', { more: 1 })], { ...metadata, expected_calls: [{ tool: 'add' }] }).pass,
  ).toBe(true);
  const args = { ...add.args, note: null };
  const ignoring = { ...metadata, expected_calls: [{ tool: 'add', args, ignore: ['note'] }] };
  expect(judge([chat('add', { ...add.args, note: 'x' })], ignoring).pass).toBe(true);
});

test('the exported assertion assigns calls in any order unless the order counts', () => {
  const metadata = { expected_calls: [{ tool: 'add' }, add, { tool: 'drop' }] };
  const output = [chat('drop', {}), chat('add', add.args), chat('add', { title: 'Tea' })];
  expect(judge(output, metadata).pass).toBe(true);
  expect(judge(output, { ...metadata, order_dependent: true }).pass).toBe(false);
});
