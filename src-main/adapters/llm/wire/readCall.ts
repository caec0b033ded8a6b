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
  const offered = exact ?? byName.get(bareName(call.name));
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

/** The names that endpoints give to the arguments of a call. */
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

function leftOutNote(given: unknown): string {
  const as = given === undefined ? 'were left out' : `came as ${JSON.stringify(given)}`;
  return `The arguments ${as} and were read as {}.`;
}

/**
 * What endpoints put before the name that was sent: the namespace of OpenAI's and Gemini's prompts,
 * spaces, quotes; and the number that Kimi K2 puts after it, or the markers of gpt-oss
 * ("<|channel|>commentary").
 */
const namespace = /^(?:functions?|tools?|default_api)[.:/]/;
const bareName = (name: string): string =>
  name
    .slice(0, 300)
    .replace(/<\|(?:channel|constrain|message|call|end|return)\|>.*$/su, '')
    .replace(/^[\s"'`]+|[\s"'`]+$/g, '')
    .replace(namespace, '')
    .replace(callSuffix, '');

/**
 * The name of a call as every endpoint takes it back in the model's own message: OpenAI refuses other
 * characters ("string does not match pattern") and longer names.
 */
export const sendableName = (name: unknown): string =>
  bareName(typeof name === 'string' ? name : '')
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
