import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { PriorMessage } from '../../../../src-shared/domain/testCase.ts';
import { plainName } from './fieldNames.ts';
import { readArguments } from './writtenArguments.ts';

/** A message of a conversation in the notation of any program. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'result';
  text: string;
  /** Calls of the assistant, as `{name, arguments}`. */
  calls: JsonObject[];
  /** What the source calls each of them, to find its result; null where it has no name. */
  callIds?: (string | null)[];
  /** What became of calls, as far as the message says so. */
  results?: CallResult[];
}

interface CallResult {
  id: string | null;
  failed: boolean;
}

/**
 * The words for who speaks: OpenAI and Anthropic (role), Gemini (role model), LangChain (type human,
 * ai), ShareGPT (from human, gpt, function_call, observation).
 */
const roles: Readonly<Record<string, ChatMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  assistanttool: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  gpt: 'assistant',
  bot: 'assistant',
  agent: 'assistant',
  functioncall: 'assistant',
  toolcall: 'assistant',
  tool: 'result',
  function: 'result',
  observation: 'result',
  toolresult: 'result',
  toolresponse: 'result',
  functionresponse: 'result',
  functioncalloutput: 'result',
  customtoolcalloutput: 'result',
};

/** Items of an answer that are neither said nor called: thoughts, and tools that a provider runs. */
const silentItems: ReadonlySet<string> = new Set(
  (
    'reasoning itemreference compaction websearchcall filesearchcall codeinterpretercall ' +
    'imagegenerationcall mcplisttools mcpapprovalrequest mcpapprovalresponse'
  ).split(' '),
);

const roleKeys = ['role', 'from', 'type', 'speaker', 'author', 'sender'];

/** The messages of a value; null if it is no conversation. */
export function readMessages(value: JsonValue | undefined): ChatMessage[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  // The only turn of a list of turns.
  if (value.length === 1 && Array.isArray(value[0])) return readMessages(value[0]);
  const messages: ChatMessage[] = [];
  for (const each of value) {
    const read = isJsonObject(each) ? readMessage(each) : null;
    if (read === null) return null;
    messages.push(...read);
  }
  return messages.length === 0 ? null : messages;
}

/** The class of a message as LangChain serializes it: `{lc, type: "constructor", id: […, "HumanMessage"], kwargs}`. */
function readSerialized({ id, kwargs }: JsonObject): ChatMessage[] | null {
  const name = Array.isArray(id) ? id.at(-1) : undefined;
  return typeof name === 'string' && isJsonObject(kwargs)
    ? readMessage({ ...kwargs, type: name })
    : null;
}

function readMessage(object: JsonObject): ChatMessage[] | null {
  const type = typeof object['type'] === 'string' ? plainName(object['type']) : '';
  if (type === 'constructor') return readSerialized(object);
  if (silentItems.has(type)) return [];
  const item = readItem(type, object);
  if (item !== null) return [item];
  const data = isJsonObject(object['data']) ? object['data'] : {};
  const named = roleKeys
    .map((key) => object[key])
    .find(
      (value) =>
        typeof value === 'string' &&
        Object.hasOwn(roles, plainName(value).replace(/message(?:chunk)?$/, '')),
    );
  if (typeof named !== 'string') return spokenBy(object);
  const said = plainName(named);
  const role = roles[said.replace(/message(?:chunk)?$/, '')] ?? 'user';
  const content =
    object['content'] ??
    object['value'] ??
    object['parts'] ??
    object['text'] ??
    data['content'] ??
    null;
  const { text: whole, calls, results, ends } = readContent(content);
  const { text, calls: tagged } =
    role === 'assistant' ? taggedCalls(whole) : { text: whole, calls: [] };
  const called = [
    ...listOf(object['tool_calls'] ?? object['toolCalls'] ?? data['tool_calls']),
    ...listOf(object['function_call'] ?? object['functionCall'] ?? object['toolCallName']),
  ];
  const own = called.flatMap(readMessageCall);
  // A call that can't be read isn't a message without calls.
  if (own.length < called.length) return null;
  // ShareGPT writes a call as the JSON text of a message of its own.
  const isCall = said === 'functioncall' || said === 'toolcall';
  const written = isCall ? listOf(readJson(text)).flatMap(readMessageCall) : [];
  // LangChain keeps the calls of Anthropic in the content as well.
  const all = [...(own.length > 0 ? [] : [...calls, ...tagged]), ...own, ...written];
  const result: ChatMessage = { role: 'result', text: results ?? '', calls: [], results: ends };
  if (role === 'user' && results !== null && text === '') return [result];
  return [
    ...(role === 'user' && results !== null ? [result] : []),
    {
      role,
      text: isCall && written.length > 0 ? '' : text,
      calls: role === 'assistant' ? all.map(({ call }) => call) : [],
      ...(role === 'assistant' && all.length > 0 && { callIds: all.map(({ id }) => id) }),
      ...(role === 'result' && { results: ends.length > 0 ? ends : [endOf(object)] }),
    },
  ];
}

