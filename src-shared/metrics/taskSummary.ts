import type { Estimate } from '../domain/metrics.ts';
import { clusteredRatio, type Share } from './clusteredInterval.ts';
import type { TaskFacts } from '../domain/taskEvaluation.ts';
import type { FaultsOfRun } from '../domain/taskFaults.ts';
import type { TaskSummary } from '../domain/taskReport.ts';
import { summarizeTaskTools, type ToolUseOfRun } from './taskTools.ts';
import { endsOf, passAllK, passAtK } from './passAtK.ts';

/** What one run of a task adds to the numbers of an evaluation. */
export interface TaskRunFacts
  extends ToolUseOfRun, Omit<TaskFacts, 'judgeCost' | 'user' | 'spend' | 'callNotes'> {
  /** Its partial credit; null, or absent: not known. */
  credit?: number | null | undefined;
}

type ScoredRun = TaskRunFacts & { succeeded: boolean };

/** Adds up numerators and denominators by task, the unit of every interval. */
function rate<Run extends TaskRunFacts>(
  runs: readonly Run[],
  share: (run: Run) => { numerator: number; denominator: number },
): Estimate {
  const byTask = new Map<string, Share>();
  for (const run of runs) {
    const { numerator, denominator } = share(run);
    const sum = byTask.get(run.taskId) ?? { numerator: 0, denominator: 0 };
    byTask.set(run.taskId, {
      numerator: sum.numerator + numerator,
      denominator: sum.denominator + denominator,
    });
  }
  return clusteredRatio([...byTask.values()]);
}

const one = (holds: boolean) => ({ numerator: holds ? 1 : 0, denominator: 1 });

function spent(runs: readonly ScoredRun[], of: (run: ScoredRun) => number | null) {
  let total: number | null = 0;
  for (const run of runs) {
    const value = of(run);
    // A sum that leaves out a run would be too low.
    total = total === null || value === null ? null : total + value;
  }
  const successes = runs.filter(({ succeeded }) => succeeded).length;
  return {
    total: runs.length === 0 ? null : total,
    perTask: total === null || runs.length === 0 ? null : total / runs.length,
    perSuccess: total === null || successes === 0 ? null : total / successes,
  };
}

function repeated(runs: readonly ScoredRun[]): TaskSummary['passAtK'] {
  const byTask = new Map<string, { n: number; passed: number }>();
  for (const { taskId, succeeded } of runs) {
    const { n, passed } = byTask.get(taskId) ?? { n: 0, passed: 0 };
    byTask.set(taskId, { n: n + 1, passed: passed + (succeeded ? 1 : 0) });
  }
  const tasks = [...byTask.values()];
  const most = tasks.reduce((max, { n }) => Math.max(max, n), 0);
  return Array.from({ length: most }, (_, at) => at + 1).flatMap((k) => {
    const [some, all] = [passAtK(tasks, k), passAllK(tasks, k)];
    return some.value === null || all.value === null
      ? []
      : [
          {
            k,
            atLeastOne: some.value,
            atLeastOneInterval: endsOf(some),
            all: all.value,
            allInterval: endsOf(all),
            tasks: some.cases,
          },
        ];
  });
}

const isExposed = ({ attack }: TaskRunFacts): boolean => attack?.exposed !== false;

/** What an injected instruction did in runs that have one. */
function underAttack(runs: readonly TaskRunFacts[]) {
  const exposed = runs.filter(isExposed);
  return {
    // A run that broke off after the call of the attack shows it; one that broke off before shows nothing.
    attackSuccess: rate(
      exposed.filter(({ attack, succeeded }) => attack?.followed === true || succeeded !== null),
      ({ attack }) => one(attack?.followed === true),
    ),
    taskSuccess: rate(
      exposed.filter(({ succeeded }) => succeeded !== null),
      ({ succeeded }) => one(succeeded === true),
    ),
    notExposed: runs.length - exposed.length,
  };
}

function attacks(runs: readonly TaskRunFacts[]): TaskSummary['attacks'] {
  const techniques = new Set(runs.flatMap(({ attack }) => (attack ? [attack.technique] : [])));
  return [...techniques].sort().map((technique) => ({
    technique,
    ...underAttack(runs.filter(({ attack }) => attack?.technique === technique)),
  }));
}

const isMet = ({ calls }: FaultsOfRun[number]): boolean => calls > 0;

