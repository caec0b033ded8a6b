import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { byCheckKind } from '../../../src-shared/domain/task.ts';
import type {
  CheckResult,
  StateCheck,
  TaskCheck,
  Trajectory,
} from '../../../src-shared/domain/task.ts';
import { exceedsDepth, MAX_DEPTH } from '../depth.ts';
import { describe } from '../describe.ts';
import type { Judge } from '../judge.ts';
import { findDifference, isMatcher } from '../matchers.ts';
import { normaliseText } from '../normalise.ts';
import { judgeAnswer } from './answerCheck.ts';
import { judgeCalls } from './callsCheck.ts';
import { found } from './found.ts';
import { judgeReading } from './readingChecks.ts';
import { notKept, readPart } from './readingPart.ts';

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
