import { compareText } from '../domain/compareText.ts';
import type { Estimate } from '../domain/metrics.ts';
import type { TaskRunRow } from '../domain/taskEvaluation.ts';
import {
  difficultiesOf,
  taskGroupings,
  type TaskGroup,
  type TaskGrouping,
} from '../domain/taskGroup.ts';
import { clusteredRatio } from './clusteredInterval.ts';
import { proportion } from './intervals.ts';

/** What a group needs of a run. */
export type GroupedRun = Pick<TaskRunRow, 'runId' | 'taskKey' | 'outcome' | 'checks'>;

export interface GroupedTask {
  key: string;
  name: string;
  tags: readonly string[];
  /** The servers whose tools the model saw. */
  servers: readonly string[];
}

const namesBy: Readonly<Record<Exclude<TaskGrouping, 'task'>, (task: GroupedTask) => string[]>> = {
  // A tag that names a difficulty is listed as one.
  tag: ({ tags }) => [...new Set(tags.filter((tag) => difficultiesOf([tag]).length === 0))],
  server: ({ servers }) => [...new Set(servers)],
  difficulty: ({ tags }) => difficultiesOf(tags),
};

const isScored = ({ outcome }: GroupedRun): boolean => outcome !== null && outcome !== 'not_scored';
const hasSucceeded = ({ outcome }: GroupedRun): boolean => outcome === 'succeeded';

/**
 * The success rate of runs = succeeded ÷ scored, range 0–1. Of one task, its repetitions are
 * independent, so the interval is Wilson's; of several, they are clusters (`clusteredRatio`), and
 * fewer than five have no interval.
 */
function successOf(runs: readonly GroupedRun[]): Estimate {
  const scored = runs.filter(isScored);
  const byTask = Map.groupBy(scored, ({ taskKey }) => taskKey);
  return byTask.size === 1
    ? proportion(scored.filter(hasSucceeded).length, scored.length)
    : clusteredRatio(
        [...byTask.values()].map((own) => ({
          numerator: own.filter(hasSucceeded).length,
          denominator: own.length,
        })),
      );
}

/** Verdicts of judged runs, by the id of a check of one task, or by the kind of checks of several. */
function checksOf(runs: readonly GroupedRun[], by: TaskGrouping): TaskGroup['checks'] {
  const rows = new Map<string, TaskGroup['checks'][number]>();
  for (const { checks } of runs)
    for (const { id, kind, passed } of checks) {
      const check = by === 'task' ? id : kind;
      const known = rows.get(check) ?? { check, passed: 0, failed: 0, unjudged: 0 };
      rows.set(check, {
        check,
        passed: known.passed + (passed === true ? 1 : 0),
        failed: known.failed + (passed === false ? 1 : 0),
        unjudged: known.unjudged + (passed === null ? 1 : 0),
      });
    }
  return [...rows.values()].sort((a, b) => b.failed - a.failed);
}

/** Runs that ended and didn't succeed, by their cause. */
function failuresOf<Run extends GroupedRun>(
  runs: readonly Run[],
  causeOf: (run: Run) => string,
): TaskGroup['failures'] {
  const failed = runs.filter((run) => run.outcome !== null && !hasSucceeded(run));
  return [...Map.groupBy(failed, causeOf)]
    .map(([cause, own]) => ({ cause, runs: own.length, runId: own[0]?.runId ?? '' }))
    .sort((a, b) => b.runs - a.runs || compareText(a.cause, b.cause));
}

/**
 * The runs of one model by task, and by tag, server and difficulty where these say more than all tasks
 * together: a grouping of which one group holds every task is left out, and so is one without a
 * group. Tasks come in the order of the suite, other groups by name. Success rate: succeeded ÷ scored,
 * 0–1, null without a scored run; Wilson's interval for one task, clustered by task otherwise.
 */
export function groupTasks<Run extends GroupedRun>(
  runs: readonly Run[],
  tasks: readonly GroupedTask[],
  causeOf: (run: Run) => string,
): TaskGroup[] {
  const runsOf = Map.groupBy(runs, ({ taskKey }) => taskKey);
  const groupOf = (by: TaskGrouping, name: string, keys: readonly string[]): TaskGroup => {
    const own = keys.flatMap((key) => runsOf.get(key) ?? []);
    return {
      by,
      name,
      keys: [...keys],
      scored: own.filter(isScored).length,
      notScored: own.filter(({ outcome }) => outcome === 'not_scored').length,
      succeeded: own.filter(hasSucceeded).length,
      success: successOf(own),
      checks: checksOf(own, by),
      failures: failuresOf(own, causeOf),
    };
  };
  return taskGroupings.flatMap((by) => {
    if (by === 'task') return tasks.map(({ key, name }) => groupOf(by, name, [key]));
    const keysOf = new Map<string, string[]>();
    for (const task of tasks)
      for (const name of namesBy[by](task))
        keysOf.set(name, [...(keysOf.get(name) ?? []), task.key]);
    const saysNothing = [...keysOf.values()].every((keys) => keys.length === tasks.length);
    if (saysNothing) return [];
    return [...keysOf]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, keys]) => groupOf(by, name, keys));
  });
}
