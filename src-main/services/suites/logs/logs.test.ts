import { describe, expect, test } from 'vitest';
import { json, lines } from '../exchange/shapes.fixture.ts';
import {
  attributes,
  claude,
  dune,
  duneCall,
  otlp,
  propose,
  shown,
  span,
  user,
} from './logs.fixture.ts';

const codex = (type: string, payload: object) => ({ timestamp: '2026-06-01', type, payload });
const constructed = (name: string, kwargs: object) => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});

describe('what models did, in the log of', () => {
  test.each<[notation: string, text: string, kind: string]>([
    [
      // https://platform.openai.com/docs/api-reference/chat/object
      'OpenAI chat completions',
      lines({
        request: { model: 'm', messages: [user] },
        response: { choices: [{ message: { role: 'assistant', tool_calls: [duneCall] } }] },
      }),
      'requests and answers',
    ],
    [
      // https://platform.openai.com/docs/guides/batch: only the answer names a body.
      'a proxy that keeps bodies',
      lines({
        request: { method: 'POST', url: '/v1/chat/completions', body: { messages: [user] } },
        response: {
          status_code: 200,
          body: JSON.stringify({ choices: [{ message: { tool_calls: [duneCall] } }] }),
        },
      }),
      'requests and answers',
    ],
    [
      // https://platform.openai.com/docs/api-reference/responses/object
      'OpenAI responses',
      lines({
        model: 'm',
        input: [user],
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'function_call', call_id: 'c', name: 'find_book', arguments: '{"title":"Dune"}' },
        ],
      }),
      'requests and answers',
    ],
    [
      'OpenAI responses with a server of its own',
      lines({
        input: 'Is Dune there?',
        output: [
          {
            type: 'mcp_call',
            server_label: 'shelf',
            name: 'find_book',
            arguments: '{"title":"Dune"}',
          },
        ],
      }),
      'requests and answers',
    ],
    [
      // https://docs.claude.com/en/api/messages
      'Anthropic messages',
      lines({
        request: { model: 'm', system: 'You lend.', messages: [user] },
        response: {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'find_book', input: { title: 'Dune' } }],
          stop_reason: 'tool_use',
        },
      }),
      'requests and answers',
    ],
    [
      // https://ai.google.dev/api/generate-content
      'Gemini',
      lines({
        request: { contents: [{ role: 'user', parts: [{ text: 'Is Dune there?' }] }] },
        response: {
          candidates: [
            {
              content: {
                role: 'model',
                parts: [{ functionCall: { name: 'find_book', args: { title: 'Dune' } } }],
              },
            },
          ],
        },
      }),
      'requests and answers',
    ],
    [
      // https://docs.litellm.ai/docs/proxy/logging_spec
      'LiteLLM',
      lines({
        id: 'x',
        call_type: 'acompletion',
        model: 'm',
        startTime: 1790000000.5,
        messages: [user],
        response: { choices: [{ message: { role: 'assistant', tool_calls: [duneCall] } }] },
      }),
      'LiteLLM',
    ],
    [
      // https://langfuse.com/docs/api-and-data-platform/features/export-from-ui
      'Langfuse',
      json([
        {
          id: 'trace',
          projectId: 'p',
          name: 'agent',
          input: null,
          observations: [
            {
              id: 'o',
              traceId: 'trace',
              type: 'GENERATION',
              model: 'm',
              input: { messages: [user] },
              output: JSON.stringify({ role: 'assistant', tool_calls: [duneCall] }),
            },
            { id: 'q', traceId: 'trace', type: 'SPAN', input: { query: 'Dune' }, output: 'Yes' },
          ],
        },
      ]),
      'Langfuse',
    ],
    [
      // https://docs.langchain.com/langsmith/run-data-format
      'LangSmith runs',
      lines({
        id: 'r',
        run_type: 'llm',
        extra: { metadata: { ls_model_name: 'm' } },
        inputs: { messages: [[constructed('HumanMessage', { content: 'Is Dune there?' })]] },
        outputs: {
          generations: [
            [
              {
                text: '',
                message: constructed('AIMessage', {
                  content: '',
                  tool_calls: [{ name: 'find_book', args: { title: 'Dune' }, id: 'c' }],
                }),
              },
            ],
          ],
        },
      }),
      'LangSmith',
    ],
    [
      'a state of LangGraph',
      lines({
        run_type: 'chain',
        inputs: { messages: [{ type: 'human', content: 'Is Dune there?' }] },
        outputs: {
          messages: [
            { type: 'human', content: 'Is Dune there?' },
            {
              type: 'ai',
              content: '',
              tool_calls: [{ name: 'find_book', args: { title: 'Dune' } }],
            },
          ],
        },
      }),
      'LangSmith',
    ],
    [
      'a chat alone',
      lines({ messages: [user, { role: 'assistant', tool_calls: [duneCall] }] }),
      'requests and answers',
    ],
    [
      // https://code.claude.com/docs/en/sessions: parallel calls are lines with the id of one message.
      'Claude Code',
      lines(
        { type: 'summary', summary: 'Books', leafUuid: 'x' },
        claude('user', user),
        claude('assistant', {
          id: 'm1',
          role: 'assistant',
          model: 'm',
          content: [
            { type: 'tool_use', id: 't', name: 'mcp__shelf__find_book', input: { title: 'Dune' } },
          ],
        }),
        claude('user', {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: 'Yes' }],
        }),
      ),
      'Claude Code',
    ],
    [
      // https://github.com/openai/codex, codex-rs/protocol/src/protocol.rs
      'Codex',
      lines(
        codex('session_meta', { id: 's', instructions: null }),
        codex('turn_context', { model: 'm' }),
        codex('response_item', {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>x</environment_context>' }],
        }),
        codex('response_item', {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'Is Dune there?' }],
        }),
        codex('event_msg', { type: 'user_message', message: 'Is Dune there?' }),
        codex('response_item', {
          type: 'function_call',
          name: 'mcp__shelf__find_book',
          arguments: '{"title":"Dune"}',
          call_id: 'c',
        }),
        codex('response_item', { type: 'function_call_output', call_id: 'c', output: 'Yes' }),
      ),
      'Codex',
    ],
    [
      // https://github.com/google-gemini/gemini-cli, packages/core/src/services/chatRecordingService.ts
      'Gemini CLI',
      json({
        sessionId: 's',
        projectHash: 'h',
        startTime: '2026-06-01T08:00:00Z',
        messages: [
          { id: '1', type: 'user', content: 'Is Dune there?', timestamp: '2026-06-01T08:00:00Z' },
          {
            id: '2',
            type: 'gemini',
            content: '',
            model: 'm',
            toolCalls: [{ id: 'c', name: 'find_book', args: { title: 'Dune' }, status: 'success' }],
          },
        ],
      }),
      'Gemini CLI',
    ],
    [
      // https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
      'spans with messages as attributes',
      otlp(
        span({
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'm',
          'gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: 'Is Dune there?' }] },
          ]),
          'gen_ai.output.messages': JSON.stringify([
            {
              role: 'assistant',
              parts: [
                { type: 'tool_call', id: 'c', name: 'find_book', arguments: { title: 'Dune' } },
              ],
            },
          ]),
        }),
      ),
      'OpenTelemetry',
    ],
    [
      // https://github.com/open-telemetry/semantic-conventions/blob/v1.36.0/docs/gen-ai/gen-ai-events.md
      'spans with messages as events',
      otlp(
        span(
          { 'gen_ai.system': 'openai' },
          {
            events: [
              {
                name: 'gen_ai.user.message',
                attributes: attributes({ content: 'Is Dune there?' }),
              },
              {
                name: 'gen_ai.choice',
                attributes: attributes({ message: JSON.stringify({ tool_calls: [duneCall] }) }),
              },
            ],
          },
        ),
      ),
      'OpenTelemetry',
    ],
    [
      'log records with messages',
      json({
        resourceLogs: [
          {
            scopeLogs: [
              {
                logRecords: [
                  {
                    traceId: 't',
                    spanId: 's',
                    eventName: 'gen_ai.user.message',
                    body: { kvlistValue: { values: attributes({ content: 'Is Dune there?' }) } },
                  },
                  {
                    traceId: 't',
                    spanId: 's',
                    eventName: 'gen_ai.choice',
                    body: {
                      kvlistValue: {
                        values: attributes({ message: JSON.stringify({ tool_calls: [duneCall] }) }),
                      },
                    },
                  },
                ],
              },
            ],
          },
        ],
      }),
      'OpenTelemetry',
    ],
    [
      'spans of OpenLLMetry, one a line',
      lines({
        name: 'openai.chat',
        context: { trace_id: '0x1', span_id: '0x2' },
        start_time: '2026-06-01T08:00:00Z',
        attributes: {
          'gen_ai.prompt.0.role': 'user',
          'gen_ai.prompt.0.content': 'Is Dune there?',
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.tool_calls.0.name': 'find_book',
          'gen_ai.completion.0.tool_calls.0.arguments': '{"title":"Dune"}',
        },
      }),
      'OpenTelemetry',
    ],
    [
      'spans of OpenInference',
      lines({
        trace_id: '1',
        span_id: '2',
        attributes: {
          'llm.input_messages.0.message.role': 'user',
          'llm.input_messages.0.message.content': 'Is Dune there?',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'find_book',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments':
            '{"title":"Dune"}',
        },
      }),
      'OpenTelemetry',
    ],
    [
      'spans of Vercel’s AI SDK',
      otlp(
        span({
          'ai.prompt.messages': JSON.stringify([
            { role: 'user', content: [{ type: 'text', text: 'Is Dune there?' }] },
          ]),
          'ai.response.toolCalls': JSON.stringify([
            {
              toolCallType: 'function',
              toolCallId: 'c',
              toolName: 'find_book',
              args: '{"title":"Dune"}',
            },
          ]),
        }),
      ),
      'OpenTelemetry',
    ],
    [
      'spans whose tools alone say what was called',
      otlp(
        span({
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.input.messages': JSON.stringify([user]),
        }),
        span(
          {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': 'find_book',
            'gen_ai.tool.call.arguments': '{"title":"Dune"}',
          },
          { spanId: 's2' },
        ),
      ),
      'OpenTelemetry',
    ],
    [
      // https://github.com/getsentry/vitest-evals: the JSON reporter of Vitest
      'vitest-evals',
      json({
        numTotalTests: 1,
        testResults: [
          {
            assertionResults: [
              {
                title: 'Is Dune there?',
                meta: {
                  eval: { toolCalls: [{ name: 'find_book', arguments: { title: 'Dune' } }] },
                },
              },
            ],
          },
        ],
      }),
      'requests and answers',
    ],
    [
      'an archive of HTTP requests',
      json({
        log: {
          version: '1.2',
          entries: [
            {
              request: { postData: { text: JSON.stringify({ messages: [user] }) } },
              response: {
                content: {
                  text: JSON.stringify({ choices: [{ message: { tool_calls: [duneCall] } }] }),
                },
              },
            },
          ],
        },
      }),
      'requests and answers',
    ],
  ])('%s', async (_notation, text, kind) => {
    const found = await propose(text);
    expect(shown(found)).toEqual([dune]);
    expect(found.log.kinds.join()).toContain(kind);
    expect(found.cases[0]).toMatchObject({
      kind: 'right tool',
      content: { tags: ['proposed', 'log'] },
    });
  });

  test('a table, by its columns', async () => {
    const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    const found = await propose(
      `id,input,output\n1,${cell([user])},${cell({ tool_calls: [duneCall] })}\n`,
      'export.csv',
    );
    expect(shown(found)).toEqual([dune]);
  });
});
