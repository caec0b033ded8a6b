import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { WireApi } from '../../../../src-shared/domain/wireFormat.ts';
import { readStream } from './readStream.ts';

const sse = (events: readonly (object | string)[], end = '\n\n'): string =>
  events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}${end}`)
    .join('');
const read = (api: WireApi, text: string) =>
  JSON.parse(readStream(api, text, 'endpoint')) as JsonObject;
const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const call = (fields: object, name?: string, args?: string) => ({
  tool_calls: [{ ...fields, function: { ...(name !== undefined && { name }), arguments: args } }],
});
const callsOf = (text: string) => {
  const [choice] = read('openai-chat', text)['choices'] as {
    message: { tool_calls?: { id?: string; function: { name: string; arguments: string } }[] };
  }[];
  return (choice?.message.tool_calls ?? []).map(({ function: { name, arguments: args } }) => [
    name,
    args,
  ]);
};

describe('a stream of Chat Completions', () => {
  it('is read as the same reply without a stream', () => {
    const text = sse([
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'Let ' }),
      chunk({ reasoning_content: 'me see.' }),
      chunk({ content: 'I ' }),
      chunk({ content: 'look.' }),
      chunk(call({ index: 0, id: 'a', type: 'function' }, 'get', '')),
      chunk(call({ index: 0 }, undefined, '{"n"')),
      chunk(call({ index: 0 }, undefined, ':1}')),
      chunk({}, 'tool_calls'),
      { id: 'x', choices: [], usage: { prompt_tokens: 5, completion_tokens: 3 } },
      '[DONE]',
    ]);
    expect(read('openai-chat', text)).toEqual({
      id: 'x',
      object: 'chat.completion.chunk',
      model: 'm',
      usage: { prompt_tokens: 5, completion_tokens: 3 },
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'I look.',
            reasoning_content: 'Let me see.',
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'get', arguments: '{"n":1}' } },
            ],
          },
        },
      ],
    });
  });

  const two = [
    ['get', '{"n":1}'],
    ['get', '{"n":2}'],
  ];
  it.each<[string, object[], string[][]]>([
    [
      'with indexes, interleaved',
      [
        chunk(call({ index: 0, id: 'a' }, 'get', '{"n"')),
        chunk(call({ index: 1, id: 'b' }, 'get', '{"n"')),
        chunk(call({ index: 0 }, undefined, ':1}')),
        chunk(call({ index: 1 }, undefined, ':2}')),
      ],
      two,
    ],
    [
      'all with index 0',
      [
        chunk(call({ index: 0, id: 'a' }, 'get', '{"n":1}')),
        chunk(call({ index: 0, id: 'b' }, 'get', '{"n":2}')),
      ],
      two,
    ],
    [
      'without indexes',
      [
        chunk(call({ id: 'a' }, 'get', '{"n":1}')),
        chunk(call({ id: 'b' }, 'get', '{"n"')),
        chunk(call({}, undefined, ':2}')),
      ],
      two,
    ],
    [
      'without indexes and ids',
      [chunk(call({}, 'get', '{"n":1}')), chunk(call({}, 'get', '{"n":2}'))],
      two,
    ],
    [
      'of one event',
      [
        chunk({
          tool_calls: [
            { function: { name: 'get', arguments: '{"n":1}' } },
            { function: { name: 'get', arguments: '{"n":2}' } },
          ],
        }),
      ],
      two,
    ],
    [
      'with the id repeated',
      [
        chunk(call({ index: 0, id: 'a' }, 'get', '{"n"')),
        chunk(call({ index: 0, id: 'a' }, 'get', ':1}')),
      ],
      [['get', '{"n":1}']],
    ],
    [
      'with an empty id later',
      [
        chunk(call({ index: 0, id: 'a' }, 'get', '{"n"')),
        chunk(call({ index: 0, id: '' }, '', ':1}')),
      ],
      [['get', '{"n":1}']],
    ],
  ])('keeps calls apart %s', (_name, events, calls) => {
    expect(callsOf(sse([...events, chunk({}, 'tool_calls'), '[DONE]']))).toEqual(calls);
  });

  it.each<[string, string]>([
    ['line ends of Windows', sse([chunk({ content: 'Hi.' }, 'stop'), '[DONE]'], '\r\n\r\n')],
    [
      'single line ends',
      sse([chunk({ content: 'H' }), chunk({ content: 'i.' }, 'stop'), '[DONE]'], '\n'),
    ],
    ['no space after the colon', `data:${JSON.stringify(chunk({ content: 'Hi.' }, 'stop'))}\n\n`],
    [
      'keep-alives',
      `: OPENROUTER PROCESSING\n\n${sse([chunk({ content: 'Hi.' }, 'stop')])}: ping\n\n`,
    ],
    ['a byte order mark', `\uFEFF${sse([chunk({ content: 'Hi.' }, 'stop')])}`],
    ['no last event', sse([chunk({ content: 'Hi.' }, 'stop')])],
    [
      'a whole answer in one event',
      sse([{ choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }] }, '[DONE]']),
    ],
    [
      'a whole answer and an end',
      `${JSON.stringify({ choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
    ],
  ])('may have %s', (_name, text) => {
    expect(read('openai-chat', text)).toMatchObject({
      choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }],
    });
  });

  it('is an error where it holds one, and trouble where it ends within the answer', () => {
    expect(
      read(
        'openai-chat',
        sse([chunk({ content: 'H' }), { error: { message: 'overloaded', code: 503 } }]),
      ),
    ).toEqual({
      error: { message: 'overloaded', code: 503 },
    });
    expect(() => read('openai-chat', sse([chunk({ content: 'H' })]))).toThrow(
      'endpoint ended its stream before the answer was complete, after 1 events.',
    );
  });

  it('leaves an answer alone that is none', () => {
    const whole = '{"choices":[{"message":{"content":"Hi."}}]}';
    for (const text of [
      ...['{"choices":[]}', '<html>data: x</html>', '', 'data', `${whole}\n${whole}`],
      ...['{\n"done": false\n}', '{"message":{"content":"Hi."},"done":true}', '{"a":1}\n{"b":2}'],
    ])
      expect(readStream('openai-chat', text, 'endpoint')).toBe(text);
  });
});

