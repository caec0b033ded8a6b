import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import type { RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import {
  call,
  calling,
  callWith,
  chat,
  functionCall,
  message,
  response,
  said,
  toolUse,
  type Quirk,
} from './bodies.fixture.ts';

/** An answer and what is read from it, in the wire format of the provider. */
export interface AnswerQuirk extends Quirk {
  format: RemoteProvider;
  body: JsonObject | string;
  reads: Partial<Observation>;
}

const found = (more: JsonObject = {}): Observation['calls'][number] => ({
  id: 'c1',
  server: 'todo',
  tool: 'add_task',
  name: 'todo__add_task',
  arguments: { n: 1 },
  argumentsText: null,
  ...more,
});
export const called = (...calls: JsonObject[]): Partial<Observation> => ({
  calls: calls.map(found),
  stopReason: 'called',
});
export const one = called({});
const counts = { prompt_tokens: 5, completion_tokens: 3 };
export const text = (answer: string, more: Partial<Observation> = {}): Partial<Observation> => ({
  calls: [],
  text: answer,
  stopReason: 'answered',
  ...more,
});
const empty = (as: string): JsonObject => ({
  arguments: {},
  note: `The arguments ${as} and were read as {}.`,
});

export const chatQuirks = (
  rows: readonly (readonly [string, string, JsonObject | string, Partial<Observation>])[],
): AnswerQuirk[] =>
  rows.map(([quirk, who, body, reads]) => ({
    format: 'openai-compatible',
    quirk,
    who,
    body,
    reads,
  }));

export const answerQuirks: readonly AnswerQuirk[] = [
  ...chatQuirks([
    [
      'content that is a list of thinking and text parts',
      'Mistral, reasoning models',
      said([
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
        { type: 'text', text: 'Hi.' },
      ]),
      text('Hi.', { reasoning: 'hm' }),
    ],
    ['content that is a list of texts', 'gateways', said(['Hi.']), text('Hi.')],
    ['content that is a number', 'gateways', said(42), text('42')],
    [
      'a call among the parts of the content',
      'gateways of Anthropic',
      said([{ type: 'text', text: 'Ok.' }, toolUse()]),
      { ...one, text: 'Ok.' },
    ],
    ['tool_calls as JSON text', 'gateways', calling(JSON.stringify([call()])), one],
    [
      'comments of a stream before a plain body',
      'OpenRouter',
      `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n${JSON.stringify(calling([call()]))}`,
      one,
    ],
    [
      'usage within the choice',
      'Moonshot',
      { choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop', usage: counts }] },
      text('Hi.', { usage: { input: 5, output: 3, source: 'measured' } }),
    ],
    [
      'usage within x_groq',
      'Groq',
      said('Hi.', 'stop', { usage: null, x_groq: { usage: counts } }),
      text('Hi.', { usage: { input: 5, output: 3, source: 'measured' } }),
    ],
    ['a message without content', 'gateways', chat({ tool_calls: [call()] }), one],
    ['an id that is a number', 'gateways', calling([call({ id: 7 })]), called({ id: '7' })],
    [
      'calls without an id',
      'ollama/ollama#6462',
      calling([callWith({ arguments: '{"n":1}' }), call({ id: null }), call({ id: '' })]),
      called({}, { id: 'call00001' }, { id: 'call00002' }),
    ],
    [
      'two calls with one id',
      'gateways of Gemini',
      calling([call(), call()]),
      called({}, { id: 'call00001' }),
    ],
    [
      'arguments as an object',
      'ollama/ollama#6462',
      calling([callWith({ arguments: { n: 1 } })]),
      one,
    ],
    [
      'arguments that are a list',
      'gateways',
      calling([callWith({ arguments: [] })]),
      called({ arguments: null, argumentsText: '[]' }),
    ],
    ['missing arguments', 'gateways', calling([callWith({})]), called(empty('were left out'))],
    [
      'arguments that are ""',
      'OpenRouter, simonw/llm#1164; vllm-project/vllm#19419',
      calling([callWith({ arguments: '' })]),
      called(empty('came as ""')),
    ],
    [
      'arguments that are blank',
      'vllm-project/vllm#33268',
      calling([callWith({ arguments: ' \n' })]),
      called(empty('came as " \\n"')),
    ],
    [
      'arguments that are null',
      'gateways',
      calling([callWith({ arguments: null })]),
      called(empty('came as null')),
    ],
    [
      'arguments that are "null"',
      'gateways',
      calling([callWith({ arguments: 'null' })]),
      called(empty('came as "null"')),
    ],
    [
      'a call with its members on the outside',
      'gateways',
      calling([{ id: 'c1', name: 'todo__add_task', arguments: { n: 1 } }]),
      one,
    ],
    ['one call in place of a list', 'gateways', calling(call()), one],
    [
      'tool_calls that is false',
      'gateways',
      chat({ content: 'Hi.', tool_calls: false }),
      text('Hi.'),
    ],
    ['tool_calls that is {}', 'gateways', chat({ content: 'Hi.', tool_calls: {} }), text('Hi.')],
    [
      'tool_calls that is a text',
      'gateways',
      chat({ content: 'Hi.', tool_calls: '' }),
      text('Hi.'),
    ],
    [
      'choices with null among them',
      'gateways',
      { choices: [null, { message: { content: 'Hi.' }, finish_reason: 'stop' }] },
      text('Hi.'),
    ],
    [
      "Ollama's own answer",
      'ollama/ollama#6462',
      {
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'todo__add_task', arguments: { n: 1 } } }],
        },
        done: true,
        done_reason: 'stop',
        prompt_eval_count: 5,
        eval_count: 3,
      },
      {
        ...called({ id: 'call00001' }),
        usage: { input: 5, output: 3, source: 'measured' },
      },
    ],
    [
      'a byte order mark before the body',
      'gateways',
      `\uFEFF${JSON.stringify(said('Hi.'))}`,
      text('Hi.'),
    ],
    [
      'NaN and Infinity in the body',
      "Python's json.dumps",
      JSON.stringify(said('NaN Hi.', 'stop', { created: 0 })).replace(
        '"created":0',
        '"created":NaN,"x":-Infinity',
      ),
      text('NaN Hi.'),
    ],
    [
      'a whole answer as one event of a stream',
      'gateways',
      `data: ${JSON.stringify(calling([call()]))}\n\ndata: [DONE]\n\n`,
      one,
    ],
    [
      '"[DONE]" or NUL after the body',
      'gateways',
      `${JSON.stringify(said('Hi.'))}\n[DONE]\0`,
      text('Hi.'),
    ],
    [
      'a list with one answer',
      'gateways of Gemini',
      `[${JSON.stringify(said('Hi.'))}]`,
      text('Hi.'),
    ],
    ...(
      [
        ['eos', 'Together, openai/openai-dotnet#267'],
        ['eos_token', 'dstackai/dstack#2229, watsonx.ai'],
        ['end_turn', 'OpenRouter, vercel/modelfusion#343'],
        ['stop_sequence', 'gateways of Anthropic'],
        ['STOP', 'Gemini'],
        ['COMPLETE', 'Cohere'],
        ['endoftext', 'AI21'],
        ['', 'dstackai/dstack#2229'],
        [null, 'earendil-works/pi#8473'],
        [1, "Gemini's number of STOP"],
      ] as const
    ).map(
      ([finish, who]) =>
        [`an end called ${JSON.stringify(finish)}`, who, said('Hi.', finish), text('Hi.')] as const,
    ),
    ['no end', 'gateways', { choices: [{ message: { content: 'Hi.' } }] }, text('Hi.')],
    ...(
      [
        ['length', 'OpenAI'],
        ['MAX_TOKENS', 'Gemini, Cohere'],
        ['maxTokens', 'gateways'],
        ['model_length', 'Mistral'],
        ['model_context_window_exceeded', 'Zhipu, Anthropic'],
      ] as const
    ).map(
      ([finish, who]) =>
        [
          `a cut-off called ${JSON.stringify(finish)}`,
          who,
          said('Hi.', finish),
          text('Hi.', { stopReason: 'cut_off' }),
        ] as const,
    ),
    ...(
      [
        ['content_filter', 'OpenAI, Azure'],
        ['SAFETY', 'Gemini'],
        ['content_filter: RECITATION', 'Gemini'],
        ['guardrail_intervened', 'Amazon Bedrock'],
        ['sensitive', 'Zhipu'],
      ] as const
    ).map(
      ([finish, who]) =>
        [
          `a filter called ${JSON.stringify(finish)}`,
          who,
          chat({ content: null, tool_calls: [call()] }, finish),
          { ...called({}), stopReason: 'filtered' },
        ] as const,
    ),
    ...(
      [
        ['input_tokens and output_tokens', { input_tokens: 5, output_tokens: 3 }],
        ['counts as texts', { prompt_tokens: '5', completion_tokens: '3' }],
        ['camel case', { promptTokens: 5, completionTokens: 3 }],
      ] as const
    ).map(
      ([how, usage]) =>
        [
          `usage in ${how}`,
          'gateways',
          said('Hi.', 'stop', { usage }),
          text('Hi.', { usage: { input: 5, output: 3, source: 'measured' } }),
        ] as const,
    ),
    [
      'usage as promptTokenCount',
      'Gemini, usageMetadata; thoughts are counted apart',
      said('Hi.', 'stop', {
        usage: null,
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 1 },
      }),
      text('Hi.', { usage: { input: 5, output: 3, source: 'measured' } }),
    ],
  ]),
  ...(
    [
      [
        'a response without a status',
        'OpenRouter',
        response([functionCall()], { status: null }),
        one,
      ],
      [
        'arguments as an object, in Responses',
        'Ollama',
        response([functionCall({ arguments: { n: 1 } })]),
        one,
      ],
      [
        'blank arguments, in Responses',
        'gateways',
        response([functionCall({ arguments: '' })]),
        called(empty('came as ""')),
      ],
      [
        'a call without call_id, in Responses',
        'gateways',
        response([functionCall({ call_id: null, id: 'f1' })]),
        called({ id: 'f1' }),
      ],
      [
        'a message whose content is a text, in Responses',
        'gateways',
        response([{ type: 'message', content: 'Hi.' }]),
        text('Hi.'),
      ],
      [
        'reasoning with null in place of its lists, in Responses',
        'gateways',
        response([{ type: 'reasoning', summary: null, content: null }, functionCall()]),
        one,
      ],
      [
        'only output_text, in Responses',
        'gateways',
        response(null, { output_text: 'Hi.' }),
        text('Hi.'),
      ],
      [
        'a call without a type, in Responses',
        'gateways',
        response([functionCall({ type: null })].map(({ type: _, ...item }) => item)),
        one,
      ],
      [
        'a call of the type of Messages, in Responses',
        'gateways of Anthropic',
        response([functionCall({ type: 'tool_use' })]),
        one,
      ],
      [
        'a call within a function, in Responses',
        'gateways of Chat Completions',
        response([{ ...call(), type: 'function_call' }]),
        one,
      ],
      [
        'a text without its message, in Responses',
        'gateways',
        response([{ type: 'output_text', text: 'Hi.' }]),
        text('Hi.'),
      ],
      [
        'a message without a type, in Responses',
        'gateways',
        response([{ role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }]),
        text('Hi.'),
      ],
      [
        'a response that a filter cut off',
        'OpenAI, incomplete_details',
        response([functionCall()], {
          status: 'incomplete',
          incomplete_details: { reason: 'content_filter' },
        }),
        { ...one, stopReason: 'filtered' },
      ],
      [
        'a call whose own status is incomplete',
        'OpenAI',
        response([functionCall({ status: 'incomplete' })]),
        { ...one, stopReason: 'cut_off' },
      ],
      [
        'a cut-off for a new reason, in Responses',
        'OpenAI',
        response([functionCall()], { status: 'incomplete', incomplete_details: { reason: 'new' } }),
        { ...one, stopReason: 'cut_off' },
      ],
    ] as const
  ).map(([quirk, who, body, reads]): AnswerQuirk => ({
    format: 'openai',
    quirk,
    who,
    body,
    reads,
  })),
  ...(
    [
      [
        'an answer without its type, in Messages',
        'gateways',
        message([toolUse()], { type: null }),
        one,
      ],
      ['content that is a text, in Messages', 'gateways', message('Hi.'), text('Hi.')],
      [
        'two calls with one id, in Messages',
        'gateways',
        message([toolUse(), toolUse()]),
        called({}, { id: 'call00001' }),
      ],
      [
        'input as JSON text, in Messages',
        'gateways of Chat Completions',
        message([toolUse({ input: '{"n":1}' })]),
        one,
      ],
      [
        'a call without input, in Messages',
        'gateways',
        message([{ type: 'tool_use', id: 'c1', name: 'todo__add_task' }]),
        called(empty('were left out')),
      ],
      [
        'arguments in place of input, in Messages',
        'gateways of Chat Completions',
        message([{ type: 'tool_use', id: 'c1', name: 'todo__add_task', arguments: '{"n":1}' }]),
        one,
      ],
      [
        'a call within a function, in Messages',
        'gateways of Chat Completions',
        message([{ ...call(), type: 'tool_use' }]),
        one,
      ],
      [
        'an end called "stop", in Messages',
        'gateways',
        message([{ type: 'text', text: 'Hi.' }], { stop_reason: 'stop' }),
        text('Hi.'),
      ],
      [
        'usage as prompt_tokens, in Messages',
        'gateways of Chat Completions',
        message([{ type: 'text', text: 'Hi.' }], {
          usage: { prompt_tokens: 5, completion_tokens: 3 },
        }),
        text('Hi.', { usage: { input: 5, output: 3, source: 'measured' } }),
      ],
    ] as const
  ).map(([quirk, who, body, reads]): AnswerQuirk => ({
    format: 'anthropic',
    quirk,
    who,
    body,
    reads,
  })),
];
