import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { compareNumbers, isNumber, numberText } from '../../src-shared/domain/exactNumber.ts';
import { assign } from './assignment.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { describe } from './describe.ts';
import type { Judge } from './judge.ts';
import { equalValues, identicalValues, normaliseText } from './normalise.ts';
import { defaultOf, elementSchema, memberSchema, type SchemaPlace } from './schemaPlace.ts';

export const matcherKeys = [
  '$any',
  '$regex',
  '$contains',
  '$gte',
  '$lte',
  '$absent',
  '$optional',
  '$ignore',
  '$exact',
  '$eq',
  '$partial',
  '$unordered',
  '$default',
] as const;
export type MatcherKey = (typeof matcherKeys)[number];

export function isMatcherKey(key: string): key is MatcherKey {
  return (matcherKeys as readonly string[]).includes(key);
}

/** An object with at least one key, all of whose keys begin with `$` (docs/rules.md §2). */
export function isMatcher(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
}

/** Whether a value is a matcher or holds one at any depth. */
export function containsMatcher(value: JsonValue): boolean {
  if (isMatcher(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(containsMatcher);
}

/** Why a value doesn't match, or null if it does. */
type Difference = string | null;

/** How values are compared where a matcher was reached. */
interface Context {
  judge: Judge;
  /** Inside `$partial`: members that aren't named are not compared. */
  partial: boolean;
  /** The schema of the value; null if it isn't known. */
  schema: SchemaPlace | null;
}

const inElement = (context: Context, index: number | null): Context => ({
  ...context,
  schema: context.schema && elementSchema(context.schema, index),
});

function contains(part: JsonValue, actual: JsonValue | undefined, context: Context): Difference {
  if (typeof actual === 'string') {
    if (typeof part === 'string' && normaliseText(actual).includes(normaliseText(part)))
      return null;
  } else if (Array.isArray(actual)) {
    const inside = inElement(context, null);
    if (actual.some((item) => difference(part, item, inside) === null)) return null;
  }
  return `${describe(actual)} does not contain ${describe(part)}`;
}

function regex(pattern: JsonValue, actual: JsonValue | undefined, judge: Judge): Difference {
  if (typeof pattern !== 'string') return '$regex needs a string';
  if (typeof actual !== 'string')
    return `expected a string that matches /${pattern}/, got ${describe(actual)}`;
  const found = judge.matchesRegex(pattern, actual);
  if (found === true) return null;
  return found === false ? `${describe(actual)} does not match /${pattern}/` : found.reason;
}

function bound(key: '$gte' | '$lte', limit: JsonValue, actual: JsonValue | undefined): Difference {
  const words = key === '$gte' ? 'at least' : 'at most';
  if (!isNumber(limit)) return `${key} needs a number`;
  if (!isNumber(actual))
    return `expected a number of ${words} ${numberText(limit)}, got ${describe(actual)}`;
  const order = compareNumbers(actual, limit);
  return (key === '$gte' ? order >= 0 : order <= 0)
    ? null
    : `expected ${words} ${numberText(limit)}, got ${numberText(actual)}`;
}

/**
 * Pairs the expected elements one to one with elements that match them. Whatever the order, each
 * element counts once.
 */
function unordered(
  expected: JsonValue,
  actual: JsonValue | undefined,
  context: Context,
): Difference {
  if (!Array.isArray(expected)) return '$unordered needs a list';
  if (!Array.isArray(actual))
    return `expected ${describe(expected)} in any order, got ${describe(actual)}`;
  if (actual.length !== expected.length)
    return `expected ${expected.length} elements in any order, got ${actual.length}`;
  const inside = inElement(context, null);
  const fits = (row: number, column: number): boolean =>
    difference(expected[row] ?? null, actual[column] ?? null, inside) === null;
  const partners = pairInOrder(expected.length, actual.length, fits);
  // Equal values can stand in for each other; a matcher may have taken the only partner of another.
  // Inside `$partial` a plain object may have done so too.
  const pairs =
    partners.includes(null) && (context.partial || expected.some(containsMatcher))
      ? assign(expected.length, actual.length, (row, column) =>
          fits(row, column) ? { value: 1, rank: 0 } : null,
        )
      : partners;
  const alone = pairs.indexOf(null);
  if (alone === -1) return null;
  const left = actual.findIndex((_, column) => !pairs.includes(column));
  return `no element is left for ${describe(expected[alone])}, and ${describe(actual[left])} is left over`;
}

/** For each row, the first free column that fits; null if there is none. */
function pairInOrder(
  rows: number,
  columns: number,
  fits: (row: number, column: number) => boolean,
): (number | null)[] {
  const free = new Set(Array(columns).keys());
  return [...Array(rows).keys()].map((row) => {
    const column = [...free].find((each) => fits(row, each)) ?? null;
    if (column !== null) free.delete(column);
    return column;
  });
}

function byDefault(actual: JsonValue | undefined, { schema }: Context): Difference {
  if (actual === undefined) return null;
  const value = schema === null ? undefined : defaultOf(schema);
  if (value === undefined)
    return `expected to be absent, because the schema has no default, got ${describe(actual)}`;
  return equalValues(value, actual)
    ? null
    : `expected nothing or the default ${describe(value)}, got ${describe(actual)}`;
}

function holds(
  key: MatcherKey,
  operand: JsonValue,
  actual: JsonValue | undefined,
  context: Context,
): Difference {
  switch (key) {
    case '$ignore':
      return null;
    case '$absent':
      return actual === undefined ? null : `expected to be absent, got ${describe(actual)}`;
    case '$optional':
      return actual === undefined ? null : difference(operand, actual, context);
    case '$any': {
      const options = Array.isArray(operand) ? operand : [operand];
      return options.some((option) => difference(option, actual, context) === null)
        ? null
        : `expected any of ${describe(options)}, got ${describe(actual)}`;
    }
    case '$regex':
      return regex(operand, actual, context.judge);
    case '$contains':
      return contains(operand, actual, context);
    case '$gte':
    case '$lte':
      return bound(key, operand, actual);
    case '$exact':
      return actual !== undefined && identicalValues(operand, actual)
        ? null
        : `expected exactly ${describe(operand)}, got ${describe(actual)}`;
    case '$eq':
      return actual !== undefined && equalValues(operand, actual)
        ? null
        : `expected ${describe(operand)}, got ${describe(actual)}`;
    case '$partial':
      return difference(operand, actual, { ...context, partial: true });
    case '$unordered':
      return unordered(operand, actual, context);
    case '$default':
      return byDefault(actual, context);
  }
}

function differenceOfArrays(
  expected: JsonValue[],
  actual: JsonValue | undefined,
  context: Context,
): Difference {
  if (!Array.isArray(actual)) return `expected ${describe(expected)}, got ${describe(actual)}`;
  if (actual.length !== expected.length)
    return `expected ${expected.length} elements, got ${actual.length}`;
  for (const [index, item] of expected.entries()) {
    const found = difference(item, actual[index], inElement(context, index));
    if (found !== null) return `[${index}]: ${found}`;
  }
  return null;
}

function differenceOfObjects(
  expected: JsonObject,
  actual: JsonValue | undefined,
  context: Context,
): Difference {
  if (!isJsonObject(actual)) return `expected ${describe(expected)}, got ${describe(actual)}`;
  for (const key of Object.keys(expected).sort()) {
    const found = difference(
      expected[key] ?? null,
      Object.hasOwn(actual, key) ? actual[key] : undefined,
      { ...context, schema: context.schema && memberSchema(context.schema, key) },
    );
    if (found !== null) return `${key}: ${found}`;
  }
  if (context.partial) return null;
  const extra = Object.keys(actual)
    .sort()
    .find((key) => !Object.hasOwn(expected, key));
  return extra === undefined ? null : `${extra}: not expected, got ${describe(actual[extra])}`;
}

function difference(
  expected: JsonValue,
  actual: JsonValue | undefined,
  context: Context,
): Difference {
  if (isMatcher(expected)) {
    for (const key of Object.keys(expected).sort()) {
      if (!isMatcherKey(key)) return `${key} isn't a matcher`;
      const found = holds(key, expected[key] ?? null, actual, context);
      if (found !== null) return found;
    }
    return null;
  }
  if (Array.isArray(expected)) return differenceOfArrays(expected, actual, context);
  if (isJsonObject(expected)) return differenceOfObjects(expected, actual, context);
  if (actual !== undefined && equalValues(expected, actual)) return null;
  return `expected ${describe(expected)}, got ${describe(actual)}`;
}

/**
 * Compares an argument with its expected value, including matchers at any depth (docs/rules.md §2).
 * `undefined` means that the argument is absent. `schema` is the argument's own, whose default
 * `$default` accepts; without one, it accepts only absence. Returns null if it matches, otherwise the first
 * difference in words with its place. Values nested deeper than MAX_DEPTH match nothing.
 */
export function findDifference(
  expected: JsonValue,
  actual: JsonValue | undefined,
  judge: Judge,
  schema: SchemaPlace | null = null,
): string | null {
  if (exceedsDepth(expected)) return `the expected value is nested deeper than ${MAX_DEPTH} levels`;
  if (actual !== undefined && exceedsDepth(actual)) {
    return isIgnored(expected) ? null : `the argument is nested deeper than ${MAX_DEPTH} levels`;
  }
  return difference(expected, actual, { judge, partial: false, schema });
}

/** True for a matcher that accepts any value or none: such a parameter isn't part of E. */
export function isIgnored(expected: JsonValue): boolean {
  return isMatcher(expected) && Object.keys(expected).every((key) => key === '$ignore');
}

/**
 * True if leaving out the argument would be correct: `$absent`, `$optional`, `$default`, or
 * a choice that contains one of them.
 */
export function acceptsAbsence(expected: JsonValue): boolean {
  if (!isMatcher(expected)) return false;
  return Object.entries(expected).every(([key, operand]) => {
    if (key === '$any') return Array.isArray(operand) && operand.some(acceptsAbsence);
    return ['$absent', '$optional', '$default', '$ignore'].includes(key);
  });
}
