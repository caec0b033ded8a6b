import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { exceedsDepth } from './depth.ts';
import { containsMatcher } from './matchers.ts';
import {
  alternatives,
  hasOwnArguments,
  type ExpectedCall,
} from '../../src-shared/domain/testCase.ts';
import type { AcceptableCall, ScoreInput } from './scoreInput.ts';

/**
 * The form in which the leaderboard compares strings: lower case, without spaces and `,./-_*^`, with
 * `"` in place of `'`.
 */
export function standardise(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}

function objectAccepts(accepted: JsonObject, actual: JsonObject): boolean {
  const known = Object.keys(actual).every(
    (key) => Object.hasOwn(accepted, key) && listAccepts(accepted[key], actual[key] ?? null),
  );
  return (
    known &&
    Object.keys(accepted).every((key) => Object.hasOwn(actual, key) || mayBeLeftOut(accepted[key]))
  );
}

function valueAccepts(accepted: JsonValue, actual: JsonValue): boolean {
  if (typeof accepted === 'string')
    return typeof actual === 'string' && standardise(accepted) === standardise(actual);
  if (Array.isArray(accepted)) {
    if (!Array.isArray(actual) || actual.length !== accepted.length) return false;
    return accepted.every((item, index) => valueAccepts(item, actual[index] ?? null));
  }
  if (isJsonObject(accepted)) return isJsonObject(actual) && objectAccepts(accepted, actual);
  return accepted === actual;
}

function listAccepts(accepted: JsonValue | undefined, actual: JsonValue): boolean {
  return Array.isArray(accepted) && accepted.some((value) => valueAccepts(value, actual));
}

/** `""` in a list of accepted values means that the argument may be left out. */
export function mayBeLeftOut(accepted: JsonValue | undefined): boolean {
  return Array.isArray(accepted) && accepted.includes('');
}

/**
 * Whether an argument equals one of its accepted values (docs/rules.md §3; the AST check of the
 * Berkeley Function-Calling Leaderboard): strings after `standardise`, an integer in place of a
 * number, arrays by order. Inside objects, including those in arrays, each value is again a list.
 */
export function isAcceptable(accepted: JsonValue[], actual: JsonValue): boolean {
  return !exceedsDepth(accepted) && !exceedsDepth(actual) && listAccepts(accepted, actual);
}

/**
 * The entry for one expected call: the one at its position if it names one of the call's tools,
 * otherwise the first that does. An empty entry at its position leaves the call to its parameters.
 */
export function acceptableFor(
  list: readonly AcceptableCall[] | undefined,
  expectedIndex: number,
  tools: readonly string[],
): Record<string, JsonValue[]> | null {
  if (!list) return null;
  const there = list[expectedIndex];
  if (there && Object.keys(there).length === 0) return null;
  for (const entry of there ? [there, ...list] : list) {
    const name = tools.find((tool) => Object.hasOwn(entry, tool));
    if (name !== undefined) return entry[name] ?? null;
  }
  return null;
}

/** A plain value in the form of the ground truth: inside objects, each value is a list. */
function toAccepted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(toAccepted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, [toAccepted(item)]]));
}

/** The ground truth that accepts exactly the expected arguments; empty if there is none. */
function acceptableOf(call: ExpectedCall): AcceptableCall {
  const { parameters } = call;
  if (!parameters || hasOwnArguments(call)) return {};
  if (exceedsDepth(parameters) || containsMatcher(parameters)) return {};
  const accepted = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, [toAccepted(value)]]),
  );
  return Object.fromEntries(alternatives(call).map(({ tool }) => [tool, accepted]));
}

/** Keywords whose members are named schemas, and those that hold data. */
const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const dataKeywords = new Set(['const', 'default', 'examples']);

function withoutEnums(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutEnums);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
      if (key === 'enum') return [];
      if (dataKeywords.has(key)) return [[key, value]];
      if (!namedSchemas.has(key) || !isJsonObject(value)) return [[key, withoutEnums(value)]];
      const members = Object.entries(value).map(([name, one]) => [name, withoutEnums(one)]);
      return [[key, Object.fromEntries(members)]];
    }),
  );
}

/**
 * The same run under the rules of the leaderboard (docs/rules.md §3, Rule sets): schemas without
 * `enum`, and expected arguments compared as its ground truth is. Arguments with matchers keep the
 * comparison of matchers, because the leaderboard has none.
 */
export function underBfclRules(input: ScoreInput): ScoreInput {
  return {
    ...input,
    tools: input.tools.map((tool) => {
      const schema = exceedsDepth(tool.inputSchema) ? null : withoutEnums(tool.inputSchema);
      return isJsonObject(schema) ? { ...tool, inputSchema: schema } : tool;
    }),
    acceptable: input.acceptable ?? input.expectation.expectedCalls.map(acceptableOf),
  };
}
