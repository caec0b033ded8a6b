import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { compareNumbers, isNumber, numberText } from '../../src-shared/domain/exactNumber.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { describe } from './describe.ts';
import type { Judge } from './judge.ts';
import { equalValues, identicalValues, normaliseText } from './normalise.ts';

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

/** Why a value doesn't match, or null if it does. */
type Difference = string | null;

function contains(part: JsonValue, actual: JsonValue | undefined, judge: Judge): Difference {
  if (typeof actual === 'string') {
    if (typeof part === 'string' && normaliseText(actual).includes(normaliseText(part)))
      return null;
  } else if (Array.isArray(actual)) {
    if (actual.some((item) => difference(part, item, judge) === null)) return null;
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

function holds(
  key: MatcherKey,
  operand: JsonValue,
  actual: JsonValue | undefined,
  judge: Judge,
): Difference {
  switch (key) {
    case '$ignore':
      return null;
    case '$absent':
      return actual === undefined ? null : `expected to be absent, got ${describe(actual)}`;
    case '$optional':
      return actual === undefined ? null : difference(operand, actual, judge);
    case '$any': {
      const options = Array.isArray(operand) ? operand : [operand];
      return options.some((option) => difference(option, actual, judge) === null)
        ? null
        : `expected any of ${describe(options)}, got ${describe(actual)}`;
    }
    case '$regex':
      return regex(operand, actual, judge);
    case '$contains':
      return contains(operand, actual, judge);
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
  }
}

function differenceOfArrays(
  expected: JsonValue[],
  actual: JsonValue | undefined,
  judge: Judge,
): Difference {
  if (!Array.isArray(actual)) return `expected ${describe(expected)}, got ${describe(actual)}`;
  if (actual.length !== expected.length)
    return `expected ${expected.length} elements, got ${actual.length}`;
  for (const [index, item] of expected.entries()) {
    const found = difference(item, actual[index], judge);
    if (found !== null) return `[${index}]: ${found}`;
  }
  return null;
}

function differenceOfObjects(
  expected: JsonObject,
  actual: JsonValue | undefined,
  judge: Judge,
): Difference {
  if (!isJsonObject(actual)) return `expected ${describe(expected)}, got ${describe(actual)}`;
  for (const key of Object.keys(expected).sort()) {
    const found = difference(
      expected[key] ?? null,
      Object.hasOwn(actual, key) ? actual[key] : undefined,
      judge,
    );
    if (found !== null) return `${key}: ${found}`;
  }
  const extra = Object.keys(actual)
    .sort()
    .find((key) => !Object.hasOwn(expected, key));
  return extra === undefined ? null : `${extra}: not expected, got ${describe(actual[extra])}`;
}

function difference(expected: JsonValue, actual: JsonValue | undefined, judge: Judge): Difference {
  if (isMatcher(expected)) {
    for (const key of Object.keys(expected).sort()) {
      if (!isMatcherKey(key)) return `${key} isn't a matcher`;
      const found = holds(key, expected[key] ?? null, actual, judge);
      if (found !== null) return found;
    }
    return null;
  }
  if (Array.isArray(expected)) return differenceOfArrays(expected, actual, judge);
  if (isJsonObject(expected)) return differenceOfObjects(expected, actual, judge);
  if (actual !== undefined && equalValues(expected, actual)) return null;
  return `expected ${describe(expected)}, got ${describe(actual)}`;
}

/**
 * Compares an argument with its expected value, including matchers at any depth (docs/rules.md §2).
 * `undefined` means that the argument is absent. Returns null if it matches, otherwise the first
 * difference in words with its place. Values nested deeper than MAX_DEPTH match nothing.
 */
export function findDifference(
  expected: JsonValue,
  actual: JsonValue | undefined,
  judge: Judge,
): string | null {
  if (exceedsDepth(expected)) return `the expected value is nested deeper than ${MAX_DEPTH} levels`;
  if (actual !== undefined && exceedsDepth(actual)) {
    return isIgnored(expected) ? null : `the argument is nested deeper than ${MAX_DEPTH} levels`;
  }
  return difference(expected, actual, judge);
}

/** True for a matcher that accepts any value or none: such a parameter isn't part of E. */
export function isIgnored(expected: JsonValue): boolean {
  return isMatcher(expected) && Object.keys(expected).every((key) => key === '$ignore');
}

/**
 * True if leaving out the argument would be correct: `$absent`, `$optional`, or a choice that
 * contains one of them.
 */
export function acceptsAbsence(expected: JsonValue): boolean {
  if (!isMatcher(expected)) return false;
  return Object.entries(expected).every(([key, operand]) => {
    if (key === '$any') return Array.isArray(operand) && operand.some(acceptsAbsence);
    return key === '$absent' || key === '$optional' || key === '$ignore';
  });
}
