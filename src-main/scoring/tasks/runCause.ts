import { readsServer } from '../../../src-shared/domain/checkKinds.ts';
import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import { callsOf, groupsOf, toolsToCall, useOf } from '../../../src-shared/domain/expectedCalls.ts';
import {
  type CheckResult,
  type TaskCheck,
  type TaskEnd,
  type TaskOutcome,
} from '../../../src-shared/domain/task.ts';
import type { FirstWrongStep, MadeCall, RunCause } from '../../../src-shared/domain/taskTools.ts';
import { isCallOf } from './madeCalls.ts';
import { calledTool, type KnownSteps, type MadeStep } from './toolUse.ts';

/** A failed run as its cause is read from it. */
export interface FailedRun {
  outcome: TaskOutcome | null;
  /** How it ended; null if that is not stored. */
  end: TaskEnd | null;
  checks: readonly TaskCheck[];
  results: readonly CheckResult[];
  steps: readonly MadeStep[];
  firstWrong: FirstWrongStep | null;
}

export interface KnownCalls extends Pick<KnownSteps, 'expected' | 'idOf' | 'isReadOnly'> {
  /** The steps of a run of the same task that succeeded; null: none is known. */
  reference: readonly MadeStep[] | null;
  /** The ids of tools that the client, as which tools were shown, hides. */
  hidden?: ReadonlySet<string>;
}

/** What a call of a tool decides most directly comes first. */
const byDirectness: readonly CheckResult['kind'][] = [
  'state',
  'end_state',
  'unchanged',
  'program',
  'calls',
  'answer',
  'judge',
];

/**
 * What the model did that made a run fail: not the tool with which a check reads, but the call that
 * is missing, in the wrong place, or has the wrong arguments. Null for a run that succeeded, is not
 * scored, or has not ended. Definition: docs/rules.md, "Cause of a failed run".
 */
export function causeOfRun(run: FailedRun, known: KnownCalls): RunCause | null {
  const { outcome, end, steps } = run;
  if (outcome === null || outcome === 'succeeded' || outcome === 'not_scored') return null;
  const calls = steps.flat();
  const last = calls.at(-1);
  const called = last === undefined ? null : calledTool(last);
  // Without a tool that the checks require, no choice of the model could pass.
  const hidden = namesOf(run.checks)
    .map(known.idOf)
    .find((tool) => known.hidden?.has(tool));
  if (hidden !== undefined) return { kind: 'hidden_tool', tool: hidden, called };
  const missing = run.firstWrong?.expected ?? unorderedMissing(run, calls, known);
  switch (outcome) {
    case 'loop':
      return { kind: 'loop', tool: called, called };
    case 'limit':
      return {
        kind: 'limit',
        tool: missing,
        called,
        ...(end?.by === 'limit' && { limit: end.limit }),
      };
    case 'refused':
    case 'no_answer':
      return { kind: outcome, tool: missing, called };
    case 'check_failed':
      return causeOfCheck(run, known, { calls, called, missing });
  }
}

interface Made {
  calls: readonly MadeCall[];
  /** The last call. */
  called: string | null;
  /** The needed tool that the run left out, or called in another order. */
  missing: string | null;
}

function causeOfCheck(run: FailedRun, known: KnownCalls, made: Made): RunCause {
  const { firstWrong } = run;
  const { calls, called, missing } = made;
  if (firstWrong !== null && firstWrong.called !== null)
    return firstWrong.expected === null
      ? { kind: 'forbidden_call', tool: firstWrong.called, called: firstWrong.called }
      : { kind: 'wrong_tool', tool: firstWrong.expected, called: firstWrong.called };
  const needsNone = known.reference !== null && known.reference.flat().length === 0;
  if (calls.length === 0)
    return { kind: needsNone ? 'wrong_answer' : 'called_nothing', tool: missing, called: null };
  const givenUp = unrecovered(calls);
  if (givenUp !== null) return { kind: 'not_recovered', tool: givenUp, called };
  if (missing !== null) return causeOfMissing(missing, run, known, made);
  const failed = run.results
    .filter(({ passed, advisory }) => passed === false && advisory !== true)
    .toSorted((a, b) => byDirectness.indexOf(a.kind) - byDirectness.indexOf(b.kind))[0];
  if (failed?.kind === 'judge') return { kind: 'judged', tool: null, called };
  // A program looks at what the calls led to, as a state check does.
  if (failed !== undefined && (readsServer(failed) || failed.kind === 'program'))
    return causeOfState(run, known, made);
  const check = run.checks.find(({ id }) => id === failed?.id);
  const cause = check === undefined ? null : causeOfCalls(check, known, made);
  return cause ?? { kind: 'wrong_answer', tool: null, called };
}

/**
 * No tool of `must` is missing, and a `calls` check failed all the same: by the arguments of a call,
 * by a call too many, by a call that is forbidden with its arguments, or by a choice that none met.
 */
