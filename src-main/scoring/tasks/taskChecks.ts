import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { byCheckKind } from '../../../src-shared/domain/task.ts';
import type {
  CheckResult,
  StateCheck,
  TaskCheck,
  Trajectory,
  ReadingCheck,
} from '../../../src-shared/domain/task.ts';
import { exceedsDepth, MAX_DEPTH } from '../depth.ts';
import { describe } from '../describe.ts';
import type { Judge } from '../judge.ts';
import { findDifference, isMatcher } from '../matchers.ts';
import { normaliseText, identicalValues } from '../normalise.ts';
import { judgeAnswer } from './answerCheck.ts';
import { judgeCalls } from './callsCheck.ts';
import { found } from './found.ts';
import { notKept, readPart } from './readingPart.ts';
import { outlineDifferences } from './outlineDifferences.ts';
import { outlineOf } from './outlineOf.ts';

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

/**
 * Whether `actual` has the part: an object has at least these members, a list has such an element,
 * a text has this text after normalization. Members and elements are compared as arguments are
 * (docs/rules.md §2), so they may be matchers.
 */
export function containsPart(part: JsonValue, actual: JsonValue, judge: Judge): boolean {
  if (Array.isArray(actual)) return actual.some((item: JsonValue) => hasPart(part, item, judge));
  if (typeof actual === 'string' && typeof part === 'string')
    return normaliseText(actual).includes(normaliseText(part));
  return hasPart(part, actual, judge);
}

function hasPart(part: JsonValue, actual: JsonValue, judge: Judge): boolean {
  if (isMatcher(part)) return findDifference(part, actual, judge) === null;
  if (!isJsonObject(part)) return findDifference(part, actual, judge) === null;
  if (!isJsonObject(actual)) return false;
  return Object.entries(part).every(
    ([name, expected]) =>
      findDifference(expected, Object.hasOwn(actual, name) ? actual[name] : undefined, judge) ===
      null,
  );
}

function judgeState(check: StateCheck, run: Trajectory, judge: Judge): CheckResult {
  const verdict = (
    passed: boolean | null,
    reason: string,
    actual: Pick<CheckResult, 'actual'> = {},
  ): CheckResult => ({
    ...{ id: check.id, kind: 'state', passed, reason },
    ...(passed === false && actual.actual !== undefined && { actual: actual.actual }),
  });
  const result = run.states[check.id];
  if (result === undefined) return verdict(null, 'The state was not recorded.');
  if (result.isError)
    return verdict(false, `${check.tool} returned an error: ${describe(result.text)}.`);
  const part = readPart(check, result);
  if (part.is === 'not_kept') return verdict(null, notKept(check.tool));
  if (part.is === 'hashed') {
    const { passed, reason, actual } = part.large.verdict ?? { passed: null, reason: '' };
    return verdict(passed, reason, actual === undefined ? {} : { actual });
  }
  if (exceedsDepth(part.whole))
    return verdict(false, `The result of ${check.tool} is nested deeper than ${MAX_DEPTH} levels.`);
  const answer = judgeStateValue(check, part.value, judge);
  return verdict(answer.passed, answer.reason, answer);
}

/** What a state check says about the value at its pointer; undefined where there is none. */
export function judgeStateValue(
  check: StateCheck,
  value: JsonValue | undefined,
  judge: Judge,
): Pick<CheckResult, 'reason' | 'actual'> & { passed: boolean } {
  const where = `${check.tool}${check.at === '' ? '' : ` at ${check.at}`}`;
  const verdict = (passed: boolean, reason: string) => ({
    ...{ passed, reason },
    ...(passed ? {} : found(value)),
  });
  if (check.test === 'matches') {
    const difference = findDifference(check.expected, value, judge);
    return difference === null
      ? verdict(true, `${where} has the expected value.`)
      : verdict(false, `${where}: ${difference}.`);
  }
  // Nothing contains nothing: a pointer that leads nowhere must not pass `excludes`.
  if (value === undefined)
    return verdict(false, `There is nothing at ${check.at} of ${check.tool}.`);
  const contained = containsPart(check.expected, value, judge);
  const part = describe(check.expected);
  const passed = contained === (check.test === 'contains');
  // A failed check says what was expected, because its name may not.
  const instead = passed ? '' : contained ? ', but should not' : ', but should';
  return verdict(
    passed,
    `${where} ${contained ? 'contains' : 'does not contain'} ${part}${instead}.`,
  );
}

/** What a program said, which is recorded with the run. Without it, nothing is decided. */
const judgeProgram = (
  { id, kind }: Pick<Extract<TaskCheck, { kind: 'program' }>, 'id' | 'kind'>,
  { programs }: Trajectory,
): CheckResult => ({
  ...{ id, kind },
  ...(programs?.[id] ?? { passed: null, reason: 'The program was not asked.' }),
});

/** Judges one check of a task against what happened. Pure: the same run gives the same result. */
export const judgeCheck = byCheckKind<CheckResult, [run: Trajectory, judge: Judge]>({
  state: judgeState,
  end_state: judgeReading,
  unchanged: judgeReading,
  answer: judgeAnswer,
  calls: judgeCalls,
  program: judgeProgram,
  // A model's verdict comes from outside: see `withJudgements`.
  judge: ({ id, kind }) => ({
    id,
    kind,
    passed: null,
    reason: 'No judge was asked.',
    advisory: true,
  }),
});
