import { expect, test } from 'vitest';
import { recognizeFile } from '../../../../src-shared/display/knownFiles.ts';
import { json, lines } from '../exchange/shapes.fixture.ts';
import { dune, duneCall, propose, shown, span, user } from './logs.fixture.ts';

const asked = user.content;
const call = { name: 'find_book', args: { title: 'Dune' } };
const prompt = JSON.stringify([user]);

/** Logs as programs write them that a person gives without saying what they are. */
test.each<[notation: string, fileName: string, text: string]>([
  [
    // https://opentelemetry.io/docs/languages/python/exporters/#console, with https://github.com/Arize-ai/openinference
    'spans with their context, in the conventions of OpenInference',
    'spans.jsonl',
    lines({
      name: 'ChatCompletion',
      context: { trace_id: '0xa', span_id: '0x1' },
      attributes: {
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': asked,
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'find_book',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments':
          '{"title":"Dune"}',
      },
    }),
  ],
  [
    // The console exporter of JavaScript: https://ai-sdk.dev/docs/ai-sdk-core/telemetry
    'spans that name themselves id, of Vercel’s AI SDK',
    'spans.jsonl',
    lines({
      name: 'ai.generateText.doGenerate',
      traceId: 'a',
      id: '1',
      attributes: {
        'ai.prompt.messages': prompt,
        'ai.response.toolCalls': JSON.stringify([
          { toolCallId: 'c', toolName: 'find_book', args: '{"title":"Dune"}' },
        ]),
      },
    }),
  ],
  [
    // https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
    'events as records of a log, each on a line',
    'events.jsonl',
    lines(
      {
        body: { content: asked },
        attributes: { 'event.name': 'gen_ai.user.message' },
        trace_id: '0xa',
        span_id: '0x1',
      },
      {
        body: { index: 0, message: { role: 'assistant', tool_calls: [duneCall] } },
        attributes: { 'event.name': 'gen_ai.choice' },
        trace_id: '0xa',
        span_id: '0x1',
      },
    ),
  ],
  [
    // `messages_to_dict` of LangChain
    'messages of LangChain',
    'history.json',
    json([
      { type: 'human', data: { content: asked } },
      { type: 'ai', data: { content: '', tool_calls: [{ ...call, id: 'c' }] } },
      { type: 'tool', data: { content: 'It is.', tool_call_id: 'c' } },
    ]),
  ],
  [
    // A conversation that Gemini CLI saved: https://github.com/google-gemini/gemini-cli
    'a conversation of Gemini CLI',
    'checkpoint-dune.json',
    json([
      { role: 'user', parts: [{ text: asked }] },
      { role: 'model', parts: [{ functionCall: call }] },
    ]),
  ],
  [
    'a conversation of OpenAI',
    'chat.json',
    json([user, { role: 'assistant', content: null, tool_calls: [duneCall] }]),
  ],
  [
    // https://langfuse.com/docs/api-and-data-platform/features/export-from-ui
    'traces of Langfuse without their project',
    'traces.json',
    json([
      {
        id: 't',
        name: 'trace',
        input: null,
        observations: [
          {
            id: 'o',
            type: 'GENERATION',
            input: [user],
            output: { role: 'assistant', tool_calls: [duneCall] },
          },
        ],
      },
    ]),
  ],
  [
    // https://inspect.aisi.org.uk/eval-logs.html
    'a log of Inspect that ended early',
    'log.json',
    json({
      version: 2,
      status: 'cancelled',
      eval: { task: 'books', model: 'm' },
      samples: [
        {
          id: 1,
          epoch: 1,
          input: asked,
          target: '',
          messages: [
            user,
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ id: 'c', function: 'find_book', arguments: { title: 'Dune' } }],
            },
          ],
        },
      ],
    }),
  ],
])('recognizes and reads %s', async (_notation, fileName, text) => {
  expect(recognizeFile(text, fileName)?.role).toBe('log');
  expect(shown(await propose(text, fileName))).toEqual([dune]);
});

test('offers to review one chat as a log, whose answers nobody may have checked', () => {
  const chat = json({
    messages: [user, { role: 'assistant', content: '', tool_calls: [duneCall] }],
  });
  expect(recognizeFile(chat, 'chat.json')).toMatchObject({ role: 'cases', mayBeLog: true });
});

test('names one program for answers whose items another one keeps too', async () => {
  const { log } = await propose(
    lines({
      object: 'response',
      model: 'm',
      input: [user],
      output: [
        { type: 'function_call', call_id: 'c', name: 'find_book', arguments: '{"title":"Dune"}' },
      ],
    }),
  );
  expect(log.kinds).toEqual(['requests and answers of a model']);
});

test('reads the spans and the records of one export', async () => {
  const spans = [
    span({
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: [{ type: 'text', content: 'Which rooms are free?' }] },
      ]),
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'find_room' }] },
      ]),
    }),
  ];
  const both = { resourceSpans: [{ scopeSpans: [{ spans }] }], resourceLogs: [{ scopeLogs: [] }] };
  const { cases } = await propose(lines(both));
  expect(cases.map(({ content }) => content.query)).toEqual(['Which rooms are free?']);
});

test('takes a list of records for no conversation', () => {
  for (const records of [
    [
      { type: 'tool', name: 'find_book' },
      { type: 'tool', name: 'list_loans' },
    ],
    [
      { role: 'admin', content: 'x' },
      { role: 'guest', content: 'y' },
    ],
  ])
    expect(recognizeFile(json(records), 'a.json')?.role).not.toBe('log');
});