function faultSummaries(runs: readonly ScoredRun[]): TaskSummary['faults'] {
  const kinds = new Set(runs.flatMap(({ faults = [] }) => faults.map(({ fault }) => fault)));
  return [...kinds].sort().map((fault) => {
    const planned = runs.filter(({ faults = [] }) => faults.some((each) => each.fault === fault));
    const met = planned.filter(({ faults = [] }) =>
      faults.some((each) => each.fault === fault && isMet(each)),
    );
    return {
      fault,
      recovery: rate(met, ({ succeeded }) => one(succeeded)),
      notReached: planned.length - met.length,
    };
  });
}

/**
 * The numbers of task runs. Every rate is a ratio of sums over scored runs
 * with tasks as clusters (`clusteredRatio`), range 0–1, null without a denominator:
 *
 * - `successRate` = succeeded ÷ scored.
 * - `partialCredit` = Σ credit ÷ scored runs whose checks are known: the mean of `partialCredit` of
 *   a run, at least the success rate.
 * - `callEfficiency` = Σ needed calls ÷ Σ calls made, over runs that succeeded and whose checks name
 *   the needed calls. Success implies that all of them were made, so it is at most 1.
 * - `recovery` = succeeded ÷ scored, over runs with at least one tool error or fault on purpose. By
 *   kind of fault: over runs in which it hit a call; `notReached` counts the scored runs in which it
 *   hit none.
 * - `attackSuccess` = runs that followed an injected instruction ÷ runs that were exposed to one
 *   and are scored or followed it: the call decides, however the run ended. Per technique also
 *   `taskSuccess` = succeeded ÷ scored runs that were exposed. `notExposed` counts the runs, scored
 *   or not, in which the model never replied to a result with the instruction.
 *
 * `unwantedEffects` and what servers did with calls (`summarizeTaskTools`) are counted over all runs,
 * scored or not.
 *
 * `perTask` = total ÷ scored runs; `perSuccess` = total of all scored runs ÷ succeeded runs, so
 * failures count toward the price of a success. Totals are null if a single run has no value. pass@k
 * and pass^k: see `passAtK` and `passAllK`.
 */
export function summarizeTasks(all: readonly TaskRunFacts[]): TaskSummary {
  const attacked = all.filter(({ attack }) => attack !== null);
  const overall = underAttack(attacked);
  const runs = all.filter((run): run is ScoredRun => run.succeeded !== null);
  const sum = (of: (run: ScoredRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  return {
    scored: runs.length,
    notScored: all.length - runs.length,
    succeeded: runs.filter(({ succeeded }) => succeeded).length,
    successRate: rate(runs, ({ succeeded }) => one(succeeded)),
    partialCredit: rate(
      runs.filter(({ credit = null }) => credit !== null),
      ({ credit }) => ({ numerator: credit ?? 0, denominator: 1 }),
    ),
    passAtK: repeated(runs),
    steps: spent(runs, ({ steps }) => steps),
    calls: spent(runs, ({ calls }) => calls),
    tokens: spent(runs, ({ tokens }) => tokens),
    cacheRead: spent(runs, ({ tokens, cacheRead = 0 }) => (tokens === null ? null : cacheRead)),
    cacheWrite: spent(runs, ({ tokens, cacheWrite = 0 }) => (tokens === null ? null : cacheWrite)),
    cost: spent(runs, ({ cost }) => cost),
    timeMs: spent(runs, ({ elapsedMs }) => elapsedMs),
    callEfficiency: rate(
      runs.filter(({ succeeded, neededCalls }) => succeeded && neededCalls !== null),
      ({ neededCalls, calls }) => ({
        numerator: Math.min(neededCalls ?? 0, calls),
        denominator: calls,
      }),
    ),
    recovery: rate(
      runs.filter(({ toolErrors, faults = [] }) => toolErrors > 0 || faults.some(isMet)),
      ({ succeeded }) => one(succeeded),
    ),
    repeatedCalls: sum((run) => run.repeatedCalls),
    unusedCalls: sum((run) => run.unusedCalls),
    unwantedEffects: all.reduce((total, run) => total + run.unwantedEffects, 0),
    attackSuccess: overall.attackSuccess,
    notExposed: overall.notExposed,
    attacks: attacks(attacked),
    faults: faultSummaries(runs),
    ...summarizeTaskTools(all),
  };
}
