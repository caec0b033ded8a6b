import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { readMessages, type ChatMessage } from '../exchange/chatMessages.ts';
import { nonEmptyText } from '../exchange/values.ts';

/** A request to a model and its answer, as any program logs it. */
export interface Conversation {
  messages: ChatMessage[];
  system: string | null;
  model: string | null;
  time: string | null;
}

/** The value of a text of JSON; every other value as it is. */
export function parsed(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return orElse(() => parseJson(value) as JsonValue, value);
}

const objectAt = (value: JsonValue | undefined): JsonObject | null => {
  const read = parsed(value);
  return isJsonObject(read ?? null) ? (read as JsonObject) : null;
};

const firstOf = (object: JsonObject, names: readonly string[]): JsonValue | undefined =>
  names.map((name) => object[name]).find((value) => value !== undefined && value !== null);

/** Where programs keep what was sent to a model. */
const requests = (
  'request reqPayload request_body input inputs prompt_messages prompt kwargs ' +
  'proxy_server_request'
).split(' ');
/** Where they keep what it answered. */
const responses =
  'response respPayload response_body output outputs completion_message completion result'.split(
    ' ',
  );

/**
 * The conversation of a record: the messages of the request, and the answer after them. Null for a
 * record without both, and for one whose request failed.
 *
 * Read are the notations of OpenAI (chat completions, responses), Anthropic, Gemini and Ollama,
 * alone or as LiteLLM (https://docs.litellm.ai/docs/proxy/logging_spec), Langfuse
 * (https://langfuse.com/docs/api-and-data-platform/features/export-to-blob-storage), LangSmith
 * (https://docs.langchain.com/langsmith/run-data-format) and proxies keep them.
 */
export function readConversation(record: JsonObject): Conversation | null {
  const evaluated = objectAt(objectAt(record['meta'])?.['eval']);
  if (Array.isArray(evaluated?.['toolCalls'])) return readEvaluated(record, evaluated['toolCalls']);
  const request = firstOf(record, requests);
  const body = bodyOf(request);
  const input = readInput(body) ?? readInput(record);
  const answer =
    readOutput(bodyOf(firstOf(record, responses))) ??
    readOutput(answerFields.some((name) => name in record) ? record : undefined);
  // Inspect has the whole conversation next to its input, and its last answer as the output.
  const logged = 'target' in record ? readList(record['messages']) : null;
  // A log of a state has it in its answer.
  const isWhole = answer?.some(({ role }) => role === 'user') === true;
  const messages =
    logged?.some(({ role }) => role === 'assistant') === true
      ? logged
      : isWhole
        ? answer
        : [...(input?.messages ?? []), ...(answer ?? [])];
  if (messages.length === 0) return null;
  const response = objectAt(bodyOf(firstOf(record, responses)));
  const sent = objectAt(body);
  const metadata = objectAt(objectAt(record['extra'])?.['metadata']) ?? {};
  const invocation = objectAt(objectAt(record['extra'])?.['invocation_params']) ?? {};
  return {
    messages,
    system: input?.system ?? null,
    model:
      nonEmptyText(record['model']) ??
      nonEmptyText(sent?.['model']) ??
      nonEmptyText(response?.['model']) ??
      nonEmptyText(metadata['ls_model_name']) ??
      nonEmptyText(invocation['model']),
    time: timeOf(record),
  };
}

/** A test of vitest-evals, whose title is the request (https://github.com/getsentry/vitest-evals). */
function readEvaluated({ title = '' }: JsonObject, calls: JsonValue): Conversation | null {
  const messages = readMessages([
    { role: 'user', content: title },
    { role: 'assistant', content: '', tool_calls: calls },
  ]);
  return messages && { messages, system: null, model: null, time: null };
}

const answerFields = ['choices', 'candidates', 'stop_reason', 'generations', 'message', 'content'];

/** The body of an HTTP message; every other value as it is. */
function bodyOf(value: JsonValue | undefined): JsonValue | undefined {
  const read = parsed(value);
  if (!isJsonObject(read ?? null)) return read;
  const object = read as JsonObject;
  const body = parsed(object['body'] ?? objectAt(object['postData'])?.['text']);
  const content = objectAt(object['content'])?.['text'];
  return isJsonObject(body ?? null) ? body : typeof content === 'string' ? parsed(content) : read;
}

