import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { called, chatQuirks, one, text, type AnswerQuirk } from './answers.fixture.ts';
import { call, calling, callWith, message, response, said, toolUse } from './bodies.fixture.ts';

const lines = (...values: readonly JsonObject[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
const ofOllama = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
  model: 'm',
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', content: '', ...delta },
  done: false,
  ...more,
});
const done: JsonObject = { done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 3 };
const measured = { input: 5, output: 3, source: 'measured' } as const;

/** Answers inside other objects, and streams without events. */
const frames: readonly AnswerQuirk[] = [
  ...chatQuirks([
    [
      "Ollama's own stream, one object in each line",
      'Ollama, docs/api.md',
      lines(
        ofOllama({ thinking: 'Let me ' }),
        ofOllama({ thinking: 'see.', images: null }),
        ofOllama({
          tool_calls: [{ function: { index: 0, name: 'todo__add_task', arguments: { n: 1 } } }],
        }),
        ofOllama({}, done),
      ),
      { ...called({ id: 'call00001' }), reasoning: 'Let me see.', usage: measured },
    ],
    [
      'the text of such a stream, whose last line has no message',
      'Ollama, docs/api.md',
      lines(ofOllama({ content: 'Hi' }), ofOllama({ content: '.' }), { model: 'm', ...done }),
      text('Hi.', { usage: measured }),
    ],
    [
      'parts of a stream in lines without "data:"',
      'gateways',
      lines(
        { choices: [{ index: 0, delta: { content: 'H' }, finish_reason: null }] },
        { choices: [{ index: 0, delta: { content: 'i.' }, finish_reason: 'stop' }] },
      ),
      text('Hi.'),
    ],
    [
      'an answer inside "data"',
      'Cline, decolua/9router#3387',
      { data: calling([call()]), success: true },
      { ...one, usage: measured },
    ],
    [
      'an answer inside "data", as a list of one',
      'gateways',
      { code: 0, msg: 'ok', data: [said('Hi.')] },
      text('Hi.'),
    ],
    [
      'an answer inside "result"',
      'Cloudflare, BerriAI/litellm#29833',
      { result: said('Hi.'), success: true, errors: [], messages: [] },
      text('Hi.'),
    ],
    [
      'an answer as JSON text inside "body"',
      'AWS Lambda',
      { statusCode: 200, body: JSON.stringify(said('Hi.')) },
      text('Hi.'),
    ],
    [
      'events of a stream with their part inside "data"',
      'gateways',
      `data: ${JSON.stringify({ data: said('Hi.') })}\n\ndata: [DONE]\n\n`,
      text('Hi.'),
    ],
  ]),
  {
    format: 'openai',
    quirk: 'an answer inside "data", in Responses',
    who: 'gateways',
    body: { data: response([{ type: 'message', content: 'Hi.' }]) },
    reads: text('Hi.'),
  },
  {
    format: 'anthropic',
    quirk: 'an answer inside "data", in Messages',
    who: 'gateways',
    body: { success: true, data: message([toolUse()]) },
    reads: one,
  },
];

/** A name as it came, whose call is read as one of the offered tool. */
const named = (name: string) =>
  [
    calling([callWith({ name, arguments: '{"n":1}' })]),
    called({ name, note: `The name came as ${JSON.stringify(name)}.` }),
  ] as const;

const names = chatQuirks(
  (
    [
      ['a name with spaces around it', 'gateways', ' todo__add_task\n'],
      [
        'a name in the namespace "functions"',
        'gpt-oss; Kimi K2 adds the number of the call',
        'functions.todo__add_task:0',
      ],
      [
        'a name with markers of its channel after it',
        'gpt-oss; Groq, NVIDIA NIM',
        'todo__add_task<|channel|>commentary',
      ],
      [
        'a name with a marker of its format after it',
        'gpt-oss, openai/harmony',
        'functions.todo__add_task <|constrain|>json<|message|>',
      ],
      ['a name with a marker that is cut short', 'gpt-oss', 'todo__add_task<|chan'],
      [
        'a name after the role and the channel',
        'gpt-oss, ollama/ollama#11704',
        'assistant<|channel|>commentary to=functions.todo__add_task <|constrain|>json',
      ],
      [
        'a name after the role and the channel without their markers',
        'gpt-oss',
        'assistant commentary to=functions.todo__add_task json',
      ],
      ['a name between markers', 'gpt-oss', '<|start|>assistant<|channel|>todo__add_task'],
      ['a name with "json" glued to it', 'gpt-oss, ggml-org/llama.cpp#15158', 'todo__add_taskjson'],
      ['a name with its channel glued to it', 'gpt-oss', 'todo__add_task commentary'],
    ] as const
  ).map(([quirk, who, name]) => [quirk, who, ...named(name)] as const),
);

export const shapeQuirks: readonly AnswerQuirk[] = [...frames, ...names];