/** Parts that endpoints split, number or end in ways of their own. */
it.each<[string, WireApi, string, object]>([
  [
    'two calls of index 0 without an id (Gemini, NousResearch/hermes-agent#62940)',
    'openai-chat',
    sse([
      chunk(call({ index: 0, id: '' }, 'get', '{"n":1}')),
      chunk(call({ index: 0, id: '' }, 'get', '{"n":2}')),
      chunk({}, 'tool_calls'),
    ]),
    {
      choices: [
        {
          message: {
            tool_calls: [
              { function: { arguments: '{"n":1}' } },
              { function: { arguments: '{"n":2}' } },
            ],
          },
        },
      ],
    },
  ],
  [
    'an id of its own for every part of a call',
    'openai-chat',
    sse([
      chunk(call({ index: 0, id: 'a' }, 'get', '')),
      chunk(call({ index: 0, id: 'b' }, undefined, '{"n"')),
      chunk(call({ index: 0, id: 'c' }, undefined, ':1}'), 'tool_calls'),
    ]),
    { choices: [{ message: { tool_calls: [{ id: 'a', function: { arguments: '{"n":1}' } }] } }] },
  ],
  [
    'a whole call again at its end',
    'openai-chat',
    sse([
      chunk(call({ index: 0, id: 'a' }, 'get', '{"n":1}')),
      chunk(call({ index: 0, id: 'a' }, 'get', '{"n":1}'), 'tool_calls'),
    ]),
    {
      choices: [{ message: { tool_calls: [{ function: { name: 'get', arguments: '{"n":1}' } }] } }],
    },
  ],
  [
    'a cut-off that an ordinary end follows',
    'openai-chat',
    sse([chunk({ content: 'Hi' }, 'length'), chunk({}, 'stop'), '[DONE]']),
    { choices: [{ finish_reason: 'length' }] },
  ],
  [
    'an end after empty ends',
    'openai-chat',
    sse([chunk({ content: 'Hi' }, ''), chunk({}, 'stop')]),
    { choices: [{ finish_reason: 'stop' }] },
  ],
  [
    'text completions',
    'openai-chat',
    sse([{ choices: [{ text: 'Hi' }] }, { choices: [{ text: '.', finish_reason: 'stop' }] }]),
    { choices: [{ message: { content: 'Hi.' } }] },
  ],
  [
    'answers that each repeat the one before (DashScope)',
    'openai-chat',
    sse([
      { choices: [{ message: { content: 'Hi' } }] },
      { choices: [{ message: { content: 'Hi there.' }, finish_reason: 'stop' }] },
    ]),
    { choices: [{ message: { content: 'Hi there.' } }] },
  ],
  [
    'usage in x_groq (Groq)',
    'openai-chat',
    sse([
      chunk({ content: 'Hi' }, null, { x_groq: { id: 'r' } }),
      chunk({}, 'stop', { x_groq: { usage: { prompt_tokens: 5, completion_tokens: 3 } } }),
    ]),
    { usage: { prompt_tokens: 5, completion_tokens: 3 } },
  ],
  [
    'items that are only begun and continued',
    'openai-responses',
    sse([
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', name: 'get', arguments: '' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"n"' },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: ':1}' },
      { type: 'response.output_text.delta', output_index: 1, delta: 'Hi' },
      { type: 'response.output_text.delta', output_index: 1, delta: '.' },
      { type: 'response.done', response: { status: 'completed', output: [] } },
    ]),
    {
      output: [
        { name: 'get', arguments: '{"n":1}' },
        { type: 'message', content: 'Hi.' },
      ],
    },
  ],
  [
    'items without an index, whose status is that of their beginning',
    'openai-responses',
    sse([
      { type: 'response.output_item.added', item: { name: 'a', status: 'in_progress' } },
      { type: 'response.function_call_arguments.done', arguments: '{"n":1}' },
      { type: 'response.output_item.done', item: { name: 'a', arguments: '{"n":1}' } },
      { type: 'response.output_item.added', item: { name: 'b', status: 'in_progress' } },
      { type: 'response.function_call_arguments.done', arguments: '{"n":2}' },
      { type: 'response.completed', response: { output: [] } },
    ]),
    {
      output: [
        { name: 'a', arguments: '{"n":1}' },
        { name: 'b', arguments: '{"n":2}' },
      ],
    },
  ],
  [
    'a text that is only given at its end',
    'openai-responses',
    sse([
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', content: [], status: 'in_progress' },
      },
      { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' },
      { type: 'response.output_text.done', output_index: 0, text: 'Hi.' },
      { type: 'response.completed', response: { output: [] } },
    ]),
    { output: [{ type: 'message', content: 'Hi.' }] },
  ],
  [
    '{} before the arguments of a call',
    'openai-chat',
    sse([
      chunk(call({ index: 0, id: 'a' }, 'get', '{}')),
      chunk(call({ index: 0 }, undefined, '{"n":1}'), 'tool_calls'),
    ]),
    { choices: [{ message: { tool_calls: [{ function: { arguments: '{"n":1}' } }] } }] },
  ],
  [
    'blocks of one index, with input as an object',
    'anthropic-messages',
    sse([
      { type: 'message_start', message: { content: [] } },
      { type: 'content_block_start', content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Ok.' } },
      { type: 'content_block_start', content_block: { type: 'tool_use', name: 'get', input: {} } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: { n: 1 } } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    ]),
    { content: [{ text: 'Ok.' }, { name: 'get', input: { n: 1 } }] },
  ],
  [
    'types that are only the names of events',
    'anthropic-messages',
    'event: content_block_start\ndata: {"content_block":{"type":"text","text":"Hi."}}\n\n' +
      'event: message_delta\ndata: {"delta":{"stop_reason":"end_turn"}}\n\n',
    { content: [{ text: 'Hi.' }], stop_reason: 'end_turn' },
  ],
])('reads a stream with %s', (_name, api, text, body) => {
  expect(read(api, text)).toMatchObject(body);
});