/**
 * An item of the Responses API, which Codex and the Agents SDK keep too: a call or its result as an
 * object of its own (https://platform.openai.com/docs/api-reference/responses/object).
 */
function readItem(type: string, object: JsonObject): ChatMessage | null {
  const id = idOf(object);
  const { name } = object;
  if (type === 'functioncalloutput' || type === 'customtoolcalloutput') {
    const { output = null } = object;
    const text = typeof output === 'string' ? output : readContent(output).text;
    return { role: 'result', text, calls: [], results: [endOf(object)] };
  }
  if (!['functioncall', 'customtoolcall', 'mcpcall'].includes(type) || typeof name !== 'string')
    return null;
  const server = object['server_label'];
  const own = typeof server === 'string' ? `${server}:${name}` : name;
  const read = readMessageCall({ ...object, name: own });
  return {
    role: 'assistant',
    text: '',
    calls: read.map(({ call }) => call),
    callIds: [id],
    // One that the provider carries out has its result with it.
    ...(type === 'mcpcall' && { results: [{ id, failed: endOf(object).failed }] }),
  };
}

const idOf = (object: JsonObject): string | null => {
  const id =
    object['call_id'] ??
    object['tool_call_id'] ??
    object['tool_use_id'] ??
    object['toolCallId'] ??
    object['id'];
  return typeof id === 'string' ? id : null;
};

/** What a result says of its call: `is_error` of Anthropic and MCP, `status` of LangChain, `error`. */
function endOf(object: JsonObject): CallResult {
  const said = object['is_error'] ?? object['isError'];
  const { error = null, status } = object;
  return {
    id: idOf(object),
    failed: said === true || (error !== null && error !== '') || status === 'error',
  };
}

