import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readBody } from '../request/readBody.ts';
import { incompleteAnswer } from '../request/readAnswer.ts';
import { joinTexts, readContents } from '../wire/contents.ts';
import {
  argumentNames,
  argumentsText,
  callIds,
  isBlank,
  nameFault,
  readArguments,
  sendableName,
  type WrittenCall,
} from '../wire/readCall.ts';

/** One choice of a Chat Completions answer, or the only message of Ollama's own format. */
export interface Choice {
  finish: unknown;
  message: JsonObject;
  /** An error that ended the reply at a provider behind the endpoint (OpenRouter). */
  error: JsonObject | null;
  logprobs: { token: string; logprob: number }[];
}

/** The choices of an answer. Throws ChatFailure where it has none. */
export function choicesOf(body: JsonObject, thing: string): Choice[] {
  const { choices: given } = body;
  const choices = (Array.isArray(given) ? given : [given]).filter(isJsonObject);
  if (choices.length === 0 && isJsonObject(body['message']))
    choices.push({ message: body['message'], finish_reason: body['done_reason'] ?? null });
  if (choices.length === 0) throw incompleteAnswer(thing, 'choices', body);
  return choices.map(({ finish_reason: finish, message, delta, text, error, logprobs }) => ({
    finish: finish ?? null,
    message: [message, delta].find(isJsonObject) ?? { content: text ?? null },
    error: isJsonObject(error) ? error : null,
    logprobs: tokensIn(logprobs),
  }));
}

function tokensIn(logprobs: JsonValue | undefined): Choice['logprobs'] {
  const content = isJsonObject(logprobs) ? logprobs['content'] : null;
  return (Array.isArray(content) ? content : []).flatMap((each) =>
    isJsonObject(each) && typeof each['token'] === 'string' && typeof each['logprob'] === 'number'
      ? [{ token: each['token'], logprob: each['logprob'] }]
      : [],
  );
}

interface FoundCall extends WrittenCall {
  /** As it was written, with members that only its endpoint knows. */
  raw: JsonObject;
}

/**
 * The calls of a reply, in their order. One choice was asked for, so several are parts of one reply:
 * some endpoints give the text in one and the call in another, or a call in each of them, and then it
 * is one call. Throws ChatFailure for a call without a name.
 */
export function callsOf(choices: readonly Choice[], thing: string): FoundCall[] {
  const calls: Omit<FoundCall, 'id'>[] = [];
  for (const { message } of choices) {
    const before = new Set(calls.map(contentOf));
    calls.push(...callsIn(message, thing).filter((call) => !before.has(contentOf(call))));
  }
  const ids = callIds(calls.map(({ raw }) => raw['id']));
  return calls.map((call, index) => ({ ...call, id: ids[index] ?? '' }));
}

function callsIn(message: JsonObject, thing: string): Omit<FoundCall, 'id'>[] {
  const { tool_calls: written, function_call: legacy } = message;
  const given = typeof written === 'string' ? (readBody(written) as JsonValue) : written;
  // An endpoint without calls may write null, false or {}; one with a single call, no list.
  const calls = (Array.isArray(given) ? given : [given])
    .filter(isJsonObject)
    .filter((call) => Object.keys(call).length > 0)
    .map((call) => readWritten(call, message, thing));
  // A gateway of Messages leaves calls among the parts of the content.
  if (calls.length === 0 && Array.isArray(message['content']))
    calls.push(
      ...message['content'].filter(isCallPart).map((part) => readWritten(part, message, thing)),
    );
  if (!isJsonObject(legacy) || Object.keys(legacy).length === 0) return calls;
  const own = readWritten({ function: legacy }, message, thing);
  // Endpoints that know both forms write the same call in each of them.
  return calls.some((call) => contentOf(call) === contentOf(own)) ? calls : [...calls, own];
}

const callParts: readonly unknown[] = ['tool_use', 'tool_call', 'function_call'];
const isCallPart = (part: JsonValue): part is JsonObject =>
  isJsonObject(part) && callParts.includes(part['type']);

/** A call of a function, a custom tool (which was not offered), or with its members on the outside. */
function readWritten(raw: JsonObject, message: JsonObject, thing: string): Omit<FoundCall, 'id'> {
  const inner = [raw['function'], raw['custom']].find(isJsonObject) ?? raw;
  const name = [inner['name'], raw['function']].find((each) => typeof each === 'string');
  const fault = nameFault(name);
  if (fault !== null) throw incompleteAnswer(thing, fault, message);
  const given = argumentNames.find((each) => each in inner);
  return { raw, name: String(name), arguments: given === undefined ? undefined : inner[given] };
}

