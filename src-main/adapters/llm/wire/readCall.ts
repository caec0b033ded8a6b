import { isJson, isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { ActualCall } from '../../../../src-shared/domain/observation.ts';
import { adaptSchema } from './adaptSchema.ts';
import { withoutAddedNulls } from './strictSchema.ts';
import { callSuffix, maxNameLength } from './toolNames.ts';
import type { WireTools } from './wireTools.ts';

/** Deeper arguments stay text: SQLite reads 1,000 levels of JSON. */
export const maxStoredDepth = 900;

/** A call as an answer has it, whatever its format. */
export interface WrittenCall {
  id: string;
  name: string;
  arguments?: unknown;
}

/**
 * One call of a reply. Arguments that aren't an object stay text, as received; a name that was not
 * offered gets no tool. What was read otherwise than it is written is noted.
 */
export function readCall(call: WrittenCall, { byName }: WireTools): ActualCall {
  const exact = byName.get(call.name);
  const offered =
    exact ??
    namesIn(call.name)
      .map((name) => byName.get(name))
      .find((each) => each !== undefined);
  const tool = offered?.tool;
  const read = readArguments(call.arguments);
  const kept = read !== null && isJson(read, maxStoredDepth) ? read : null;
  const plain = kept && offered?.strict ? withoutAddedNulls(kept, offered.schema) : kept;
  const isLeftOut = plain === null && isBlank(call.arguments) && takesNone(offered?.schema);
  const args = isJsonObject(plain) ? plain : isLeftOut ? {} : null;
  const notes = [
    ...(offered && !exact ? [`The name came as ${JSON.stringify(call.name)}.`] : []),
    ...(isLeftOut ? [leftOutNote(call.arguments)] : []),
  ];
  return {
    id: call.id,
    server: tool?.server ?? null,
    tool: tool?.name ?? null,
    name: call.name,
    arguments: args,
    argumentsText: args === null ? argumentsText(call.arguments) : null,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

/** Arguments as an object, given as one or as its JSON text; null if they are neither. */
export function readArguments(given: unknown): JsonObject | null {
  if (typeof given !== 'string') return isJsonObject(given) ? given : null;
  try {
    const value = parseJson(given);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const argumentNames = ['arguments', 'input', 'parameters', 'args'];

/** The name and the arguments of a call, which may be inside a `function`. */
export function partsOf(raw: JsonObject): { name: unknown; arguments: unknown } {
  const inner = isJsonObject(raw['function']) ? raw['function'] : raw;
  const given = argumentNames.find((each) => each in inner);
  return { name: inner['name'], arguments: given === undefined ? undefined : inner[given] };
}

/** The text of arguments that could not be read, as received. */
export const argumentsText = (given: unknown): string =>
  typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given);

/** Arguments that were left out, in the ways that endpoints write that. */
export const isBlank = (given: unknown): boolean =>
  given == null || (typeof given === 'string' && /^\s*(?:null\s*)?$/.test(given));

/** Whether a tool can be called without arguments, so that leaving them out means `{}`. */
const takesNone = (schema: JsonObject | undefined): boolean =>
  schema !== undefined && !(Array.isArray(schema['required']) && schema['required'].length > 0);

/** As above, by the schema that the server published. */
export function takesNoArguments(published: JsonObject): boolean {
  const adapted = adaptSchema(published, 'openai');
  return 'schema' in adapted && takesNone(adapted.schema);
}

/** Says that blank arguments were read as `{}`. */
export function leftOutNote(given: unknown): string {
  const as = given === undefined ? 'were left out' : `came as ${JSON.stringify(given)}`;
  return `The arguments ${as} and were read as {}.`;
}

/**
 * What endpoints put before the name that was sent: the namespace of OpenAI's and Gemini's prompts,
 * or the role and the channel of gpt-oss.
 */
const namespace = /^(?:functions?|tools?|default_api|assistant|commentary|analysis)(?:[.:/]|\s+)/;
/**
 * Markers of gpt-oss's format (https://github.com/openai/harmony), also cut short, which endpoints
 * leave at names: "x<|channel|>commentary" (Groq, NVIDIA NIM), "x <|constrain|>json",
 * "assistant<|channel|>analysis" (ollama/ollama#11704).
 */
const marker = /<\|[a-z_]*\|?>?/;
/** What such a marker stands before. Without it, a word is glued to the name (ggml-org/llama.cpp#15158). */
const channel = /\s*(?:assistant|commentary|analysis|json)$|(?:^|\s+)(?:final|code)$/;

/**
 * The names that a written one may stand for, the most telling first: the one after `to=`, then each
 * part between markers, without spaces, quotes, namespaces, channels, and the number that Kimi K2 puts
 * after it.
 */
function namesIn(written: string): string[] {
  const text = written.slice(0, 300);
  const parts = [/\bto=\s*([^\s<]+)/.exec(text)?.[1] ?? '', ...text.split(marker)].map((part) =>
    part
      .replace(/^[\s"'`]+|[\s"'`]+$/g, '')
      .replace(namespace, '')
      .replace(namespace, '')
      .replace(callSuffix, ''),
  );
  return [...parts, ...parts.map((part) => part.replace(channel, ''))].filter(
    (part) => part !== '' && part.replace(channel, '') !== '',
  );
}

/** Why a call can't be read by its name; null if it can. */
export function nameFault(name: unknown): string | null {
  if (typeof name !== 'string' || name.trim() === '') return 'a call without a name';
  return marker.test(name) && namesIn(name).length === 0
    ? 'a call with markers of its format in place of a name'
    : null;
}

/**
 * The name of a call as every endpoint takes it back in the model's own message: OpenAI refuses other
 * characters ("string does not match pattern") and longer names.
 */
export const sendableName = (name: unknown): string =>
  (namesIn(typeof name === 'string' ? name : '')[0] ?? '')
    .replace(/[^A-Za-z0-9_-]/gu, '_')
    .slice(0, maxNameLength) || '_';

/**
 * An id for each call of a reply, so that each result has its own: numbers as text, and a new one
 * where it is missing, empty or double. New ones are nine letters and digits, as Mistral requires
 * ("must be a-z, A-Z, 0-9, with a length of 9").
 */
export function callIds(given: readonly unknown[]): string[] {
  const known = given.map((id) =>
    typeof id === 'number' || typeof id === 'bigint'
      ? String(id)
      : typeof id === 'string'
        ? id.trim()
        : '',
  );
  const used = new Set<string>();
  let last = 0;
  return known.map((id) => {
    let own = id;
    while (own === '' || used.has(own) || (own !== id && known.includes(own))) {
      last += 1;
      own = `call${String(last).padStart(5, '0')}`;
    }
    used.add(own);
    return own;
  });
}
