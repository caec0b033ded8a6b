import { orElse } from '../../../../src-shared/domain/orElse.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { WireApi } from '../../../../src-shared/domain/wireFormat.ts';
import { ChatFailure } from '../chatModel.ts';
import { unwrapped } from '../request/readBody.ts';
import { endingOf } from './ending.ts';

/**
 * The body of an answer that came as a stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html),
 * as its endpoint gives it where nothing is streamed, so that one reader reads both. Some endpoints
 * stream although nobody asked (https://github.com/BerriAI/litellm/issues/25766). Any other text is
 * returned as it is. Throws ChatFailure where the stream ends before the answer does.
 */
export function readStream(wireApi: WireApi, text: string, thing: string): string {
  // Comments before a body that isn't a stream keep its connection open (OpenRouter).
  const plain = text.replace(/^(?:\s*:[^\n]*\n)+\s*(?=[{[])/, '');
  const events = eventsIn(plain);
  if (events === null) return plain;
  const { values, isDone } = events;
  const error = values.find(isError);
  if (error !== undefined) return JSON.stringify(errorOf(error));
  // One whole answer, only framed as a stream (https://github.com/decolua/9router/issues/3492).
  const wholes = values.filter(isWhole);
  const whole = wholes.length > 1 ? lastOfGrowing(wholes) : wholes[0];
  if (whole !== undefined) return JSON.stringify(whole);
  const { body, isComplete } = joiners[wireApi](values);
  // Only Chat Completions end with [DONE].
  if (isComplete || (isDone && wireApi === 'openai-chat')) return JSON.stringify(body);
  throw new ChatFailure(
    'provider',
    `${thing} ended its stream before the answer was complete, after ${values.length} events.`,
    { response: body },
  );
}

interface Joined {
  body: JsonObject;
  /** The stream said that the answer ended. */
  isComplete: boolean;
}
const joiners: Record<WireApi, (events: readonly JsonObject[]) => Joined> = {
  'openai-chat': joinChunks,
  'openai-responses': joinResponse,
  'anthropic-messages': joinMessage,
};

/** The data of the events of a text; null if it is no stream. Comments and keep-alives are skipped. */
function eventsIn(text: string): { values: JsonObject[]; isDone: boolean } | null {
  const plain = text.replace(/^\uFEFF/, '');
  const framed = /^\s*(?::|(?:event|data|error|id|retry)\s*:)/.test(plain);
  const trailing = framed ? null : /^\s*(\{[\s\S]*\})\s*data:\s*\[DONE\]\s*$/.exec(plain);
  if (trailing) return { values: [parse(trailing[1] ?? '')].filter(isJsonObject), isDone: true };
  if (!framed) return linesIn(plain);
  const values: JsonObject[] = [];
  let isDone = false;
  for (const block of plain.split(/\r?\n\r?\n|\r\r/)) {
    const lines = block
      .split(/\r\n|\n|\r/)
      .flatMap((line) => /^(?:data|error): ?(.*)$/.exec(line)?.[1] ?? []);
    const data = lines.join('\n').trim();
    if (data === '') continue;
    if (data === '[DONE]') {
      isDone = true;
      continue;
    }
    const value = parse(data);
    // Some gateways give the type of an event only in its name.
    const name = /^event: ?(.*)$/m.exec(block)?.[1]?.trim() ?? '';
    if (isJsonObject(value))
      values.push(/^error$|[._]/.test(name) ? { type: name, ...value } : unwrapped(value));
    // Events that a server separates by one line end only.
    else
      for (const line of lines) {
        const each = parse(line);
        if (isJsonObject(each)) values.push(unwrapped(each));
        else if (line.trim() === '[DONE]') isDone = true;
      }
  }
  return values.length === 0 && !isDone ? null : { values, isDone };
}

/**
 * The same for one JSON object in each line, as Ollama streams by itself
 * (https://docs.ollama.com/api/streaming), also where the last line was cut off. Several answers in
 * one text are none.
 */
function linesIn(text: string): { values: JsonObject[]; isDone: boolean } | null {
  if (!partial.test(text)) return null;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const isLast = (at: number): boolean => at > 0 && at === lines.length - 1;
  const values: JsonObject[] = [];
  for (const [at, line] of lines.entries()) {
    const value = parse(line);
    if (isJsonObject(value) && isPart(value, at)) values.push(asChunk(value));
    else if (isLast(at) && /^\s*(?:data:\s*)?\[DONE\]\s*$/.test(line))
      return { values, isDone: true };
    else if (!isLast(at) || isJsonObject(value)) return null;
  }
  return values.length === 0 ? null : { values, isDone: false };
}

/** What the first part of any stream has, and few whole answers: those needn't be parsed twice. */
const partial = /"(?:done|delta)"|"type"\s*:\s*"(?:response\.|message_|content_block_|ping)/;

/** A part of an answer, or an error after one; a single object is a part where it isn't done. */
const isPart = ({ done, choices, type, error }: JsonObject, at: number): boolean =>
  (at === 0 ? done === false : typeof done === 'boolean' || error != null) ||
  (typeof type === 'string' && /^(?:response\.|message_|content_block_|ping)/.test(type)) ||
  (Array.isArray(choices) &&
    choices.some((each) => isJsonObject(each) && isJsonObject(each['delta'])));

/** A part of Ollama's own format (docs/api.md of ollama/ollama) as one of Chat Completions. */
function asChunk(part: JsonObject): JsonObject {
  const { message, response, done, done_reason: reason, ...head } = part;
  if (typeof done !== 'boolean') return part;
  const delta = isJsonObject(message) ? message : { content: response ?? null };
  const finish = done ? (reason ?? 'stop') : null;
  return { ...head, choices: [{ index: 0, delta, finish_reason: finish }] };
}

function parse(text: string): unknown {
  return orElse(() => parseJson(text), null);
}

const isError = (event: JsonObject): boolean =>
  event['type'] === 'error' ||
  (event['error'] != null &&
    event['choices'] === undefined &&
    event['response'] === undefined &&
    event['output'] === undefined);

const errorOf = (event: JsonObject): JsonObject =>
  event['error'] == null ? { error: event } : event;

/** An answer as it is where nothing is streamed. */
const isWhole = ({ choices, type, output, object }: JsonObject): boolean =>
  (Array.isArray(choices) &&
    choices.some(
      (choice) =>
        isJsonObject(choice) && isJsonObject(choice['message']) && choice['delta'] === undefined,
    )) ||
  (type === 'message' && object === undefined) ||
  (object === 'response' && Array.isArray(output));

/** The last of several answers of which each repeats the one before and goes on (DashScope). */
function lastOfGrowing(answers: readonly JsonObject[]): JsonObject | undefined {
  const said = answers.map(({ choices }) => {
    const [choice] = Array.isArray(choices) ? choices.filter(isJsonObject) : [];
    const content = isJsonObject(choice?.['message']) ? choice['message']['content'] : null;
    return typeof content === 'string' ? content : '';
  });
  const grows = said.every((text, at) => text.startsWith(said[at - 1] ?? ''));
  return grows ? answers.at(-1) : undefined;
}

/** Chat Completions: https://platform.openai.com/docs/api-reference/chat-streaming */
function joinChunks(events: readonly JsonObject[]): Joined {
  const body: JsonObject = {};
  const choices = new Map<number, { message: JsonObject; rest: JsonObject; calls: Calls }>();
  for (const { choices: given, usage, ...head } of events) {
    for (const [name, value] of Object.entries(head)) if (value !== null) body[name] ??= value;
    const ofGroq = isJsonObject(head['x_groq']) ? head['x_groq']['usage'] : null;
    const reported = usage ?? ofGroq;
    if (reported != null) body['usage'] = reported;
    for (const choice of Array.isArray(given) ? given.filter(isJsonObject) : []) {
      const { index, delta, message, text, finish_reason: finish, usage: own, ...rest } = choice;
      // Moonshot reports usage in the last choice.
      if (own != null) body['usage'] ??= own;
      const at = typeof index === 'number' ? index : 0;
      const known = choices.get(at) ?? { message: {}, rest: {}, calls: new Calls() };
      choices.set(at, known);
      const logprobs = joinValues(known.rest['logprobs'], rest['logprobs']);
      Object.assign(known.rest, withoutNull(rest), logprobs !== undefined && { logprobs });
      if (finish != null && !isTelling(known.rest['finish_reason']))
        known.rest['finish_reason'] = finish;
      // A stream of text completions has its text in the choice.
      const part = [delta, message].find(isJsonObject) ?? (text == null ? {} : { content: text });
      const { tool_calls: calls, role, ...fields } = part;
      if (role != null) known.message['role'] ??= role;
      for (const [name, value] of Object.entries(fields)) {
        const joined = joinValues(known.message[name], value);
        if (joined !== undefined) known.message[name] = joined;
      }
      if (Array.isArray(calls)) known.calls.add(calls.filter(isJsonObject));
    }
  }
  const joined = [...choices].sort(([a], [b]) => a - b);
  return {
    body: {
      ...body,
      choices: joined.map(([index, { message, rest, calls }]): JsonObject => ({
        index,
        finish_reason: null,
        ...rest,
        message: {
          role: 'assistant',
          content: null,
          ...message,
          ...(calls.list.length > 0 && { tool_calls: calls.list }),
        },
      })),
    },
    isComplete: joined.some(([, { rest }]) => rest['finish_reason'] != null),
  };
}

/** An end that a later, ordinary one doesn't replace ("length", then "stop"). */
const isTelling = (finish: JsonValue | undefined): boolean =>
  ['cut_off', 'filtered', 'refused', 'failed'].includes(endingOf(finish, { called: false }));

/**
 * Calls that come in parts. A part belongs to the call of its index, or without one to the call of
 * its id, or else to the last one. Some endpoints give every call the index 0 or none
 * (https://github.com/openai/openai-python/pull/3246, https://github.com/ai-dynamo/dynamo/pull/4723), so
 * another id begins another call, and so does a name after arguments that are complete. A part with
 * another id and no name continues a call: some endpoints give every part an id of its own.
 */
class Calls {
  readonly #calls: { index: JsonValue | undefined; call: JsonObject }[] = [];

  get list(): JsonObject[] {
    return this.#calls.map(({ call }) => call);
  }

  add(parts: readonly JsonObject[]): void {
    for (const { index, ...part } of parts) {
      const known = this.#callOf(index, part);
      if (known === undefined) this.#calls.push({ index, call: part });
      else
        for (const [name, value] of Object.entries(part)) {
          if (name === 'id' || name === 'type') known[name] ??= value;
          else known[name] = joinCall(name, known[name], value);
        }
    }
  }

  #callOf(index: JsonValue | undefined, part: JsonObject): JsonObject | undefined {
    const id = typeof part['id'] === 'string' && part['id'] !== '' ? part['id'] : null;
    const last = this.#calls.findLast((each) => index == null || each.index === index);
    if (last === undefined) return undefined;
    const name = isJsonObject(part['function']) ? part['function']['name'] : null;
    const isNamed = typeof name === 'string' && name !== '';
    if (id !== null && last.call['id'] !== id) {
      if (last.call['id'] == null || last.call['id'] === '') return last.call;
      const own = this.#calls.find(({ call }) => call['id'] === id)?.call;
      return own ?? (isNamed || index == null ? undefined : last.call);
    }
    if (id !== null || !isNamed) return last.call;
    // A whole call without an id: its name begins another call, also where the index is the same.
    return index == null || hasWhole(last.call) ? undefined : last.call;
  }
}

/**
 * The last part of some streams repeats the whole call; others begin each with `{}`, as Messages do,
 * before its arguments.
 */
const isBegunAnew = (before: JsonValue | undefined, more: JsonValue): boolean =>
  (before === more && hasWhole({ function: { arguments: more } })) ||
  (before === '{}' && typeof more === 'string' && more.trimStart().startsWith('{'));

/** Whether the arguments of a call are complete. */
function hasWhole({ function: inner }: JsonObject): boolean {
  const given = isJsonObject(inner) ? inner['arguments'] : null;
  return isJsonObject(given) || (typeof given === 'string' && isJsonObject(parse(given)));
}

/** The name of a function comes once or in parts; its arguments in parts, or as a value. */
function joinCall(name: string, before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (name !== 'function' || !isJsonObject(before) || !isJsonObject(value))
    return joinValues(before, value) ?? null;
  const { name: more, ...rest } = value;
  const known = before['name'];
  const joined = Object.entries(rest).map(([key, each]): [string, JsonValue] => [
    key,
    key === 'arguments' && isBegunAnew(before[key], each)
      ? each
      : (joinValues(before[key], each) ?? null),
  ]);
  return {
    ...before,
    ...Object.fromEntries(joined),
    ...(typeof more === 'string' &&
      more !== known && { name: `${typeof known === 'string' ? known : ''}${more}` }),
  };
}

/** Texts and lists are continued, objects member by member; anything else is replaced. */
function joinValues(
  before: JsonValue | undefined,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (value === undefined || value === null) return before;
  if (typeof before === 'string' && typeof value === 'string') return before + value;
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  if (isJsonObject(before) && isJsonObject(value)) {
    const joined: JsonObject = { ...before };
    for (const [name, each] of Object.entries(value)) {
      const next = joinValues(before[name], each);
      if (next !== undefined) joined[name] = next;
    }
    return joined;
  }
  return value;
}

const withoutNull = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Responses: https://platform.openai.com/docs/api-reference/responses-streaming */
function joinResponse(events: readonly JsonObject[]): Joined {
  const ends = ['response.completed', 'response.incomplete', 'response.failed', 'response.done'];
  const last = events.findLast(({ type }) => typeof type === 'string' && ends.includes(type));
  const begun = events.find(({ response }) => isJsonObject(response));
  const response = last?.['response'] ?? begun?.['response'];
  const items = itemsIn(events);
  const body = isJsonObject(response) ? response : {};
  const given = body['output'];
  return {
    // Some gateways leave the output of the last event empty.
    body: { ...body, output: Array.isArray(given) && given.length > 0 ? given : items },
    isComplete: last !== undefined,
  };
}

/**
 * The items that a stream of Responses ends one by one; those that it only begins and continues are
 * joined from their parts.
 */
function itemsIn(events: readonly JsonObject[]): JsonObject[] {
  const items: { index: JsonValue; item: JsonObject; isDone: boolean }[] = [];
  for (const { type, output_index: index = 0, item, delta, arguments: args, text } of events) {
    const known = items.findLast((each) => each.index === index && !each.isDone);
    const add = (begun: JsonObject, isDone = false) => items.push({ index, item: begun, isDone });
    const isKnownWhole = known === undefined && items.some((each) => each.index === index);
    if (type === 'response.output_item.added' && isJsonObject(item)) {
      // Its status is that of its beginning.
      const { status: _, ...begun } = item;
      add(begun);
    } else if (type === 'response.output_item.done' && isJsonObject(item)) {
      if (known) Object.assign(known, { item, isDone: true });
      else add(item, true);
    } else if (type === 'response.function_call_arguments.delta' && known)
      known.item['arguments'] = joinValues(known.item['arguments'], delta) ?? null;
    else if (type === 'response.function_call_arguments.done' && known && args !== undefined)
      known.item['arguments'] = args;
    else if (typeof delta === 'string' && type === 'response.output_text.delta' && !isKnownWhole) {
      if (!known) add({ type: 'message', role: 'assistant', content: delta });
      else if (typeof known.item['content'] === 'string') known.item['content'] += delta;
      else known.item['content'] = delta;
    } else if (typeof text === 'string' && type === 'response.output_text.done' && !isKnownWhole) {
      if (!known) add({ type: 'message', role: 'assistant', content: text });
      // A message has one text for each of its parts.
      else if (typeof known.item['content'] !== 'string' || text.startsWith(known.item['content']))
        known.item['content'] = text;
    }
  }
  return items.map(({ item }) => item);
}

/** Messages: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
function joinMessage(events: readonly JsonObject[]): Joined {
  let body: JsonObject = { type: 'message', role: 'assistant' };
  // A block that begins with an index that is taken is another one.
  const blocks: { index: JsonValue; block: JsonObject; input: string }[] = [];
  for (const { type, message, index = 0, content_block: block, delta, usage } of events) {
    if (type === 'message_start' && isJsonObject(message)) body = { ...body, ...message };
    if (type === 'content_block_start' && isJsonObject(block))
      blocks.push({ index, block: { ...block }, input: '' });
    if (type === 'content_block_delta' && isJsonObject(delta)) {
      let open = blocks.findLast((each) => each.index === index);
      if (!open) blocks.push((open = { index, block: { type: 'text', text: '' }, input: '' }));
      const { block: known } = open;
      const { type: kind, partial_json: json, ...parts } = delta;
      if (kind === 'input_json_delta')
        open.input += typeof json === 'string' ? json : json == null ? '' : JSON.stringify(json);
      else
        for (const [name, value] of Object.entries(parts)) {
          // A citation is one more of a list.
          const [field, each] = name === 'citation' ? ['citations', [value]] : [name, value];
          const joined = joinValues(known[field], each);
          if (joined !== undefined) known[field] = joined;
        }
    }
    if (type === 'message_delta') {
      if (isJsonObject(delta)) body = { ...body, ...withoutNull(delta) };
      if (isJsonObject(usage)) {
        const before = body['usage'];
        body['usage'] = { ...(isJsonObject(before) ? before : {}), ...withoutNull(usage) };
      }
    }
  }
  for (const { block, input } of blocks) if (input.trim() !== '') block['input'] = readInput(input);
  const content = blocks
    .toSorted((a, b) => Number(a.index) - Number(b.index))
    .map(({ block }) => block);
  return {
    body: { ...body, content },
    isComplete: body['stop_reason'] != null || events.some(({ type }) => type === 'message_stop'),
  };
}

/** Arguments that were cut off stay a text, which the reader reports as such. */
function readInput(json: string): JsonValue {
  return orElse(() => parseJson(json) as JsonValue, json);
}
