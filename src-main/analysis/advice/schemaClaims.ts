import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { firstSentence } from './spoken.ts';

/**
 * Whether a text says of parameters what the schema of its tool says otherwise: a call as an example
 * that lacks what is required or has a value that isn't allowed, a value of an enum that it doesn't
 * have, one value as if there were no other or all of them as if there were more, another default, or
 * another range. Such a text is about an older tool, or about another one.
 */
export function contradictsSchema(text: string, { inputSchema }: AnalysedTool): boolean {
  const { properties, required } = inputSchema;
  if (!isJsonObject(properties)) return false;
  const { calls, rest } = examplesIn(text);
  const needed = Array.isArray(required) ? required.map(String) : [];
  return (
    calls.some((call) => isRefused(call, properties, needed)) ||
    namesOtherValue(rest, properties) ||
    namesOneValue(text, properties) ||
    namesFurtherValues(text, properties) ||
    namesOtherDefault(text, properties) ||
    namesOtherRange(text, properties)
  );
}

/** Objects that a text has as examples, outermost ones only, and the text without them. */
function examplesIn(text: string): { calls: JsonObject[]; rest: string } {
  const calls: JsonObject[] = [];
  let rest = '';
  for (let at = 0; at < text.length; at += 1) {
    const end = text.charAt(at) === '{' ? endOfObject(text, at) : at;
    if (end === at) {
      rest += text.charAt(at);
      continue;
    }
    const lead = text.slice(text.lastIndexOf('\n', at) + 1, at);
    const call = parsed(text.slice(at, end));
    if (call !== null && !/\b(?:incorrect|wrong|invalid)\b/iu.test(lead)) calls.push(call);
    rest += ' ';
    at = end - 1;
  }
  return { calls, rest };
}

/** Where the object that opens at a place ends; the place itself if it doesn't. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return from;
}

/** An object as JSON, or as a script writes it: `{ id: 'a' }`; null of anything else. */
function parsed(text: string): JsonObject | null {
  const asJson = text
    .replaceAll(/'((?:[^'\\\n]|\\.)*)'/gu, (_, inner: string) => JSON.stringify(inner))
    .replaceAll(/(?<=[{,]\s*)([A-Za-z_$][\w$]*)\s*:/gu, '"$1":');
  for (const each of [text, asJson])
    try {
      const value: unknown = JSON.parse(each);
      if (isJsonObject(value)) return value;
    } catch {
      // The other notation, or no object.
    }
  return null;
}

function isRefused(call: JsonObject, properties: JsonObject, needed: readonly string[]): boolean {
  const own = Object.keys(call).filter((name) => name in properties);
  return (
    own.length > 0 &&
    (needed.some((name) => !(name in call)) ||
      own.some((name) => !isAllowed(call[name] ?? null, properties[name])))
  );
}

/** A text in place of a value: "<id>", "list|get", "...". */
const isPlaceholder = (value: JsonValue): boolean =>
  typeof value === 'string' && /[<>{}|…]|\.\.\./u.test(value);

function isAllowed(value: JsonValue, schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema) || isPlaceholder(value)) return true;
  const { enum: allowed, type } = schema;
  if (Array.isArray(allowed)) return allowed.includes(value);
  if (type === 'array' && Array.isArray(value))
    return value.every((each) => isAllowed(each, schema['items']));
  return typeof type !== 'string' || value === null || isOfType(value, type);
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return (type === 'integer' ? 'number' : type) === typeof value;
}

/** The values of an enum, also of a list's items, in lower case; empty without one. */
function valuesOf(schema: JsonValue | undefined): string[] {
  if (!isJsonObject(schema)) return [];
  const { enum: values, items } = schema;
  return Array.isArray(values)
    ? values.flatMap((value) => (typeof value === 'string' ? [value.toLowerCase()] : []))
    : valuesOf(items);
}

const escaped = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** `mode: "fast"` where the mode can't be fast. */
const namesOtherValue = (text: string, properties: JsonObject): boolean =>
  Object.entries(properties).some(([name, schema]) => {
    const values = valuesOf(schema);
    if (values.length === 0) return false;
    const given = new RegExp(
      `(?<![\\w.-])${escaped(name)}["'\`]?\\s*[:=]\\s*(["'\`])([^"'\`\\n]+)\\1`,
      'giu',
    );
    return [...text.matchAll(given)].some(
      ([, , value = '']) => !isPlaceholder(value) && !values.includes(value.toLowerCase()),
    );
  });

