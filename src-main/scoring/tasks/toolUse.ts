import { toolId } from '../../../src-shared/domain/labels.ts';
import {
  callsOf,
  groupsOf,
  requiredTools,
  toolsToCall,
  useOf,
} from '../../../src-shared/domain/expectedCalls.ts';
import { isUnanswered, wasSent, type TaskCheck } from '../../../src-shared/domain/task.ts';
import type { FirstWrongStep, MadeCall, RunTool } from '../../../src-shared/domain/taskTools.ts';
import { isCallOf } from './madeCalls.ts';

/** A step as the selection of tools sees it. */
export type MadeStep = readonly MadeCall[];

/** The id of the called tool, or the name that the model made up. */
export const calledTool = ({ server, tool, name }: MadeCall): string =>
  tool === null ? name : toolId(server ?? '', tool);

/**
 * The tools that a task needs, in the order of its steps, and those that it forbids. The order is
 * known from the first check that requires calls in order; a single required call has one anyway.
 * Null if no check says it.
 */
export function knownSteps(
  checks: readonly TaskCheck[],
): { expected: readonly string[]; never: readonly string[] } | null {
  const calls = checks.flatMap((check) => callsOf(check));
  // Steps know tools alone, so a call that is forbidden only with some arguments isn't among them.
  const never = calls.flatMap((check) =>
    check.never.flatMap((entry) =>
      useOf(entry).arguments === undefined ? [useOf(entry).tool] : [],
    ),
  );
  const ordered = calls.find((check) =>
    check.ordered
      ? check.must.length > 0 && groupsOf(check).every((group) => group.length === 1)
      : requiredTools(check).length === 1,
  );
  if (ordered === undefined && never.length === 0) return null;
  return { expected: ordered === undefined ? [] : requiredTools(ordered), never };
}

/**
 * The order of a run that succeeded: each tool that it called without an error, once per run of
 * equal calls. It stands in where no check says the order.
 */
export function stepsOfReference(steps: readonly MadeStep[]): string[] {
  const tools = steps.flat().filter(({ isError, tool }) => !isError && tool !== null);
  return tools.map(calledTool).filter((tool, at, all) => tool !== all[at - 1]);
}

export interface KnownSteps {
  expected: readonly string[];
  never: readonly string[];
  by: FirstWrongStep['by'];
  /** Whether a tool only reads; null if nobody says it. */
  isReadOnly: (tool: string) => boolean | null;
  /** The id of a tool that a check names. */
  idOf: (name: string) => string;
}

/**
 * The first step at which a run left the expected order. Null for a run that follows it.
 *
 * Other calls may come in between, so a call is wrong only if the expected tool is not called later:
 * the wrong step is then the first one after the last fulfilled call that calls another tool in its
 * place. Not in its place: a tool that is needed later, and a tool that only reads where the
 * expected one does not, because looking something up first is no error. Without such a call, no
 * tool was called in its place: the step is the last one after the fulfilled calls that calls none
 * before the next needed tool, else that of the next needed tool. A call that a check
 * forbids is wrong whenever it comes first.
 */
export function findFirstWrongStep(
  steps: readonly MadeStep[],
  known: KnownSteps,
): FirstWrongStep | null {
  const { expected, never, idOf } = known;
  const calls = steps.flatMap((step, index) => step.map((call) => ({ call, step: index })));
  const forbidden = calls.find(({ call }) => never.some((name) => isCallOf(call, name)));
  let [fulfilled, from] = [0, 0];
  for (const [at, { call }] of calls.entries()) {
    const wanted = expected[fulfilled];
    if (wanted === undefined || !isCallOf(call, wanted)) continue;
    fulfilled += 1;
    from = at + 1;
  }
  const missing = expected[fulfilled];
  const instead =
    missing === undefined
      ? null
      : findInstead(steps, calls, from, missing, expected.slice(fulfilled + 1), known);
  if (forbidden === undefined || (instead !== null && instead.step < forbidden.step))
    return instead;
  // A tool that was called later anyway was not replaced by the forbidden call.
  const isReplaced = missing !== undefined && calls.indexOf(forbidden) >= from;
  return {
    step: forbidden.step,
    expected: isReplaced ? idOf(missing) : null,
    called: calledTool(forbidden.call),
    by: 'check',
  };
}

interface PlacedCall {
  call: MadeCall;
  step: number;
}

/** What the model called in place of a tool that it never called. */
function findInstead(
  steps: readonly MadeStep[],
  calls: readonly PlacedCall[],
  from: number,
  missing: string,
  later: readonly string[],
  { by, idOf, isReadOnly }: KnownSteps,
): FirstWrongStep {
  const isLater = ({ call }: PlacedCall) => later.some((name) => isCallOf(call, name));
  const rest = calls.slice(from);
  const expected = idOf(missing);
  const changes = isReadOnly(expected) === false;
  const wrong = rest.find(
    (each) => !isLater(each) && !(changes && isReadOnly(calledTool(each.call)) === true),
  );
  if (wrong !== undefined)
    return { step: wrong.step, expected, called: calledTool(wrong.call), by };
  const next = rest.find(isLater)?.step ?? steps.length;
  const followed = calls[from - 1]?.step ?? -1;
  const silent = steps.findLastIndex(
    (step, index) => step.length === 0 && index > followed && index < next,
  );
  // The model went on to a tool that is needed later without a pause.
  const skipped = Math.max(Math.min(next, steps.length - 1), 0);
  return { step: silent === -1 ? skipped : silent, expected, called: null, by };
}

/**
 * What a run did with each tool that it called or that its checks require, in that order. A fault
 * on purpose that answers in place of a tool is no error of the tool.
 */
export function toolsOfRun(
  checks: readonly TaskCheck[],
  steps: readonly MadeStep[],
  idOf: (name: string) => string,
): RunTool[] {
  const tools = new Map<string, RunTool>();
  const of = (tool: string): RunTool => {
    const known = tools.get(tool) ?? {
      tool,
      needed: false,
      calls: 0,
      errors: 0,
      sent: 0,
      unanswered: 0,
      crashes: 0,
      timeMs: 0,
    };
    tools.set(tool, known);
    return known;
  };
  for (const call of steps.flat()) {
    const used = of(calledTool(call));
    used.calls += 1;
    // A fault on purpose says nothing about the tool.
    if (call.isError && call.answeredBy !== 'fault') used.errors += 1;
    if (wasSent(call.answeredBy)) {
      used.sent += 1;
      used.timeMs += call.durationMs;
    }
    if (isUnanswered(call.answeredBy)) used.unanswered += 1;
    if (call.answeredBy === 'server_ended') used.crashes += 1;
  }
  for (const name of checks.flatMap((check) => toolsToCall(check))) of(idOf(name)).needed = true;
  return [...tools.values()];
}
