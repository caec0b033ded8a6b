import { isBetterLow, type GateOutcome, type Threshold } from '../../../src-shared/domain/gate.ts';
import type {
  Incomparable,
  Judgement,
  JudgedBaseline,
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

export interface MetricPair {
  model: string | null;
  metric: string;
  baseline: number | null;
  value: number | null;
}

/** One model against its baseline, with what has a test of its own. */
type Compared = PairComparison & Pick<JudgedComparison, 'perTool' | 'changedCases'>;

export interface ToCompare extends Pick<
  JudgedBaseline,
  'name' | 'kind' | 'removedTools' | 'renamed'
> {
  comparisons: readonly Compared[];
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
  baseline: ToCompare | null;
  release?: ToCompare | null;
  trend?: Judgement['trend'];
  /** Whether somebody asked for a verdict, so that nothing to compare with is worth saying. */
  isCheck?: boolean;
  incomparable?: Incomparable | null;
  askedAgain?: Judgement['askedAgain'];
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
  const release = given.release ? judgeBaseline(given.release) : null;
  const outcomes: GateOutcome[] = [
    ...thresholds.map(({ outcome }) => outcome),
    ...[baseline, release].flatMap((one) => (one === null ? [] : outcomesOf(one))),
  ];
  const isIncomplete = unscoredRuns > allowFailed || outcomes.includes('not_decided');
  return {
    result: isIncomplete ? 'incomplete' : outcomes.includes('failed') ? 'failed' : 'passed',
    thresholds,
    baseline,
    ...(release && { release }),
    ...(given.trend && { trend: given.trend }),
    ...(given.isCheck === true &&
      thresholds.length === 0 &&
      baseline === null &&
      release === null &&
      !given.incomparable && { nothingToCompare: true }),
    incomparable: given.incomparable ?? null,
    ...(given.askedAgain && { askedAgain: given.askedAgain }),
    unscoredRuns,
    allowFailed,
    unscored: [...given.unscored],
  };
}

/** Every decision on a baseline: as many reasons as are listed. */
const outcomesOf = ({ comparisons, metrics, removedTools }: JudgedBaseline): GateOutcome[] => [
  ...comparisons.flatMap(({ outcome, perTool, changedCases, byTest }) => [
    outcome,
    ...(byTest ? [...perTool, ...(changedCases.changed ? [changedCases.changed] : [])] : [])
      .filter(({ worse }) => worse)
      .map(() => 'failed' as const),
  ]),
  ...metrics.map(({ outcome }) => outcome),
  ...removedTools.map(() => 'failed' as const),
];

/** Whether the paired test decides against a baseline, because no tolerance does. */
export const decidesByTest = ({ tolerances }: Pick<ToCompare, 'tolerances'>): boolean =>
  !tolerances.has('pass_rate') && !tolerances.has('success_rate');

function judgeBaseline(given: ToCompare): JudgedBaseline {
  const { name, kind, tolerances, maxBroken, removedTools, renamed } = given;
  const byTest = decidesByTest(given);
  return {
    name,
    kind,
    maxBroken,
    removedTools,
    renamed,
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
