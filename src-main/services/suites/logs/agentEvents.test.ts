import { expect, test } from 'vitest';
import { json, lines } from '../exchange/shapes.fixture.ts';
import { agentEvent, attributes, dune, duneCall, propose, shown, user } from './logs.fixture.ts';

const otlpLogs = (...logRecords: object[]): string =>
  json({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });

const prompt = agentEvent('claude_code.user_prompt', { prompt: 'Is Dune there?' });
const request = agentEvent('claude_code.api_request', { model: 'm' });
const called = agentEvent('claude_code.tool_result', {
  tool_name: 'mcp_tool',
  success: 'true',
  tool_parameters: json({ mcp_server_name: 'shelf', mcp_tool_name: 'find_book' }),
  tool_input: json({ title: 'Dune' }),
});
const gemini = (name: string, own: object): string =>
  json({ hrTime: [1, 2], attributes: { 'session.id': 's', 'event.name': name, ...own } });
const params = { model: 'm', max_tokens: 9, messages: [user] };
const find = { type: 'tool_use', id: 't', name: 'find_book', input: { title: 'Dune' } };
const body = { choices: [{ message: { role: 'assistant', tool_calls: [duneCall] } }] };

test.each<[log: string, text: string]>([
  ['events of Claude Code', otlpLogs(prompt, request, called)],
  [
    'events of an agent by their sequence',
    otlpLogs(
      { ...called, attributes: [...called.attributes, ...attributes({ 'event.sequence': 3 })] },
      { ...prompt, attributes: [...prompt.attributes, ...attributes({ 'event.sequence': 1 })] },
    ),
  ],
  [
    'events of Gemini CLI, one object after the other',
    [
      gemini('gemini_cli.user_prompt', { prompt: 'Is Dune there?' }),
      gemini('gemini_cli.tool_call', {
        function_name: 'find_book',
        function_args: '{"title":"Dune"}',
        success: true,
      }),
    ].join('\n'),
  ],
  [
    'requests and results of a batch of Anthropic, in any order',
    lines(
      { custom_id: 'a', params },
      { custom_id: 'b', result: { type: 'errored', error: { type: 'invalid_request_error' } } },
      {
        custom_id: 'a',
        result: { type: 'succeeded', message: { role: 'assistant', content: [find] } },
      },
    ),
  ],
  [
    'results of a batch of OpenAI before its requests',
    lines(
      { id: 'r', custom_id: 'a', response: { status_code: 200, body } },
      { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: params },
    ),
  ],
])('proposes cases from %s', async (_log, text) => {
  expect(shown(await propose(text))).toEqual([dune]);
});

test('keeps requests before the call of a later one, and says that a call failed', async () => {
  const failed = agentEvent('claude_code.tool_result', {
    tool_name: 'find_book',
    success: 'false',
  });
  const later = agentEvent('claude_code.user_prompt', { prompt: 'And Emma?' });
  const found = await propose(otlpLogs(prompt, request, later, failed));
  expect(shown(found).join()).toContain('And Emma? → shelf:find_book');
  expect(found.cases.map(({ basis }) => basis).join()).toContain('failed');
});

test('takes no prompt that an agent left out for a request', async () => {
  const hidden = agentEvent('claude_code.user_prompt', { prompt: '<REDACTED>' });
  await expect(propose(otlpLogs(hidden, called))).rejects.toThrow('no request with the answer');
});

test('asks for the results of a batch where it has the requests alone', async () => {
  await expect(propose(lines({ custom_id: 'a', params }))).rejects.toThrow(
    'Put both into one file',
  );
});
