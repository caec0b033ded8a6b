import { failedReasons, undecidedReasons } from '../../../../src-shared/display/judgementTexts.ts';
import type { Judgement, UnscoredGroup } from '../../../../src-shared/domain/judgement.ts';
import { candidateShape } from './comparisonShape.ts';

/** Why runs have no score, as JSON. */
export const unscoredShape = (groups: readonly UnscoredGroup[]) =>
  groups.map(({ failure, message, runs, cases }) => ({ failure, reason: message, runs, cases }));

/** What decided whether a build passes, as JSON. */
export function judgementShape(judgement: Judgement) {
  const { result, thresholds, baseline, unscoredRuns, allowFailed } = judgement;
  return {
    result,
    failed: failedReasons(judgement),
    not_decided: undecidedReasons(judgement),
    thresholds: thresholds.map(({ model, threshold, value, outcome }) => ({
      model,
      metric: threshold.metric,
      bound: threshold.bound,
      side: threshold.side,
      limit: threshold.limit,
      value,
      outcome,
    })),
    baseline: baseline && {
      name: baseline.name,
      max_broken: baseline.maxBroken,
      metrics: baseline.metrics,
      models: baseline.comparisons.map(({ candidate, byTest, outcome }) => ({
        outcome,
        by_test: byTest,
        ...candidateShape(candidate),
      })),
    },
    unscored_runs: unscoredRuns,
    allow_failed: allowFailed,
  };
}
