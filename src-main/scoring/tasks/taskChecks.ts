import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import { kept } from '../../../src-shared/display/callDifferences.ts';
import { actualName } from '../../../src-shared/display/callPairs.ts';
import type { ActualCall } from '../../../src-shared/domain/observation.ts';
import { byCheckKind } from '../../../src-shared/domain/task.ts';
import type {
  CheckResult,
  StateCheck,
  TaskCheck,
  Trajectory,
} from '../../../src-shared/domain/task.ts';
import { exceedsDepth, MAX_DEPTH } from '../depth.ts';
import { describe, quote } from '../describe.ts';
import type { Judge } from '../judge.ts';
import { findDifference, isMatcher } from '../matchers.ts';
import { normaliseText } from '../normalise.ts';
import { resultValue } from './resultValue.ts';

/** Whether a call is of a tool that a check names: by its name, or as `server:tool`. */
export function isCallOf(call: Pick<ActualCall, 'server' | 'tool'>, name: string): boolean {
  if (call.tool === null) return false;
  if (call.tool === name) return true;
  const { server, tool } = splitToolId(name);
  return call.server === server && call.tool === tool;
}

/** All calls of a run, in order. */
export const callsOf = ({ steps }: Pick<Trajectory, 'steps'>) =>
  steps.flatMap((step) => step.calls);

/** The last message of the model to the user; null if it wrote none after the last user turn. */
function lastAnswer({ steps }: Pick<Trajectory, 'steps'>): string | null {
  return steps.at(-1)?.text ?? null;
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

/** What a failed check found, for its difference; nothing is left out, so that verdicts stay equal. */
const found = (value: JsonValue | undefined): Pick<CheckResult, 'actual'> =>
  value === undefined || exceedsDepth(value) ? {} : { actual: kept(value) };

function judgeState(check: StateCheck, run: Trajectory, judge: Judge): CheckResult {
  const verdict = (
    passed: boolean | null,
    reason: string,
    actual: Pick<CheckResult, 'actual'> = {},
  ): CheckResult => ({
    ...{ id: check.id, kind: 'state', passed, reason },
    ...(passed === false && actual),
  });
  const result = run.states[check.id];
  if (result === undefined) return verdict(null, 'The state was not recorded.');
  const where = `${check.tool}${check.at === '' ? '' : ` at ${check.at}`}`;
  if (result.isError)
    return verdict(false, `${check.tool} returned an error: ${describe(result.text)}.`);
  const whole = resultValue(result);
  if (exceedsDepth(whole))
    return verdict(false, `The result of ${check.tool} is nested deeper than ${MAX_DEPTH} levels.`);
  const value = valueAtPointer(whole, check.at);
  if (check.test === 'matches') {
    const difference = findDifference(check.expected, value, judge);
    return difference === null
      ? verdict(true, `${where} has the expected value.`)
      : verdict(false, `${where}: ${difference}.`, found(value));
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
    found(value),
  );
}

function judgeAnswer(
  check: Extract<TaskCheck, { kind: 'answer' }>,
  run: Trajectory,
  judge: Judge,
): CheckResult {
  if (isBroken(run)) return { id: check.id, kind: 'answer', passed: null, reason: brokenReason };
  const answer = lastAnswer(run);
  const difference = findDifference(check.expected, answer ?? undefined, judge);
  return difference === null
    ? { id: check.id, kind: 'answer', passed: true, reason: 'The last message matches.' }
    : {
        ...{ id: check.id, kind: 'answer', passed: false },
        reason: `The last message: ${difference}.`,
        ...found(answer ?? undefined),
      };
}

/** The first name of `must` that finds no call, with calls consumed in order if that matters. */
function firstMissing(
  must: readonly string[],
  calls: readonly ActualCall[],
  ordered: boolean,
): string | null {
  const free = [...calls];
  for (const name of must) {
    const at = free.findIndex((call) => isCallOf(call, name));
    if (at < 0) return name;
    // A tool that is named twice must be called twice.
    free.splice(ordered ? 0 : at, ordered ? at + 1 : 1);
  }
  return null;
}

/** Whether the run broke off before the model could do everything that it would have done. */
const isBroken = ({ end }: Trajectory): boolean =>
  end.by === 'infrastructure' && end.stage !== 'state';

const brokenReason = 'The run broke off before this could be judged.';

/** Calls that the model made whole: the last one of a reply that was cut off may be a part. */
const wholeCallsOf = ({ steps }: Trajectory) =>
  callsOf({ steps: steps.filter(({ stopReason }) => stopReason !== 'cut_off') });

function judgeCalls(
  { id, must, ordered, never }: Extract<TaskCheck, { kind: 'calls' }>,
  run: Trajectory,
): CheckResult {
  // It would pass whatever the model does, so a task with nothing else would always succeed.
  if (must.length === 0 && never.length === 0)
    return {
      id,
      kind: 'calls',
      passed: null,
      reason: 'It names no tool, so it decides nothing. Name one under must or never.',
      advisory: true,
    };
  // A call counts as made, whatever became of it.
  const calls = wholeCallsOf(run);
  const verdict = (passed: boolean | null, reason: string): CheckResult => ({
    id,
    kind: 'calls',
    passed,
    reason,
    ...(passed === false && found(calls.map((call) => actualName(call)))),
  });
  const forbidden = never.filter((name) => calls.some((call) => isCallOf(call, name)));
  if (forbidden.length > 0)
    return verdict(false, `${quote(forbidden)} must not be called, but the model called it.`);
  if (isBroken(run)) return verdict(null, brokenReason);
  const missing = firstMissing(must, calls, ordered);
  if (missing === null) return verdict(true, 'All required calls were made, and no forbidden one.');
  const inAnyOrder = ordered && firstMissing(must, calls, false) === null;
  return verdict(
    false,
    inAnyOrder
      ? `The calls are not in the required order: ${must.join(', ')}.`
      : `The model did not call ${quote([missing])}${must.indexOf(missing) === must.lastIndexOf(missing) ? '' : ' often enough'}.`,
  );
}

/** Judges one check of a task against what happened. Pure: the same run gives the same result. */
export const judgeCheck = byCheckKind<CheckResult, [run: Trajectory, judge: Judge]>({
  state: judgeState,
  answer: judgeAnswer,
  calls: judgeCalls,
  // A model's verdict comes from outside: see `withJudgements`.
  judge: ({ id, kind }) => ({
    id,
    kind,
    passed: null,
    reason: 'No judge was asked.',
    advisory: true,
  }),
});