/** A value that is no word: "react-core" of "@scope/react-core", "pm10" is none. */
const nameOfValue = (value: string): string | null => {
  const name = value.split('/').at(-1) ?? '';
  return /[\p{L}\d][-_.][\p{L}\d]/u.test(name) ? name : null;
};

/**
 * "Reads a react-core module" where a call can choose another package: a text that says first that
 * the tool works on one value, of several that a parameter has.
 */
function namesOneValue(text: string, properties: JsonObject): boolean {
  const opening = firstSentence(text);
  return Object.values(properties).some((schema) => {
    const values = valuesOf(schema);
    if (values.length < 2) return false;
    const said = values.filter((value) => {
      const name = nameOfValue(value);
      if (name === null) return false;
      // In a list, in brackets or as an example it is one of several.
      const alone = `(?<![\\w.:/-]|[(,] ?|\\b(?:or|and|as|like|e\\.g\\.|default) )${escaped(name)}(?![\\w/,)-]| (?:or|and)\\b)`;
      return new RegExp(alone, 'iu').test(opening);
    });
    return said.length === 1;
  });
}

/** "(CSV, JSON, etc.)", "posts, pages and more". */
const openList = /([^.;:()\n]{1,200}?),? (?:etc\b|and (?:more|others|so on)\b)/giu;

/** Whether a list has all values of an enum, and says that there are more. */
const namesFurtherValues = (text: string, properties: JsonObject): boolean =>
  [...text.matchAll(openList)].some(([, list = '']) => {
    const said = new Set(list.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    return Object.values(properties)
      .map(valuesOf)
      .some((values) => values.length > 1 && values.every((value) => said.has(value)));
  });

const seconds = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
]);
const amount =
  /(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)?(?![\w.]*\d)/giu;

/** The numbers of a text; a time also in seconds and milliseconds. */
const numbersIn = (text: string): number[][] =>
  [...text.matchAll(amount)].map(([, number = '', unit = '']) => {
    const value = Number(number);
    const name = unit.toLowerCase();
    const factor = seconds.get(
      name.startsWith('mil') ? 'ms' : name.length > 2 ? name.charAt(0) : name,
    );
    return factor === undefined ? [value] : [value, value * factor, value * factor * 1_000];
  });

/** A default as a text states it: "defaults to last 5 minutes", "default: 50", "default is date". */
const defaulted =
  /\bdefault(?:s|ing)?[ :=(]+(?:(?:to|is|of|the|last|past)[ :=]+)*["'`]?[\w-]+(?:\.\d+)?(?: ?\p{L}+)?/giu;
const defaultsIn = (text: string): string[] => text.match(defaulted) ?? [];

/** "Defaults to 5 minutes" where the schema has defaults, and none of them is that. */
function namesOtherDefault(text: string, properties: JsonObject): boolean {
  const schemas = Object.values(properties).filter(isJsonObject);
  const known = new Set(
    schemas.flatMap(({ default: value, description }) => [
      ...(typeof value === 'number' ? [value, value / 1_000, value * 1_000] : []),
      ...(typeof description === 'string' ? defaultsIn(description).flatMap(numbersIn).flat() : []),
    ]),
  );
  const said = defaultsIn(text);
  if (known.size > 0 && said.flatMap(numbersIn).some((each) => !each.some((one) => known.has(one))))
    return true;
  // "Defaults to relevance" where it is sorted by date.
  const defaults = schemas.flatMap(({ default: value }) =>
    typeof value === 'string' ? [value] : [],
  );
  return said.some((phrase) => {
    const value = /^default(?:s|ing)?[ :=(]+(?:(?:to|is|of|the)[ :=]+)*["'`]?([\w-]+)/iu
      .exec(phrase)?.[1]
      ?.toLowerCase();
    return (
      value !== undefined &&
      !defaults.some((each) => each.toLowerCase() === value) &&
      schemas.some((each) => typeof each['default'] === 'string' && valuesOf(each).includes(value))
    );
  });
}

/** "limit (1-100)" where the limit is at most 50. */
const namesOtherRange = (text: string, properties: JsonObject): boolean =>
  Object.entries(properties).some(([name, schema]) => {
    if (!isJsonObject(schema)) return false;
    const { minimum, maximum } = schema;
    const range = new RegExp(
      `(?<![\\w.-])${escaped(name)}\\b[^.;\\n\\d]{0,20}(\\d+)\\s*(?:-|–|to)\\s*(\\d+)\\b`,
      'giu',
    );
    return [...text.matchAll(range)].some(
      ([, low, high]) =>
        (typeof minimum === 'number' && Number(low) < minimum) ||
        (typeof maximum === 'number' && maximum < Number(high)),
    );
  });
