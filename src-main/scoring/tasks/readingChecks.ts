import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { CheckResult, ReadingCheck, Trajectory } from '../../../src-shared/domain/task.ts';
import { exceedsDepth, MAX_DEPTH } from '../depth.ts';
import { describe } from '../describe.ts';
import { identicalValues } from '../normalise.ts';
import { found } from './found.ts';
import { outlineDifferences } from './outlineDifferences.ts';
import { outlineOf } from './outlineOf.ts';
import { notKept, readPart } from './readingPart.ts';

/** The value without the members of these names, at any depth. */
export function without(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => without(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.has(name))
      .map(([name, member]) => [name, without(member, names)]),
  );
}

/** The first place at which two values differ, with both; null if they are equal. */
function firstDifference(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  path = '',
): string | null {
  const at = path === '' ? '' : `${path}: `;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (const [index, item] of expected.slice(0, actual.length).entries()) {
      const difference = firstDifference(item, actual[index], `${path}/${index}`);
      if (difference !== null) return difference;
    }
    return expected.length === actual.length
      ? null
      : `${at}expected ${expected.length} elements, got ${actual.length}`;
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    for (const name of [...names].sort()) {
      const member = (object: typeof expected) =>
        Object.hasOwn(object, name) ? object[name] : undefined;
      const difference = firstDifference(member(expected), member(actual), `${path}/${name}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  const isEqual =
    expected === undefined || actual === undefined
      ? expected === actual
      : identicalValues(expected, actual);
  return isEqual ? null : `${at}expected ${describe(expected)}, got ${describe(actual)}`;
}

/** What a reading is compared with, in words. */
const referenceNames: Readonly<Record<ReadingCheck['kind'], string>> = {
  end_state: 'after the reference solution',
  unchanged: 'before the run',
};

/**
 * Compares a reading after the run with the same reading before it (`unchanged`), or after the
 * reference solution on a copy of its own (`end_state`): the part at a pointer, without the members to
 * ignore. Texts are compared as they are. Parts that are too long to be kept are compared by their
 * hashes, which name the first places that differ. Without both readings, nothing is decided.
 */
export function judgeReading(check: ReadingCheck, run: Trajectory): CheckResult {
  const { id, kind, tool, at, ignore = [] } = check;
  const undecided = (reason: string): CheckResult => ({ id, kind, passed: null, reason });
  const [expected, actual] = [run.references?.[id], run.states[id]];
  const when = referenceNames[kind];
  if (expected === undefined) return undecided(`What ${tool} returns ${when} was not recorded.`);
  if (actual === undefined) return undecided('The state was not recorded.');
  if (expected.isError)
    return undecided(`${tool} returned an error ${when}: ${describe(expected.text)}.`);
  if (actual.isError)
    return {
      ...{ id, kind, passed: false },
      reason: `${tool} returned an error: ${describe(actual.text)}.`,
    };
  const [wanted, got] = [readPart(check, expected), readPart(check, actual)];
  if (wanted.is === 'not_kept' || got.is === 'not_kept') return undecided(notKept(tool));
  const values = [wanted, got].flatMap((part) => (part.is === 'value' ? [part.whole] : []));
  if (values.some((value) => exceedsDepth(value)))
    return undecided(`The result of ${tool} is nested deeper than ${MAX_DEPTH} levels.`);
  const names = new Set(ignore);
  const rest = (part: { value: JsonValue | undefined }) =>
    part.value === undefined ? undefined : without(part.value, names);
  const where = `${tool}${at === '' ? '' : ` at ${at}`}`;
  const verdict = (difference: string | null, value: JsonValue | undefined): CheckResult =>
    difference === null
      ? { id, kind, passed: true, reason: `${where} is as it is ${when}.` }
      : {
          ...{ id, kind, passed: false },
          reason: `${where} is not as it is ${when}: ${difference}.`,
          ...found(value),
        };
  if (wanted.is === 'value' && rest(wanted) === undefined)
    return undecided(`There is nothing at ${at} of ${tool} ${when}.`);
  if (wanted.is === 'value' && got.is === 'value')
    return verdict(firstDifference(rest(wanted), rest(got)), rest(got));
  if (got.is === 'value' && rest(got) === undefined) return verdict('there is nothing', undefined);
  const [one, other] = [wanted, got].map((part) =>
    part.is === 'value' ? outlineOf(rest(part) ?? null) : part.large.outline,
  );
  if (one === undefined || other === undefined) return undecided(notKept(tool));
  const places = outlineDifferences(one, other);
  return verdict(places.length === 0 ? null : `it differs at ${places.join(', ')}`, undefined);
}
