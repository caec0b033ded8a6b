import { sumOf } from './evaluationRows.ts';
import { ratioOf } from './intervals.ts';
import { reasons } from './reasons.ts';
import type { Recount } from './recount.ts';

/** What follows from nothing in a report of cases or of tasks; `runs` are those of its runs. */
export function declareUnit(
  recount: Recount,
  runs: Readonly<Record<'ids' | 'texts', readonly string[]>>,
): void {
  const ofRuns = (names: readonly string[]) => names.map((name) => `runs[*].${name}`);
  recount.notCheckedAll(reasons.ids, [
    ...['evaluation_id', 'number', 'snapshot_id'],
    ...ofRuns(['run_id', 'repetition', 'attempt', ...runs.ids]),
  ]);
  recount.notCheckedAll(reasons.times, ['generated', 'created_at', 'started_at', 'completed_at']);
  recount.notCheckedAll(reasons.texts, [
    ...['suite', 'status', 'reason'],
    ...ofRuns(['name', 'failure', 'call_notes', ...runs.texts]),
  ]);
  const model = ['label', 'provider', 'model', 'base_url', 'wire_api', 'sent', 'refused', 'price'];
  recount.notCheckedAll(reasons.settings, [
    'settings',
    'tools_from',
    ...[...model, 'conditions'].map((name) => `models[*].${name}`),
  ]);
}

/** The runs of a case or task by one model; runs of one cluster are never independent. */
interface RepeatedUnit {
  cluster: string;
  n: number;
  passed: number;
}

/**
 * Of k runs of a case or task drawn without replacement, whether at least one passed and whether all
 * did: the mean chance over those with k runs, with its interval.
 */
export function passedOf(counts: readonly RepeatedUnit[], k: number) {
  const enough = counts.filter(({ n }) => n >= k);
  const drawn = (n: number, good: number) => {
    let chance = 1;
    for (let draw = 0; draw < k; draw += 1) chance *= Math.max(0, good - draw) / (n - draw);
    return chance;
  };
  const meanOf = (chance: (one: RepeatedUnit) => number) => {
    const clusters = Map.groupBy(enough, ({ cluster }) => cluster);
    const { value, low, high } = ratioOf(
      [...clusters.values()].map((own) => ({ y: sumOf(own, chance), x: own.length })),
    );
    return { value, interval: low === null || high === null ? null : { low, high } };
  };
  return {
    some: meanOf(({ n, passed }) => 1 - drawn(n, n - passed)),
    all: meanOf(({ n, passed }) => drawn(n, passed)),
    enough: enough.length,
  };
}
