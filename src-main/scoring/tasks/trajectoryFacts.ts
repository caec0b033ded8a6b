import type { JsonValue } from '../../../src-shared/domain/json.ts';
import {
  callsOf as callsChecks,
  toolsAccepted,
  toolsToCall,
} from '../../../src-shared/domain/expectedCalls.ts';
import {
  wasSent,
  type CallAnswer,
  type TaskCheck,
  type Trajectory,
  type TrajectoryCall,
} from '../../../src-shared/domain/task.ts';
import type { FaultsOfRun, TaskFault } from '../../../src-shared/domain/taskFaults.ts';
import type { TaskRunFacts } from '../../../src-shared/metrics/taskSummary.ts';
import { callKey } from './loopGuard.ts';
import { isResultUsed } from './usedResults.ts';
import { callsOf, isCallOf } from './madeCalls.ts';

/** What a server says that a tool does. */
export interface ToolEffects {
  readOnly: boolean;
  destructive: boolean;
}

/**
 * The annotations of a tool with the defaults of the MCP specification: a tool without annotations
 * may change things, and what it changes may be lost.
 */
export function effectsOf(annotations: { [key: string]: JsonValue } | null): ToolEffects {
  const readOnly = annotations?.['readOnlyHint'] === true;
  return { readOnly, destructive: !readOnly && annotations?.['destructiveHint'] !== false };
}

/** The tools that checks require, each as often as they do; null if they require none. */
export function neededNames(checks: readonly TaskCheck[]): string[] | null {
  const names = checks.flatMap((check) => toolsToCall(check));
  return names.length === 0 ? null : names;
}

/** The calls of a run that equal an earlier one in tool and arguments, in order. */
export function repeatsOf({ steps }: Pick<Trajectory, 'steps'>): { step: number; call: number }[] {
  const seen = new Set<string>();
  return steps.flatMap(({ calls }, step) =>
    calls.flatMap((one, call) => {
      const key = callKey(one);
      const isRepeat = seen.has(key);
      seen.add(key);
      return isRepeat ? { step, call } : [];
    }),
  );
}

/** Of each kind of fault that a task has, in their order there: the calls of a run that it hit. */
export function faultsMet(faults: readonly TaskFault[], run: Trajectory): FaultsOfRun {
  const hit = callsOf(run).map(({ fault }) => fault);
  return [...new Set(faults.map(({ fault }) => fault))].map((fault) => ({
    fault,
    calls: hit.filter((one) => one === fault).length,
  }));
}

/** Calls of a run that had ended: they have no result that could be used. */
const neverRan: ReadonlySet<CallAnswer> = new Set(['over_limit', 'run_ended']);

/**
 * Counts of one run, each a whole number ≥ 0:
 *
 * - `calls`: calls that the model made, whatever became of them.
 * - `repeatedCalls`: calls that equal an earlier one of the run in tool and arguments.
 * - `unusedCalls`: successful calls of read-only tools that no check accepts, and whose result has
 *   no value that a later argument or message has (see `isResultUsed`). A result with a fault on
 *   purpose is none of them.
 * - `unwantedEffects`: calls of destructive tools that were sent to a server and that no check
 *   accepts; also calls without an answer, because they may have taken effect. 0 for a task without a
 *   `calls` check, because nothing says which calls are expected there.
 * - `toolErrors`: results with `isError`, and calls that no tool could answer or did answer.
 * - `elapsedMs`: time of the model and of the tools, including the wait for an answer that never
 *   came and a delay on purpose.
 * - `neededCalls`: the number of calls that checks require; null if they require none.
 */
export function trajectoryFacts(
  checks: readonly TaskCheck[],
  run: Trajectory,
  effects: (call: TrajectoryCall) => ToolEffects | null,
): Omit<TaskRunFacts, 'taskId' | 'succeeded' | 'cost' | 'attack' | 'faults' | 'toolUse'> {
  const calls = callsOf(run);
  const needed = neededNames(checks);
  const accepted = checks.flatMap((check) => toolsAccepted(check));
  const isExpected = (call: TrajectoryCall) => accepted.some((name) => isCallOf(call, name));
  const saysCalls = checks.some((check) => callsChecks(check).length > 0);
  let [unusedCalls, unwantedEffects, toolErrors] = [0, 0, 0];
  for (const [at, call] of calls.entries()) {
    if (call.result.isError) toolErrors += 1;
    const effect = effects(call);
    if (effect === null || isExpected(call)) continue;
    const isAnswered =
      !call.result.isError && !neverRan.has(call.answeredBy) && call.fault === undefined;
    if (effect.readOnly && isAnswered && !isResultUsed(call.result, at, run)) unusedCalls += 1;
    if (saysCalls && effect.destructive && wasSent(call.answeredBy)) unwantedEffects += 1;
  }
  const usages = run.steps.map(({ usage }) => usage);
  return {
    steps: run.steps.length,
    calls: calls.length,
    tokens: usages.reduce<number | null>(
      (sum, usage) => (sum === null || usage === null ? null : sum + usage.input + usage.output),
      0,
    ),
    cacheRead: usages.reduce((sum, usage) => sum + (usage?.cacheRead ?? 0), 0),
    cacheWrite: usages.reduce((sum, usage) => sum + (usage?.cacheWrite ?? 0), 0),
    elapsedMs: run.steps.reduce(
      (sum, step) =>
        sum +
        step.elapsedMs +
        step.calls.reduce((total, call) => total + call.durationMs + (call.delayedMs ?? 0), 0),
      0,
    ),
    neededCalls: needed?.length ?? null,
    toolErrors,
    repeatedCalls: repeatsOf(run).length,
    unusedCalls,
    unwantedEffects,
  };
}