/** Equal for equal calls, however their arguments are written. */
function contentOf({ name, arguments: given }: Pick<WrittenCall, 'name' | 'arguments'>): string {
  return canonicalJson([name, readArguments(given) ?? argumentsText(given)]);
}

/**
 * The model's own message, to be put in again. It keeps what the endpoint added to it and to its
 * calls, because some must get it back: Gemini's `extra_content.google.thought_signature`,
 * `reasoning_content` (DeepSeek, Kimi, GLM), `reasoning_details` (OpenRouter), thinking parts
 * (Mistral), and whatever comes next. What strict endpoints refuse is written as they take it: ids
 * that differ, names of letters and digits, arguments that are JSON.
 */
export function messageOf(body: JsonObject, thing: string): ChatCompletionMessageParam {
  const choices = choicesOf(body, thing);
  const calls = callsOf(choices, thing);
  const kept = Object.fromEntries(
    [...choices].reverse().flatMap(({ message }) => Object.entries(message).filter(isTelling)),
  );
  const { role: _, content: __, tool_calls: ___, function_call: ____, ...own } = kept;
  return {
    ...own,
    role: 'assistant',
    content: contentToSend(choices),
    // An empty list is refused.
    ...(calls.length > 0 && { tool_calls: calls.map(callToSend) }),
  };
}

/** An empty member says nothing, and strict endpoints (Mistral) refuse names that they don't know. */
const isTelling = ([, value]: [string, JsonValue]): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0);

function contentToSend(choices: readonly Choice[]): string | null {
  const contents = choices.map(({ message }) => message['content']);
  const [only] = contents;
  // A list of parts goes back as it came.
  if (choices.length === 1 && Array.isArray(only)) {
    const parts = only.filter((part) => !isCallPart(part));
    return parts.length === 0 ? null : (parts as unknown as string);
  }
  return (
    joinTexts(contents.flatMap((content) => readContents(content).texts)) ??
    (typeof only === 'string' ? only : null)
  );
}

function callToSend({ id, name, arguments: given, raw }: FoundCall) {
  const { function: inner, custom: _, name: __, ...own } = raw;
  const outside = isJsonObject(inner) ? [] : argumentNames;
  return {
    ...Object.fromEntries(Object.entries(own).filter(([member]) => !outside.includes(member))),
    id,
    type: 'function' as const,
    function: {
      ...(isJsonObject(inner) ? inner : {}),
      name: sendableName(name),
      arguments: isBlank(given) ? '{}' : argumentsText(given),
    },
  };
}

const ofEveryMessage = new Set(['role', 'content', 'tool_calls', 'id', 'type', 'function']);

/** The members that only its endpoint gave to a message of the model, or to its calls. */
export const ownMembersOf = (message: ChatCompletionMessageParam): string[] =>
  message.role === 'assistant'
    ? [message, ...(message.tool_calls ?? [])]
        .flatMap((each) => Object.keys(each))
        .filter((member) => /^\w+$/.test(member) && !ofEveryMessage.has(member))
    : [];

/** A message of the model and its calls without some of their members. */
export function withoutMembers(
  message: ChatCompletionMessageParam,
  members: ReadonlySet<string>,
): ChatCompletionMessageParam {
  if (message.role !== 'assistant' || members.size === 0) return message;
  const without = <Value extends object>(value: Value): Value =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !members.has(name))) as Value;
  const { tool_calls: calls, ...kept } = without(message);
  return { ...kept, ...(calls && { tool_calls: calls.map(without) }) };
}

/**
 * The messages with `{}` in place of arguments that the model wrote wrongly, because vLLM and llama.cpp
 * parse the arguments of earlier calls and refuse them; null if all are JSON objects.
 */
export function withReadableArguments(
  messages: readonly ChatCompletionMessageParam[],
): ChatCompletionMessageParam[] | null {
  const changed = messages.map((message): ChatCompletionMessageParam => {
    if (message.role !== 'assistant' || !message.tool_calls) return message;
    const calls = message.tool_calls.map((call) =>
      call.type !== 'function' || readArguments(call.function.arguments) !== null
        ? call
        : { ...call, function: { ...call.function, arguments: '{}' } },
    );
    const isSame = calls.every((call, at) => call === message.tool_calls?.[at]);
    return isSame ? message : { ...message, tool_calls: calls };
  });
  return changed.every((message, at) => message === messages[at]) ? null : changed;
}
