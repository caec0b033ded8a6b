import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { RemoteProvider } from '../../../src-shared/domain/provider.ts';
import { ask, openTestModel, tool } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer, type FakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { outputLimit } from './anthropic/anthropicProvider.ts';
import { replyTrouble } from './replyTrouble.ts';

let server: FakeModelServer;
beforeAll(async () => void (server = await startFakeModelServer()));
afterAll(() => server[Symbol.asyncDispose]());

const tools = [tool('add_task'), tool('delete_task')];
const soon = () => AbortSignal.timeout(20_000);
const json = '{"name":"todo__add_task","arguments":{}}';

/** What a model with these tools observes in a body, and why that can't be judged. */
async function observe(provider: RemoteProvider, body: object) {
  const model = await openTestModel(server, provider);
  server.script({
    does: 'http',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { observation } = await model.choose(ask('hello', tools), soon());
  return { observation, trouble: replyTrouble(observation, { tools, sent: model.sent }) };
}

const chat = (...choices: JsonObject[]): JsonObject => ({
  choices: choices.map((choice, index) => ({ index, ...choice })),
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});
const toolCall = (args: string, name = 'todo__add_task') => ({
  id: 'c',
  type: 'function',
  function: { name, arguments: args },
});
const called = (args: string): JsonObject => ({
  message: { role: 'assistant', content: null, tool_calls: [toolCall(args)] },
  finish_reason: 'tool_calls',
});
const said = (content: string | null, extra: JsonObject = {}, finish = 'stop'): JsonObject => ({
  message: { role: 'assistant', content, ...extra },
  finish_reason: finish,
});
const legacy = (args: string) => ({ function_call: { name: 'todo__add_task', arguments: args } });

describe('the calls of a Chat Completions reply', () => {
  const compatible = (...choices: JsonObject[]) => observe('openai-compatible', chat(...choices));

  it.each<[string, JsonObject[], unknown[]]>([
    ['an older function_call', [said('Checking.', legacy('{"n":1}'))], [{ n: 1 }]],
    ['one with its own ending', [said(null, legacy('{"n":1}'), 'function_call')], [{ n: 1 }]],
    [
      'the same call in both forms',
      [{ ...said(null, { tool_calls: [toolCall('{"n":1}')], ...legacy('{ "n": 1 }') }) }],
      [{ n: 1 }],
    ],
    [
      'another call in each form',
      [said(null, { tool_calls: [toolCall('{"n":1}')], ...legacy('{"n":2}') })],
      [{ n: 1 }, { n: 2 }],
    ],
    ['a call in the second choice', [said('Let me look.'), called('{"n":1}')], [{ n: 1 }]],
    ['a call in the first choice', [called('{"n":1}'), said('I looked.')], [{ n: 1 }]],
    ['one call in both choices', [called('{"n":1}'), called('{"n": 1}')], [{ n: 1 }]],
    ['other calls in each choice', [called('{"n":1}'), called('{"n":2}')], [{ n: 1 }, { n: 2 }]],
    [
      'one call twice in one choice',
      [said(null, { tool_calls: [toolCall('{}'), toolCall('{}')] })],
      [{}, {}],
    ],
    [
      'a custom call',
      [
        said(null, {
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'todo__add_task', input: 'x' } }],
        }),
      ],
      [null],
    ],
  ])('are read from %s', async (_name, choices, args) => {
    const { observation, trouble } = await compatible(...choices);
    expect(observation.calls.map((call) => [call.tool, call.arguments])).toEqual(
      args.map((each) => ['add_task', each]),
    );
    expect(observation.stopReason).toBe('called');
    expect(trouble).toBeNull();
  });

  it('keep the texts of all choices, each once', async () => {
    const { observation } = await compatible(said('One.'), said('Two.'), said('One.'));
    expect(observation).toMatchObject({ text: 'One.\nTwo.', calls: [], stopReason: 'answered' });
  });

  it('are sent back in one message with their results', async () => {
    const model = await openTestModel(server, 'openai-compatible');
    const conversation = model.converse?.({ system: null, messages: [], tools, repetition: 1 });
    server.script(
      {
        does: 'http',
        status: 200,
        body: JSON.stringify(chat(said('Look.'), said(null, legacy('{}')))),
      },
      { does: 'answer', text: 'Done.' },
    );
    const first = await conversation?.next({ by: 'user', text: 'hello' }, soon());
    const id = first?.observation.calls[0]?.id ?? '';
    await conversation?.next(
      { by: 'tools', results: [{ id, text: 'ok', isError: false }] },
      soon(),
    );
    expect(server.requests.at(-1)?.body['messages']).toEqual([
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: 'Look.',
        tool_calls: [
          { id, type: 'function', function: { name: 'todo__add_task', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: id, content: 'ok' },
    ]);
  });
});

describe('the calls of other formats', () => {
  const response = (...output: object[]): object => ({ status: 'completed', output });
  it('are read from a custom call and a call of a hosted server', async () => {
    for (const item of [
      { type: 'custom_tool_call', call_id: 'c', name: 'todo__add_task', input: '{"n":1}' },
      {
        type: 'mcp_call',
        id: 'm',
        name: 'todo__add_task',
        server_label: 's',
        arguments: '{"n":1}',
      },
    ]) {
      const { observation } = await observe('openai', response(item));
      expect(observation.calls).toMatchObject([{ tool: 'add_task', arguments: { n: 1 } }]);
    }
    const { observation } = await observe('anthropic', {
      type: 'message',
      stop_reason: 'end_turn',
      content: [
        {
          type: 'mcp_tool_use',
          id: 'm',
          server_name: 's',
          name: 'todo__add_task',
          input: { n: 1 },
        },
      ],
    });
    expect(observation).toMatchObject({
      stopReason: 'called',
      calls: [{ tool: 'add_task', arguments: { n: 1 } }],
    });
  });
});

/** A reply in each format with a text, thoughts, a call with arguments, and an ending. */
const bodies: Record<
  RemoteProvider,
  (reply: {
    text?: string;
    thoughts?: string;
    args?: string;
    ends: 'well' | 'by length';
    output?: number;
  }) => object
> = {
  'openai-compatible': ({ text, thoughts, args, ends, output = 1 }) => ({
    choices: [
      {
        message: {
          content: text ?? null,
          ...(thoughts !== undefined && { reasoning_content: thoughts }),
          ...(args !== undefined && { tool_calls: [toolCall(args)] }),
        },
        finish_reason: ends === 'well' ? 'stop' : 'length',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: output },
  }),
  openai: ({ text, thoughts, args, ends, output = 1 }) => ({
    status: ends === 'well' ? 'completed' : 'incomplete',
    ...(ends === 'by length' && { incomplete_details: { reason: 'max_output_tokens' } }),
    output: [
      ...(thoughts === undefined ? [] : [{ type: 'reasoning', summary: [{ text: thoughts }] }]),
      ...(text === undefined
        ? []
        : [{ type: 'message', content: [{ type: 'output_text', text }] }]),
      ...(args === undefined
        ? []
        : [{ type: 'function_call', call_id: 'c', name: 'todo__add_task', arguments: args }]),
    ],
    usage: { input_tokens: 1, output_tokens: output },
  }),
  anthropic: ({ text, thoughts, args, ends, output = 1 }) => ({
    type: 'message',
    stop_reason: ends === 'well' ? 'end_turn' : 'max_tokens',
    content: [
      ...(thoughts === undefined ? [] : [{ type: 'thinking', thinking: thoughts }]),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...(args === undefined
        ? []
        : [
            {
              type: 'tool_use',
              id: 'c',
              name: 'todo__add_task',
              input: JSON.parse(args) as JsonObject,
            },
          ]),
    ],
    usage: { input_tokens: 1, output_tokens: output },
  }),
};

describe.each(['openai-compatible', 'openai', 'anthropic'] as const)(
  'a reply of %s',
  (provider) => {
    const write = bodies[provider];

    it('can’t be judged if it makes a call as text', async () => {
      const { observation, trouble } = await observe(
        provider,
        write({ text: `I look.\n<tool_call>${json}</tool_call>`, ends: 'well' }),
      );
      expect(observation.calls).toEqual([]);
      expect(trouble).toBe(
        'The endpoint returned a call of todo:add_task as text (<tool_call>). Start it with its tool-call parser.',
      );
    });

    it('can’t be judged if one of its calls is text', async () => {
      const other = '<tool_call>{"name":"todo__delete_task"}</tool_call>';
      const { trouble } = await observe(provider, write({ text: other, args: '{}', ends: 'well' }));
      expect(trouble).toMatch(/a call of todo:delete_task as text/);
      const again = await observe(
        provider,
        write({ text: `<tool_call>${json}</tool_call>`, args: '{}', ends: 'well' }),
      );
      expect(again.trouble).toBeNull();
    });

    it('stays an answer if only its thoughts hold a call', async () => {
      const thoughts = `<tool_call>${json}</tool_call>`;
      const answered = await observe(
        provider,
        write({ text: 'I am a bot.', thoughts, ends: 'well' }),
      );
      expect(answered.trouble).toBeNull();
      await expect(observe(provider, write({ thoughts, ends: 'well' }))).rejects.toThrow(
        /a call of todo:add_task as text/,
      );
    });

    it.each([
      ['a whole call', { args: '{"n":1}' }],
      ['a text and a call', { text: 'I add it.', args: '{"n":1}' }],
      ['a text', { text: 'I ad' }],
    ])('can’t be judged if it is cut off after %s', async (_name, reply) => {
      const { trouble } = await observe(
        provider,
        write({ ...reply, ends: 'by length', output: 7 }),
      );
      expect(trouble).toMatch(
        /^The reply was cut off at a limit of the endpoint .* Raise that limit/,
      );
    });

    it('names the limit that Touchstone sets', async () => {
      const { trouble } = await observe(
        provider,
        write({ args: '{"n":1}', ends: 'by length', output: 32_000 }),
      );
      expect(trouble).toMatch(
        provider === 'anthropic'
          ? /^The reply was cut off at the 32,000 tokens \(max_tokens\) that Touchstone allows/
          : /^The reply was cut off at a limit of the endpoint/,
      );
    });
  },
);

describe('an ending', () => {
  it.each(['length', 'max_tokens', 'MAX_TOKENS', 'model_length', 'context_length_exceeded'])(
    'of a Chat Completions reply is a cut if it is %s, in any choice',
    async (finish) => {
      const half = said(null, { tool_calls: [toolCall('{"n":')] }, finish);
      const { observation, trouble } = await observe('openai-compatible', chat(said('A.'), half));
      expect(observation.stopReason).toBe('cut_off');
      expect(trouble).toMatch(/cut off/);
    },
  );

  it('within a call can’t be judged, whatever it is called', async () => {
    const half = said(null, { tool_calls: [toolCall('{"n":')] }, 'malformed_function_call');
    expect((await observe('openai-compatible', chat(half))).trouble).toMatch(/ended within a call/);
    // The model itself wrote these arguments.
    const { trouble } = await observe('openai-compatible', chat(called('{"n":')));
    expect(trouble).toBeNull();
  });

  it('of a response that says no reason is a cut', async () => {
    const { observation } = await observe('openai', {
      status: 'incomplete',
      output: [{ type: 'function_call', call_id: 'c', name: 'todo__add_task', arguments: '{"n":' }],
    });
    expect(observation.stopReason).toBe('cut_off');
  });
});

describe('the limit of a Messages request', () => {
  const limitOf = (model: string, contextTokens: number | null = null) =>
    outputLimit({ model, contextTokens });

  it('is what every model accepts, and at most half of a given context', () => {
    expect(limitOf('claude-sonnet-5')).toBe(32_000);
    expect(limitOf('claude-opus-4-1-20250805')).toBe(32_000);
    expect(limitOf('claude-3-7-sonnet-20250219')).toBe(32_000);
    expect(limitOf('claude-3-5-haiku-20241022')).toBe(8_192);
    expect(limitOf('claude-3-haiku-20240307')).toBe(4_096);
    expect(limitOf('qwen3-8b', 16_384)).toBe(8_192);
    expect(limitOf('qwen3-8b', 200_000)).toBe(32_000);
  });

  it('is sent, and is part of the settings of the run', async () => {
    const model = await openTestModel(server, 'anthropic', {
      configuration: { contextTokens: 10_000 },
    });
    server.script({ does: 'answer', text: 'Hi.' });
    await model.choose(ask('hello', []), soon());
    expect(server.requests.at(-1)?.body['max_tokens']).toBe(5_000);
    expect(model.sent['max_tokens']).toBe(5_000);
  });
});
