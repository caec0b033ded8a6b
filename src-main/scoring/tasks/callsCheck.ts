import { actualName } from '../../../src-shared/display/callPairs.ts';
import { argumentTexts, requiredText, useText } from '../../../src-shared/display/expectedUses.ts';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ActualCall } from '../../../src-shared/domain/observation.ts';
import { isOwnCallOf } from '../../../src-shared/domain/ownTools.ts';
import { groupsOf, useOf } from '../../../src-shared/domain/expectedCalls.ts';
import {
  type CallsCheck,
  type CheckResult,
  type ExpectedUse,
  type Trajectory,
} from '../../../src-shared/domain/task.ts';
import { quote } from '../describe.ts';
import type { Judge } from '../judge.ts';
import { findDifference } from '../matchers.ts';
import { found } from './found.ts';
import { callKey } from './loopGuard.ts';
import { brokenReason, isBroken, isCallOf, wholeCallsOf } from './madeCalls.ts';

/** How the arguments of a call differ from those that an entry names; null if they don't. */
function argumentDifference(expected: JsonObject, call: ActualCall, judge: Judge): string | null {
  const given = call.arguments;
  if (given === null) return 'its arguments are unreadable';
  for (const [name, value] of Object.entries(expected)) {
    const found = findDifference(
      value,
      Object.hasOwn(given, name) ? given[name] : undefined,
      judge,
    );
    if (found !== null) return `${name}: ${found}`;
  }
  return null;
}

/**
 * Whether a call is one that an entry looks for: of its tool, and with the arguments that it names.
 * Arguments that it doesn't name are not compared.
 */
function fits(entry: ExpectedUse, call: ActualCall, judge: Judge): boolean {
  const { tool, arguments: expected } = useOf(entry);
  return (
    isCallOf(call, tool) &&
    (expected === undefined || argumentDifference(expected, call, judge) === null)
  );
}

/**
 * Pairs each entry with calls of its own, `at_least` each, from the call at `from` on. `end` is the
 * first call after those that are needed; null if there are too few: then `missing` is an entry that
 * finds none.
 */
function pairFrom(
  entries: readonly ExpectedUse[],
  calls: readonly ActualCall[],
  from: number,
  judge: Judge,
): { end: number | null; missing: ExpectedUse | null } {
  const needed = entries.map((entry) => useOf(entry).at_least ?? 1);
  const partners = entries.map((): number[] => []);
  const fitting: number[][] = [];
  const hasRoom = (at: number): boolean => (partners[at]?.length ?? 0) < (needed[at] ?? 0);
  /** Finds an entry for a call, moving earlier calls to other entries where that makes room. */
  const place = (call: number, seen: Set<number>): boolean => {
    const own = fitting[call] ?? [];
    const free = own.find(hasRoom);
    if (free !== undefined) {
      partners[free]?.push(call);
      return true;
    }
    return own.some((at) => {
      if (seen.has(at)) return false;
      seen.add(at);
      const moved = partners[at]?.findIndex((earlier) => place(earlier, seen)) ?? -1;
      if (moved >= 0) partners[at]?.splice(moved, 1, call);
      return moved >= 0;
    });
  };
  let left = needed.reduce((sum, count) => sum + count, 0);
  for (let at = from; left > 0 && at < calls.length; at += 1) {
    const call = calls[at];
    if (call === undefined) break;
    fitting[at] = entries.flatMap((entry, index) => (fits(entry, call, judge) ? [index] : []));
    if (place(at, new Set())) left -= 1;
    if (left === 0) return { end: at + 1, missing: null };
  }
  if (left === 0) return { end: from, missing: null };
  return { end: null, missing: entries.find((_, at) => hasRoom(at)) ?? null };
}

/** The first entry that finds no call of its own; groups follow one another if that matters. */
function firstMissing(
  check: Pick<CallsCheck, 'must'>,
  calls: readonly ActualCall[],
  ordered: boolean,
  judge: Judge,
): ExpectedUse | null {
  const groups = groupsOf(check);
  let from = 0;
  for (const group of ordered ? groups : [groups.flat()]) {
    const { end, missing } = pairFrom(group, calls, from, judge);
    if (end === null) return missing;
    from = end;
  }
  return null;
}

/** An entry of which there are too many calls, and how many. */
function firstOverrun(
  entries: readonly ExpectedUse[],
  count: (entry: ExpectedUse) => number,
): string | null {
  for (const entry of entries) {
    const { at_most: most } = useOf(entry);
    const found = most === undefined ? 0 : count(entry);
    if (most !== undefined && found > most)
      return `The model called “${nameOf(entry)}” ${counted(found, 'time')}, and the check allows ${formatCount(most)}.`;
  }
  return null;
}

/** The first call that equals an earlier one in tool and arguments. */
function firstRepeat(calls: readonly ActualCall[]): string | null {
  const seen = new Set<string>();
  for (const call of calls) {
    const key = callKey(call);
    if (seen.has(key)) return actualName(call);
    seen.add(key);
  }
  return null;
}

/** The first of the forbidden names that a reported call of the agent's own tools has; null: none. */
const forbiddenOwnCall = (forbidden: readonly string[], { steps }: Trajectory): string | null => {
  const own = steps.flatMap(({ ownTools }) => ownTools ?? []);
  return forbidden.find((name) => own.some((call) => isOwnCallOf(call, name))) ?? null;
};

