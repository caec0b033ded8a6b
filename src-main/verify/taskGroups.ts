import { z } from 'zod';
import { proportionOf, ratioOf } from './intervals.ts';
import type { Path, Recount } from './recount.ts';
import { passedOf } from './unitReport.ts';

interface GroupedRun {
  task: string;
  outcome: string | null;
  checks?: readonly { id?: string | undefined; kind: string; passed: boolean | null }[] | undefined;
}

export const groupRows = z.array(
  z.looseObject({
    by: z.string(),
    tasks: z.array(z.string()),
    checks: z.array(z.looseObject({ check: z.string() })),
    failures: z.array(z.looseObject({ runs: z.number() })),
  }),
);

const isScored = ({ outcome }: GroupedRun) => outcome !== null && outcome !== 'not_scored';
const isSuccess = ({ outcome }: GroupedRun) => outcome === 'succeeded';

/** Compares the groups of a model with its runs. Which tasks a group has follows from the suite. */
export function compareGroups(
  path: Path,
  groups: z.infer<typeof groupRows>,
  runs: readonly GroupedRun[],
  recount: Recount,
): void {
  for (const [at, { by, tasks, checks, failures }] of groups.entries()) {
    const own = runs.filter(({ task }) => tasks.includes(task));
    const scored = own.filter(isScored);
    const succeeded = scored.filter(isSuccess).length;
    const clusters = [...Map.groupBy(scored, ({ task }) => task).values()];
    recount.compare([...path, at], {
      scored: scored.length,
      not_scored: own.filter(({ outcome }) => outcome === 'not_scored').length,
      succeeded,
      success_rate:
        clusters.length === 1
          ? proportionOf(succeeded, scored.length)
          : ratioOf(clusters.map((one) => ({ y: one.filter(isSuccess).length, x: one.length }))),
      checks: checks.map(({ check }) => {
        const verdicts = own.flatMap((run) =>
          (run.checks ?? []).filter(({ id, kind }) => (by === 'task' ? id : kind) === check),
        );
        const count = (passed: boolean | null) =>
          verdicts.filter((verdict) => verdict.passed === passed).length;
        return { passed: count(true), failed: count(false), unjudged: count(null) };
      }),
    });
    const failed = own.filter((run) => run.outcome !== null && !isSuccess(run)).length;
    const listed = failures.reduce((sum, { runs: each }) => sum + each, 0);
    if (listed !== failed) recount.compare([...path, at, 'failures', 'length'], failed);
  }
}

/** pass@k and pass^k of tasks. */
export function repetitionsOf(runs: readonly GroupedRun[]) {
  const tasks = [...Map.groupBy(runs, ({ task }) => task)].map(([cluster, own]) => ({
    cluster,
    n: own.length,
    passed: own.filter(isSuccess).length,
  }));
  const most = Math.max(0, ...tasks.map(({ n }) => n));
  return Array.from({ length: most }, (_, at) => at + 1).map((k) => {
    const { some, all, enough } = passedOf(tasks, k);
    return {
      k,
      pass_at_k: some.value,
      pass_hat_k: all.value,
      tasks: enough,
      pass_at_k_interval: some.interval,
      pass_hat_k_interval: all.interval,
    };
  });
}