describe('a stream of other formats', () => {
  it('gives the last response of Responses, with its items where it has none', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'get', arguments: '{"n":1}' };
    const completed = { id: 'r', object: 'response', status: 'completed', output: [item] };
    const events = (output: object[]) =>
      sse([
        { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { ...completed, output } },
      ]);
    expect(read('openai-responses', events([item]))).toEqual(completed);
    expect(read('openai-responses', events([]))).toEqual(completed);
    expect(() =>
      read('openai-responses', sse([{ type: 'response.output_item.done', item }])),
    ).toThrow('before the answer was complete');
    expect(read('openai-responses', sse([{ type: 'error', code: 'x', message: 'No.' }]))).toEqual({
      error: { type: 'error', code: 'x', message: 'No.' },
    });
  });

  it('joins the blocks of Messages', () => {
    const event = (type: string, fields: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    const block = (index: number, content: object, ...deltas: object[]) =>
      event('content_block_start', { index, content_block: content }) +
      deltas.map((delta) => event('content_block_delta', { index, delta })).join('') +
      event('content_block_stop', { index });
    const text =
      event('message_start', {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 9, output_tokens: 1 },
        },
      }) +
      event('ping', {}) +
      block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'Hm.' },
        { type: 'signature_delta', signature: 'abc' },
      ) +
      block(
        1,
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'I ' },
        { type: 'text_delta', text: 'look.' },
      ) +
      block(
        2,
        { type: 'tool_use', id: 't', name: 'get', input: {} },
        { type: 'input_json_delta', partial_json: '{"n"' },
        { type: 'input_json_delta', partial_json: ':1}' },
      ) +
      block(
        3,
        { type: 'tool_use', id: 'u', name: 'ping', input: {} },
        { type: 'input_json_delta', partial_json: '' },
      ) +
      event('message_delta', {
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 12 },
      }) +
      event('message_stop', {});
    expect(read('anthropic-messages', text)).toEqual({
      id: 'm',
      type: 'message',
      role: 'assistant',
      stop_reason: 'tool_use',
      usage: { input_tokens: 9, output_tokens: 12 },
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'abc' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 't', name: 'get', input: { n: 1 } },
        { type: 'tool_use', id: 'u', name: 'ping', input: {} },
      ],
    });
  });
});