export function timeOf(record: JsonObject): string | null {
  const time = firstOf(record, [
    'timestamp',
    'startTime',
    'start_time',
    'createdAt',
    'created_at',
    'startedDateTime',
    'created',
    'time',
  ]);
  if (typeof time === 'string') return time;
  if (typeof time !== 'number' && typeof time !== 'bigint') return null;
  const value = Number(time);
  // Seconds, milliseconds or nanoseconds since 1970.
  const milliseconds = value < 1e11 ? value * 1000 : value < 1e14 ? value : value / 1e6;
  return orElse(() => new Date(milliseconds).toISOString(), null);
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  const [message] = readMessages([{ role: 'system', content: value }]) ?? [];
  return nonEmptyText(message?.text);
}

function readInput(
  value: JsonValue | undefined,
): { messages: ChatMessage[]; system: string | null } | null {
  const read = parsed(value);
  if (typeof read === 'string')
    return read.trim() === ''
      ? null
      : { messages: [{ role: 'user', text: read, calls: [] }], system: null };
  const list = readList(read);
  if (list !== null) return { messages: list, system: null };
  if (!isJsonObject(read ?? null)) return null;
  const object = read as JsonObject;
  const inner = firstOf(object, ['messages', 'input', 'contents', 'prompt', 'question', 'query']);
  const messages = readInput(inner);
  if (messages === null) return null;
  const system = textOf(
    object['system'] ??
      object['instructions'] ??
      object['systemInstruction'] ??
      object['system_instruction'] ??
      objectAt(object['config'])?.['systemInstruction'],
  );
  return { messages: messages.messages, system: system ?? messages.system };
}

/** Messages, or lists of them: LangChain passes several conversations at a time. */
function readList(value: JsonValue | undefined): ChatMessage[] | null {
  if (!Array.isArray(value)) return null;
  return value.length === 1 && Array.isArray(value[0]) ? readList(value[0]) : readMessages(value);
}

const assistant = (content: JsonValue): ChatMessage[] | null =>
  readMessages([{ role: 'assistant', content }]);

/** What the blocks of an answer say and call; null if they do neither. */
const blocksOf = (blocks: JsonValue): ChatMessage[] | null =>
  assistant(blocks)?.filter(({ text, calls }) => text !== '' || calls.length > 0) ?? null;

/** What a model answered, in any notation; null if nothing is known of it. */
export function readOutput(value: JsonValue | undefined): ChatMessage[] | null {
  const read = parsed(value);
  if (read === undefined || read === null || read === '') return null;
  if (typeof read === 'string') return assistant(read);
  if (Array.isArray(read)) {
    const [first] = read;
    if (Array.isArray(first)) return readOutput(first);
    return readMessages(read) ?? (read.length === 1 ? readOutput(first) : null) ?? blocksOf(read);
  }
  if (!isJsonObject(read)) return null;
  const { choices, candidates, generations, output, message, messages, content } = read;
  const [choice] = Array.isArray(choices) ? choices : [];
  if (isJsonObject(choice ?? null)) {
    const { message: said, text } = choice as JsonObject;
    return isJsonObject(said ?? null)
      ? readMessages([{ role: 'assistant', ...(said as JsonObject) }])
      : readOutput(text);
  }
  const [candidate] = Array.isArray(candidates) ? candidates : [];
  if (isJsonObject(candidate ?? null)) {
    const said = (candidate as JsonObject)['content'];
    return isJsonObject(said ?? null)
      ? readMessages([{ role: 'model', ...(said as JsonObject) }])
      : null;
  }
  if (Array.isArray(generations)) return readOutput(generations[0]);
  if (Array.isArray(messages)) return readList(messages);
  if (isJsonObject(message ?? null))
    return readMessages([
      (message as JsonObject)['type'] === 'constructor'
        ? (message as JsonObject)
        : { role: 'assistant', ...(message as JsonObject) },
    ]);
  if (output !== undefined && output !== null) return readOutput(output);
  const isMessage = 'role' in read || 'tool_calls' in read || read['type'] === 'constructor';
  if (isMessage)
    return readMessages([read['type'] === 'constructor' ? read : { role: 'assistant', ...read }]);
  if (content !== undefined && content !== null) return assistant(content);
  const text = firstOf(read, ['text', 'completion', 'answer', 'response', 'result']);
  return text === undefined ? null : readOutput(text);
}