function causeOfCalls(
  check: TaskCheck,
  { idOf }: KnownCalls,
  { calls, called }: Made,
): RunCause | null {
  const [looked] = callsOf(check);
  if (looked === undefined) return null;
  const required = groupsOf(looked).flat().map(useOf);
  const countOf = (name: string) => calls.filter((call) => isCallOf(call, name)).length;
  const toolOf = (uses: readonly { tool: string }[]): string | null =>
    uses[0] === undefined ? null : idOf(uses[0].tool);
  const forbidden = toolOf(looked.never.map(useOf).filter(({ tool }) => countOf(tool) > 0));
  const tooMany = toolOf(
    required.filter(({ tool, at_most: most = Infinity }) => countOf(tool) > most),
  );
  const compared = toolOf(required.filter(({ arguments: given }) => given !== undefined));
  const choices = (looked.any ?? []).map(useOf);
  const chosen = toolOf(choices.filter(({ tool }) => countOf(tool) > 0));
  if (forbidden !== null) return { kind: 'forbidden_call', tool: forbidden, called: forbidden };
  if (tooMany !== null) return { kind: 'unneeded_call', tool: tooMany, called: tooMany };
  const differing = compared ?? chosen;
  if (differing !== null) return { kind: 'wrong_arguments', tool: differing, called };
  return choices.length > 0 ? { kind: 'missed_call', tool: toolOf(choices), called } : null;
}

/** The first tool whose last call a fault on purpose failed; null: each was called again. */
function unrecovered(calls: readonly MadeCall[]): string | null {
  const last = new Map(calls.map((call) => [calledTool(call), call.answeredBy]));
  return [...last].find(([, answeredBy]) => answeredBy === 'fault')?.[0] ?? null;
}

/** A needed tool that no call of the run stands for. */
function causeOfMissing(
  tool: string,
  { checks }: FailedRun,
  { expected, idOf, isReadOnly }: KnownCalls,
  { calls, called }: Made,
): RunCause {
  const isMissing = (name: string) => idOf(name) === tool;
  const needed = expected.length > 0 ? expected : namesOf(checks);
  const own = calls.filter((call) => calledTool(call) === tool).length;
  if (own > 0)
    return own >= needed.filter(isMissing).length
      ? { kind: 'wrong_order', tool, called: tool }
      : { kind: 'missed_call', tool, called: tool };
  const changes = isReadOnly(tool) !== true;
  const instead =
    expected.length > 0
      ? undefined
      : calls.find(
          (call) =>
            !needed.some((name) => isCallOf(call, name)) &&
            !(changes && isReadOnly(calledTool(call)) === true),
        );
  if (instead !== undefined) return { kind: 'wrong_tool', tool, called: calledTool(instead) };
  if (!changes) return { kind: 'answered_without', tool, called };
  const later = expected.slice(expected.findIndex(isMissing) + 1);
  const goesOn = calls.some((call) => later.some((name) => isCallOf(call, name)));
  return { kind: goesOn ? 'missed_call' : 'stopped_early', tool, called };
}

/** No needed call is missing, and the state is not as expected. */
function causeOfState(
  { checks }: FailedRun,
  { expected, idOf, isReadOnly, reference }: KnownCalls,
  { calls, called }: Made,
): RunCause {
  const changing = calls.filter((call) => isReadOnly(calledTool(call)) !== true);
  const needed = new Set((expected.length > 0 ? expected : namesOf(checks)).map(idOf));
  if (changing.length === 0) return { kind: 'stopped_early', tool: null, called };
  if (needed.size === 0) {
    const tool = lastTool(changing);
    return { kind: 'wrong_result', tool, called: tool };
  }
  const extra = changing.find((call) => !needed.has(calledTool(call)) && !call.isError);
  if (extra !== undefined)
    return { kind: 'unneeded_call', tool: calledTool(extra), called: calledTool(extra) };
  const own = changing.filter((call) => needed.has(calledTool(call)));
  const other = reference
    ?.flat()
    .find(
      (call) =>
        !call.isError &&
        isReadOnly(calledTool(call)) !== true &&
        own.some((one) => calledTool(one) === calledTool(call)) &&
        !own.some((one) => isSameCall(one, call)),
    );
  const refused = own.filter(({ isError }) => isError);
  const tool = other === undefined ? (lastTool(refused) ?? lastTool(own)) : calledTool(other);
  return { kind: 'wrong_arguments', tool: tool ?? called, called };
}

const lastTool = (calls: readonly MadeCall[]): string | null => {
  const last = calls.at(-1);
  return last === undefined ? null : calledTool(last);
};

const isSameCall = (a: MadeCall, b: MadeCall): boolean =>
  calledTool(a) === calledTool(b) && sameText(a.given) === sameText(b.given);

/** Arguments are compared without the order of their names, unless they were cut. */
function sameText(given: string | null): string | null {
  if (given === null) return null;
  try {
    return canonicalJson(JSON.parse(given) as never);
  } catch {
    // Cut texts are no JSON; they are compared as they are.
    return given;
  }
}

/** The tools that checks require, in any order. */
const namesOf = (checks: readonly TaskCheck[]): string[] => checks.flatMap(toolsToCall);

/** A required tool without a call of its own, where no order is known. */
function unorderedMissing(
  { checks }: FailedRun,
  calls: readonly MadeCall[],
  { expected, idOf }: KnownCalls,
): string | null {
  if (expected.length > 0) return null;
  for (const check of checks) {
    const free = [...calls];
    for (const name of toolsToCall(check)) {
      const at = free.findIndex((call) => isCallOf(call, name));
      if (at < 0) return idOf(name);
      free.splice(at, 1);
    }
  }
  return null;
}