const nameOf = (entry: ExpectedUse): string => {
  const { tool, arguments: args } = useOf(entry);
  return args === undefined ? tool : `${tool}(${argumentTexts(args)})`;
};

/** Why an entry finds no call: its tool was not called, too rarely, or with other arguments. */
function missingReason(
  entry: ExpectedUse,
  required: readonly ExpectedUse[],
  calls: readonly ActualCall[],
  judge: Judge,
): string {
  const { tool, arguments: expected, at_least: least = 1 } = useOf(entry);
  const fitting = calls.filter((call) => fits(entry, call, judge)).length;
  const isRepeated = least > 1 || required.filter((one) => useOf(one).tool === tool).length > 1;
  const often = isRepeated && (expected === undefined || fitting > 0) ? ' often enough' : '';
  const said = `The model did not call ${quote([nameOf(entry)])}${often}.`;
  const other =
    expected === undefined || fitting > 0 ? undefined : calls.find((call) => isCallOf(call, tool));
  const difference =
    expected === undefined || other === undefined
      ? null
      : argumentDifference(expected, other, judge);
  return difference === null ? said : `${said} Its call differs: ${difference}.`;
}

/**
 * Compares the calls of a run: every entry of `must` has `at_least` calls of its own, `ordered` ones
 * group after group; no entry has more than `at_most`; an entry of `any` has as many as it says; and
 * no call is one of `never`. `total` counts the calls of offered tools, and with `repeats: false` none
 * equals an earlier one. What was called too often stays so, however the run ended. A call that a
 * fault on purpose answered in place of its tool counts for `never` alone. An agent used none of
 * `neverOwn`, its own tools by name or kind; where it reported nothing about them, a check that
 * otherwise passes is undecided.
 */
export function judgeCalls(check: CallsCheck, run: Trajectory, judge: Judge): CheckResult {
  const { id, kind, ordered, any = [], never, total, repeats, neverOwn = [] } = check;
  const required = groupsOf(check).flat();
  // It would pass whatever the model does, so a task with nothing else would always succeed.
  const saysMore = total !== undefined || repeats === false || neverOwn.length > 0;
  if (required.length + any.length + never.length === 0 && !saysMore)
    return {
      ...{ id, kind, passed: null, advisory: true },
      reason: 'It names no tool, so it decides nothing. Name one under must, any, or never.',
    };
  // A call counts as made, whatever became of it.
  const calls = wholeCallsOf(run);
  const verdict = (passed: boolean | null, reason: string): CheckResult => ({
    ...{ id, kind, passed, reason },
    ...(passed === false && found(calls.map((call) => actualName(call)))),
  });
  // A fault on purpose answered in place of the tool: the model has yet to try again.
  const done = calls.filter(({ answeredBy }) => answeredBy !== 'fault');
  const count = (entry: ExpectedUse): number =>
    done.filter((call) => fits(entry, call, judge)).length;
  const forbidden = never.filter((entry) => calls.some((call) => fits(entry, call, judge)));
  if (forbidden.length > 0)
    return verdict(
      false,
      `${quote(forbidden.map(nameOf))} must not be called, but the model called it.`,
    );
  const own = forbiddenOwnCall(neverOwn, run);
  if (own !== null)
    return verdict(
      false,
      `The agent must not use its own tool ${quote([own])}, and it reported a call of it.`,
    );
  const overrun = firstOverrun(required, count);
  if (overrun !== null) return verdict(false, overrun);
  const repeated = repeats === false ? firstRepeat(done) : null;
  if (repeated !== null)
    return verdict(
      false,
      `The model called “${repeated}” again with the same arguments, and the check allows no repetition.`,
    );
  const made = done.filter(({ tool }) => tool !== null).length;
  if (made > (total?.at_most ?? Infinity))
    return verdict(
      false,
      `The model made ${counted(made, 'call')}, and the check allows ${formatCount(total?.at_most ?? 0)}.`,
    );
  if (isBroken(run)) return verdict(null, brokenReason);
  const missing = firstMissing(check, done, ordered, judge);
  if (missing !== null) {
    const inAnyOrder = ordered && firstMissing(check, done, false, judge) === null;
    return verdict(
      false,
      inAnyOrder
        ? `The calls are not in the required order: ${requiredText(groupsOf(check))}.`
        : missingReason(missing, required, done, judge),
    );
  }
  if (made < (total?.at_least ?? 0))
    return verdict(
      false,
      `The model made ${counted(made, 'call')}, and the check needs ${formatCount(total?.at_least ?? 0)}.`,
    );
  const isChosen = (entry: ExpectedUse): boolean => {
    const { at_least: least = 1, at_most: most = Infinity } = useOf(entry);
    const own = count(entry);
    return own >= least && own <= most;
  };
  if (any.length > 0 && !any.some(isChosen))
    return verdict(false, `The model made none of these calls: ${any.map(useText).join(' or ')}.`);
  // Nothing else failed: whether this holds is not known, and that is not the model's failure.
  if (neverOwn.length > 0 && run.steps.at(-1)?.ownTools === null)
    return verdict(
      null,
      'The agent reported nothing about its own tools, so whether it used a forbidden one is not ' +
        'known. Use an agent that reports them, such as one that speaks ACP.',
    );
  return verdict(true, 'All required calls were made, and no forbidden one.');
}
