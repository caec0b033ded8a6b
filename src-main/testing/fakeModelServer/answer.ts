import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import type { Dialect } from './toolRules.ts';

export interface FakeCall {
  id?: string;
  name: string;
  /** Text is sent as it is if the wire format has text; Anthropic has a value. */
  arguments: JsonValue;
}

export interface FakeAnswer {
  text?: string | null;
  refusal?: string;
  calls?: FakeCall[];
  /**
   * The finish reason, stop reason, or (Responses) the reason why it is incomplete; a status of
   * Responses starts with "status:".
   */
  stop?: string | null;
  usage?: {
    input: number;
    output: number;
    /** Tokens of the input from and to the prompt cache; OpenAI reports only the former. */
    cacheRead?: number;
    cacheWrite?: number;
  } | null;
  /** Its reasoning, in the field of each format. */
  thought?: string;
  /** Chat only: tokens of the answer with the natural logarithm of their probability. */
  logprobs?: { token: string; logprob: number }[];
  /** Names that the tool search of the provider returns. */
  found?: string[];
}

/** An answer in the format of a provider. */
export function writeAnswer(dialect: Dialect, model: string, answer: FakeAnswer): JsonObject {
  const usage = answer.usage === undefined ? { input: 120, output: 17 } : answer.usage;
  const calls = (answer.calls ?? []).map((call, index) => ({ id: `call_${index + 1}`, ...call }));
  const asText = (value: JsonValue) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (dialect === 'messages') {
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [
        ...(answer.thought === undefined
          ? []
          : [{ type: 'thinking', thinking: answer.thought, signature: 'sig' }]),
        ...(answer.found === undefined
          ? []
          : [
              {
                type: 'server_tool_use',
                id: 'srvtoolu_1',
                name: 'tool_search_tool_bm25',
                input: { query: 'x' },
              },
              {
                type: 'tool_search_tool_result',
                tool_use_id: 'srvtoolu_1',
                content: {
                  type: 'tool_search_tool_search_result',
                  tool_references: answer.found.map((name) => ({
                    type: 'tool_reference',
                    tool_name: name,
                  })),
                },
              },
            ]),
        ...(answer.text ? [{ type: 'text', text: answer.text }] : []),
        ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
      ],
      stop_reason:
        answer.stop === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : answer.stop,
      stop_sequence: null,
      ...(usage && {
        usage: {
          input_tokens: usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0),
          cache_creation_input_tokens: usage.cacheWrite ?? 0,
          cache_read_input_tokens: usage.cacheRead ?? 0,
          output_tokens: usage.output,
        },
      }),
    };
  }
  if (dialect === 'chat') {
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [
        {
          index: 0,
          finish_reason:
            answer.stop === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : answer.stop,
          ...(answer.logprobs && { logprobs: { content: answer.logprobs } }),
          message: {
            role: 'assistant',
            content: answer.text ?? null,
            ...(answer.thought !== undefined && { reasoning_content: answer.thought }),
            ...(answer.refusal !== undefined && { refusal: answer.refusal }),
            ...(calls.length > 0 && {
              tool_calls: calls.map(({ id, name, arguments: args }) => ({
                id,
                type: 'function',
                function: { name, arguments: asText(args) },
              })),
            }),
          },
        },
      ],
      ...(usage && {
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
        },
      }),
    };
  }
  const parts: JsonValue[] = [];
  if (answer.text != null) parts.push({ type: 'output_text', text: answer.text, annotations: [] });
  if (answer.refusal !== undefined) parts.push({ type: 'refusal', refusal: answer.refusal });
  const status = answer.stop?.startsWith('status:')
    ? answer.stop.slice('status:'.length)
    : answer.stop
      ? 'incomplete'
      : 'completed';
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model,
    status,
    error: status === 'failed' ? { code: 'server_error', message: 'The model broke down.' } : null,
    incomplete_details: status === 'incomplete' ? { reason: answer.stop ?? null } : null,
    output: [
      ...(answer.thought === undefined
        ? []
        : [
            {
              type: 'reasoning',
              id: 'rs_1',
              summary: [{ type: 'summary_text', text: answer.thought }],
              encrypted_content: 'sealed',
            },
          ]),
      ...(answer.found === undefined
        ? []
        : [
            {
              type: 'tool_search_call',
              id: 'ts_1',
              status: 'completed',
              execution: 'server',
              arguments: {},
            },
            {
              type: 'tool_search_output',
              id: 'tso_1',
              status: 'completed',
              execution: 'server',
              tools: answer.found.map((name) => ({ type: 'function', name })),
            },
          ]),
      ...(parts.length > 0
        ? [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: parts }]
        : []),
      ...calls.map(({ id, name, arguments: args }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: asText(args),
        status: 'completed',
      })),
    ],
    ...(usage && {
      usage: {
        input_tokens: usage.input,
        output_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
      },
    }),
  };
}

/** An error in the format of a provider. */
export function writeError(
  dialect: Dialect,
  type: string,
  message: string,
  code: string | null = null,
): JsonObject {
  return dialect === 'messages'
    ? { type: 'error', error: { type, message }, request_id: 'req_1' }
    : { error: { message, type, param: null, code } };
}
