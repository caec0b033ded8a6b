import { isBetterLow, type GateOutcome, type Threshold } from '../../../src-shared/domain/gate.ts';
import type {
  Incomparable,
  Judgement,
  JudgedComparison,
  JudgedMetric,
  UnscoredGroup,
} from '../../../src-shared/domain/judgement.ts';
import { checkThresholds, type GateNumbers } from '../../../src-shared/metrics/gates.ts';
import type { PairComparison } from './compare.ts';

/** Tolerance for the rounding of stored numbers. */
const roundingTolerance = 1e-9;

/** What one model reached; the label is null for all models together, or the only one. */
export interface JudgedNumbers {
  model: string | null;
  numbers: GateNumbers;
}

/** A metric of a model and of its baseline. */
export interface MetricPair {
  model: string | null;
  metric: string;
  baseline: number | null;
  value: number | null;
}

export interface JudgedBaseline {
  name: string;
  comparisons: readonly PairComparison[];
  metrics: readonly MetricPair[];
  /** By metric: how much worse it may be. */
  tolerances: ReadonlyMap<string, number>;
  maxBroken: number | null;
}

export interface ToJudge {
  models: readonly JudgedNumbers[];
  thresholds: readonly Threshold[];
  unscoredRuns: number;
  allowFailed: number;
  unscored: readonly UnscoredGroup[];
  baseline: JudgedBaseline | null;
  incomparable?: Incomparable | null;
}

/**
 * Decides whether a build passes (docs/rules.md §3, Gates). Each model fails by itself: below a
 * threshold, worse than its baseline by the paired test, or further below it than a tolerance
 * allows. What can't be decided, and too many runs without a score, take precedence.
 */
export function judge(given: ToJudge): Judgement {
  const { unscoredRuns, allowFailed } = given;
  const thresholds = given.models.flatMap(({ model, numbers }) =>
    checkThresholds(numbers, given.thresholds).map((result) => ({ ...result, model })),
  );
  const baseline = given.baseline && judgeBaseline(given.baseline);
  const outcomes: GateOutcome[] = [
    ...thresholds.map(({ outcome }) => outcome),
    ...(baseline?.comparisons ?? []).map(({ outcome }) => outcome),
    ...(baseline?.metrics ?? []).map(({ outcome }) => outcome),
  ];
  const isIncomplete = unscoredRuns > allowFailed || outcomes.includes('not_decided');
  return {
    result: isIncomplete ? 'incomplete' : outcomes.includes('failed') ? 'failed' : 'passed',
    thresholds,
    baseline,
    incomparable: given.incomparable ?? null,
    unscoredRuns,
    allowFailed,
    unscored: [...given.unscored],
  };
}

/** Whether the paired test decides against a baseline, because no tolerance does. */
export const decidesByTest = ({ tolerances }: Pick<JudgedBaseline, 'tolerances'>): boolean =>
  !tolerances.has('pass_rate') && !tolerances.has('success_rate');

function judgeBaseline(given: JudgedBaseline): NonNullable<Judgement['baseline']> {
  const { name, tolerances, maxBroken } = given;
  const byTest = decidesByTest(given);
  return {
    name,
    maxBroken,
    comparisons: given.comparisons.map((comparison) => ({
      ...comparison,
      byTest,
      outcome: comparisonOutcome(comparison, byTest, maxBroken),
    })),
    metrics: given.metrics.flatMap(({ model, metric, baseline, value }): JudgedMetric[] => {
      const tolerance = tolerances.get(metric);
      if (tolerance === undefined) return [];
      const outcome =
        baseline === null || value === null
          ? 'not_decided'
          : (isBetterLow(metric) ? value - baseline : baseline - value) >
              tolerance + roundingTolerance
            ? 'failed'
            : 'passed';
      return [{ model, metric, baseline, value, tolerance, outcome }];
    }),
  };
}

function comparisonOutcome(
  { candidate }: PairComparison,
  byTest: boolean,
  maxBroken: number | null,
): JudgedComparison['outcome'] {
  if (maxBroken !== null && candidate.regressed.length > maxBroken) return 'failed';
  if (!byTest) return 'passed';
  if (candidate.difference === null) return 'not_decided';
  return candidate.answer === 'worse' ? 'failed' : 'passed';
}