/** `{user: "…", assistant: "…"}`: who says what by name. */
function spokenBy(object: JsonObject): ChatMessage[] | null {
  const messages = Object.entries(object).flatMap(([name, value]): ChatMessage[] => {
    const role = Object.hasOwn(roles, plainName(name)) ? roles[plainName(name)] : undefined;
    return role !== undefined && typeof value === 'string'
      ? [{ role, text: value, calls: [] }]
      : [];
  });
  return messages.length > 0 && messages.length === Object.keys(object).length ? messages : null;
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

function readJson(text: string): JsonValue | undefined {
  const object = readArguments(text);
  return object ?? undefined;
}

interface MessageCall {
  call: JsonObject;
  id: string | null;
}

/** A call in a message: `{function: {name, arguments}}`, `{name, args}` or `{name, input}`. */
function readMessageCall(value: JsonValue): MessageCall[] {
  if (typeof value === 'string' && /^[\w.:/-]+$/.test(value))
    return [{ call: { name: value }, id: null }];
  if (!isJsonObject(value)) return [];
  const inner =
    [value['function'], value['functionCall'], value['toolCall']].find(isJsonObject) ?? value;
  // Inspect keeps the name of the tool as its function.
  const name =
    inner['name'] ?? inner['tool_name'] ?? inner['toolName'] ?? inner['tool'] ?? inner['function'];
  const given = inner['arguments'] ?? inner['args'] ?? inner['input'] ?? inner['parameters'] ?? {};
  if (typeof name !== 'string') return [];
  const parameters = readArguments(given);
  const call = { name, ...(parameters !== null && { arguments: parameters }) };
  return [{ call, id: idOf(value) ?? idOf(inner) }];
}

/** Calls that a model wrote into its text, each in tags: Hermes, Qwen (`<tool_call>`), Glaive (`<functioncall>`). */
function taggedCalls(text: string): { text: string; calls: MessageCall[] } {
  if (!/<(?:tool|function)_?call>/i.test(text)) return { text, calls: [] };
  const calls: MessageCall[] = [];
  const rest = text.replaceAll(
    /<((?:tool|function)_?call)>\s*(\{[^]*?\})\s*(?:<\/\1>|<\|endoftext\|>|$)/gi,
    (all, _tag, json: string) => {
      const read = readMessageCall(readJson(json) ?? null);
      calls.push(...read);
      return read.length > 0 ? '' : all;
    },
  );
  return { text: rest.trim(), calls };
}

/** A text, or parts: of text, calls and results. */
function readContent(content: JsonValue): {
  text: string;
  calls: MessageCall[];
  results: string | null;
  ends: CallResult[];
} {
  if (typeof content === 'string') return { text: content, calls: [], results: null, ends: [] };
  const texts: string[] = [];
  const calls: MessageCall[] = [];
  const results: string[] = [];
  const ends: CallResult[] = [];
  for (const part of listOf(content)) {
    if (typeof part === 'string') texts.push(part);
    if (!isJsonObject(part)) continue;
    const type = typeof part['type'] === 'string' ? plainName(part['type']) : '';
    const response = part['functionResponse'] ?? part['function_response'];
    if (type === 'toolresult' || type === 'toolcallresponse' || response !== undefined) {
      results.push(
        readContent(part['content'] ?? part['result'] ?? part['response'] ?? response ?? null).text,
      );
      ends.push(endOf(part));
    } else if (
      ['tooluse', 'toolcall', 'functioncall'].includes(type) ||
      isJsonObject(part['functionCall'] ?? null) ||
      isJsonObject(part['function_call'] ?? null)
    )
      calls.push(...readMessageCall(part['functionCall'] ?? part['function_call'] ?? part));
    else if (typeof part['text'] === 'string') texts.push(part['text']);
    else if (typeof part['content'] === 'string') texts.push(part['content']);
  }
  return {
    text: texts.join('\n'),
    calls,
    results: results.length > 0 ? results.join('\n') : null,
    ends,
  };
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const maxResult = 500;

/**
 * Messages as a case can have them before its query: of the user and the assistant. Calls and their
 * results stand in the words of the assistant.
 */
export function toPriorMessages(messages: readonly ChatMessage[]): PriorMessage[] {
  const prior: PriorMessage[] = [];
  for (const { role, text, calls } of messages) {
    if (role === 'system') continue;
    if (role === 'user') {
      prior.push({ role: 'user', content: text });
      continue;
    }
    const said =
      role === 'result'
        ? `(result: ${text.slice(0, maxResult)})`
        : [
            ...calls.map(
              (call) =>
                `(called ${textOf(call['name'])} ${JSON.stringify(call['arguments'] ?? {})})`,
            ),
            text,
          ]
            .filter((part) => part !== '')
            .join(' ');
    const last = prior.at(-1);
    if (last?.role === 'assistant') last.content = `${last.content} ${said}`.trim();
    else if (said !== '') prior.push({ role: 'assistant', content: said });
  }
  return prior.filter(({ content }) => content !== '');
}

export const systemOf = (messages: readonly ChatMessage[]): string | null => {
  const texts = messages.flatMap(({ role, text }) =>
    role === 'system' && text !== '' ? [text] : [],
  );
  return texts.length === 0 ? null : texts.join('\n\n');
};

/** What stands before the last message of the user, that message, and what follows it. */
export function splitAtLastQuery(
  messages: readonly ChatMessage[],
): { before: ChatMessage[]; query: string; after: ChatMessage[] } | null {
  const at = messages.findLastIndex(({ role, text }) => role === 'user' && text.trim() !== '');
  const asked = messages[at];
  return asked === undefined
    ? null
    : { before: messages.slice(0, at), query: asked.text, after: messages.slice(at + 1) };
}
