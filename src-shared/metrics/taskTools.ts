import { compareText } from '../domain/compareText.ts';
import type { Estimate } from '../domain/metrics.ts';
import type { TaskSummary } from '../domain/taskReport.ts';
import type { ToolUse } from '../domain/taskTools.ts';
import { clusteredRatio, type Share } from './clusteredInterval.ts';

/** A run, as the numbers of tools see it. */
export interface ToolUseOfRun {
  /** Runs of the same task are repetitions of one case. */
  taskId: string;
  /** Null: not scored. */
  succeeded: boolean | null;
  /** Null if nothing is known about its calls. */
  toolUse: ToolUse | null;
}

type TaskToolsSummary = Pick<TaskSummary, 'firstWrong' | 'confusions' | 'tools'>;
type TaskTool = TaskSummary['tools'][number];

const keyOf = (expected: string | null, called: string | null) =>
  JSON.stringify([expected, called]);

/** Runs by task, the unit of every interval. */
function rate(runs: readonly ToolUseOfRun[], holds: (run: ToolUseOfRun) => boolean): Estimate {
  const byTask = new Map<string, Share>();
  for (const run of runs) {
    const { numerator, denominator } = byTask.get(run.taskId) ?? { numerator: 0, denominator: 0 };
    byTask.set(run.taskId, {
      numerator: numerator + (holds(run) ? 1 : 0),
      denominator: denominator + 1,
    });
  }
  return clusteredRatio([...byTask.values()]);
}

/** Counts of calls, whatever became of their runs. */
const serverCounts = ['calls', 'errors', 'sent', 'unanswered', 'crashes', 'timeMs'] as const;

interface Used {
  needed: ToolUseOfRun[];
  called: ToolUseOfRun[];
  wrong: number;
  missed: number;
  calls: number;
  errors: number;
  sent: number;
  unanswered: number;
  crashes: number;
  timeMs: number;
}

const unused = { wrong: 0, missed: 0, calls: 0, errors: 0 };
const unsent = { sent: 0, unanswered: 0, crashes: 0, timeMs: 0 };

/**
 * How often each tool was needed, called, called wrongly, and missed, and which tools were confused:
 * counts of scored runs, each ≥ 0. What servers did with the calls (`calls`, `errors`, `sent`,
 * `unanswered`, `crashes`, all counts of calls, and the time per call in ms) is counted over all
 * runs, because a server that fails leaves most of its runs without a score. A run counts once in `confusions`, with its
 * first wrong step: what follows one is often a consequence. Rates are ratios of sums with tasks as
 * clusters (`clusteredRatio`), range 0–1, null without a denominator.
 */
export function summarizeTaskTools(runs: readonly ToolUseOfRun[]): TaskToolsSummary {
  const tools = new Map<string, Used>();
  const confusions = new Map<string, TaskSummary['confusions'][number]>();
  const of = (tool: string): Used => {
    const known = tools.get(tool);
    if (known) return known;
    const used: Used = { needed: [], called: [], ...unused, ...unsent };
    tools.set(tool, used);
    return used;
  };
  let [known, wrong] = [0, 0];
  for (const run of runs) {
    if (run.toolUse === null) continue;
    const { firstWrong, stepsKnown } = run.toolUse;
    const isScored = run.succeeded !== null;
    if (isScored && stepsKnown) known += 1;
    for (const { tool, needed, ...own } of run.toolUse.tools) {
      const used = of(tool);
      if (isScored && needed) used.needed.push(run);
      if (isScored && own.calls > 0) used.called.push(run);
      for (const count of serverCounts) used[count] += own[count];
    }
    if (!isScored || firstWrong === null) continue;
    const { expected, called } = firstWrong;
    wrong += 1;
    if (expected !== null) of(expected).missed += 1;
    if (called !== null) of(called).wrong += 1;
    const key = keyOf(expected, called);
    const pair = confusions.get(key) ?? { expected, called, runs: 0 };
    confusions.set(key, { ...pair, runs: pair.runs + 1 });
  }
  return {
    firstWrong: { known, wrong },
    confusions: [...confusions.values()].sort(
      (a, b) =>
        b.runs - a.runs || compareText(keyOf(a.expected, a.called), keyOf(b.expected, b.called)),
    ),
    tools: [...tools].map(([tool, used]) => toolOf(tool, used)).sort(byFailures),
  };
}

function toolOf(tool: string, { needed, called, timeMs, ...counts }: Used): TaskTool {
  const callers = new Set(called);
  return {
    tool,
    needed: needed.length,
    called: called.length,
    calledWhereNeeded: rate(needed, (run) => callers.has(run)),
    ...counts,
    timePerCallMs: counts.sent === 0 ? null : timeMs / counts.sent,
    success: rate(called, ({ succeeded }) => succeeded === true),
  };
}

function byFailures(a: TaskTool, b: TaskTool): number {
  const failures = ({ missed, wrong, errors }: TaskTool) => [missed + wrong, errors] as const;
  const [[confusedA, errorsA], [confusedB, errorsB]] = [failures(a), failures(b)];
  return confusedB - confusedA || errorsB - errorsA || compareText(a.tool, b.tool);
}
