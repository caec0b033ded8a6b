import { isNumber, numberText, type ExactNumber } from '../../../src-shared/domain/exactNumber.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { toolsToCall } from '../../../src-shared/domain/task.ts';
import {
  wasSent,
  type CallAnswer,
  type TaskCheck,
  type Trajectory,
  type TrajectoryCall,
} from '../../../src-shared/domain/task.ts';
import type { TaskRunFacts } from '../../../src-shared/metrics/taskSummary.ts';
import { exceedsDepth } from '../depth.ts';
import { callKey } from './loopGuard.ts';
import { resultValue } from './resultValue.ts';
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

/** Shorter texts appear by chance. */
const minQuotedLength = 3;

/** The texts and numbers in a value, as they would appear in an argument or an answer. */
function* leavesOf(value: JsonValue): Iterable<string | number | ExactNumber> {
  if (Array.isArray(value)) for (const item of value) yield* leavesOf(item);
  else if (isJsonObject(value)) for (const item of Object.values(value)) yield* leavesOf(item);
  else if (typeof value === 'string' && value.length >= minQuotedLength) yield value;
  else if (isNumber(value)) yield value;
}

/** The tools that checks require, each as often as they do; null if they require none. */
export function neededNames(checks: readonly TaskCheck[]): string[] | null {
  const names = checks.flatMap((check) => toolsToCall(check));
  return names.length === 0 ? null : names;
}

/** Whether the model used a value of the result later: in an argument or in a message. */
function isUsed(call: TrajectoryCall, at: number, run: Trajectory): boolean {
  const value = resultValue(call.result);
  if (exceedsDepth(value)) return true;
  const later: string[] = [];
  let index = 0;
  for (const step of run.steps) {
    if (step.text !== null && index > at) later.push(step.text);
    for (const each of step.calls) {
      if (index > at) later.push(each.arguments === null ? '' : JSON.stringify(each.arguments));
      index += 1;
    }
  }
  const text = later.join('\n');
  // A number counts only as a whole: 1 is not a part of 2021.
  const numbers = new Set(text.match(/\d+(?:\.\d+)?/gu));
  for (const leaf of leavesOf(value)) {
    if (typeof leaf !== 'string') {
      if (numbers.has(numberText(leaf).replace('-', ''))) return true;
    } else if (text.includes(leaf) || text.includes(JSON.stringify(leaf).slice(1, -1))) return true;
  }
  return false;
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

/** Calls of a run that had ended: they have no result that could be used. */
const neverRan: ReadonlySet<CallAnswer> = new Set(['over_limit', 'run_ended']);

/**
 * Counts of one run, each a whole number ≥ 0:
 *
 * - `calls`: calls that the model made, whatever became of them.
 * - `repeatedCalls`: calls that equal an earlier one of the run in tool and arguments.
 * - `unusedCalls`: successful calls of read-only tools that no check requires, and whose result has
 *   no text or number that a later argument or message contains.
 * - `unwantedEffects`: calls of destructive tools that were sent to a server and that no check
 *   requires; also calls without an answer, because they may have taken effect.
 * - `toolErrors`: results with `isError`, and calls that no tool could answer or did answer.
 * - `elapsedMs`: time of the model and of the tools, including the wait for an answer that never
 *   came.
 * - `neededCalls`: the number of calls that checks require; null if they require none.
 */
export function trajectoryFacts(
  checks: readonly TaskCheck[],
  run: Trajectory,
  effects: (call: TrajectoryCall) => ToolEffects | null,
): Omit<TaskRunFacts, 'taskId' | 'succeeded' | 'cost' | 'attack' | 'toolUse'> {
  const calls = callsOf(run);
  const needed = neededNames(checks);
  const isNeeded = (call: TrajectoryCall) => needed?.some((name) => isCallOf(call, name)) === true;
  let [unusedCalls, unwantedEffects, toolErrors] = [0, 0, 0];
  for (const [at, call] of calls.entries()) {
    if (call.result.isError) toolErrors += 1;
    const effect = effects(call);
    if (effect === null || isNeeded(call)) continue;
    const isAnswered = !call.result.isError && !neverRan.has(call.answeredBy);
    if (effect.readOnly && isAnswered && !isUsed(call, at, run)) unusedCalls += 1;
    if (effect.destructive && wasSent(call.answeredBy)) unwantedEffects += 1;
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
        sum + step.elapsedMs + step.calls.reduce((total, call) => total + call.durationMs, 0),
      0,
    ),
    neededCalls: needed?.length ?? null,
    toolErrors,
    repeatedCalls: repeatsOf(run).length,
    unusedCalls,
    unwantedEffects,
  };
}
