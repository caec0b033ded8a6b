import { counted } from '../../../src-shared/display/numbers.ts';
import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import { isRateMetric, metricsOf, type Threshold } from '../../../src-shared/domain/gate.ts';
import type { Incomparable, Judgement, UnscoredGroup } from '../../../src-shared/domain/judgement.ts';
import { differencesOf } from './comparability.ts';
import { judge } from '../results/judge.ts';
import type { EvaluationReportFile } from './reportFile.ts';
import { metricPairs, numbersToJudge } from './reportNumbers.ts';
import { comparePerModel, itemsOf, type NamedReport } from './reportSides.ts';

/** What a result is held against. */
export interface JudgedBy {
  thresholds: readonly Threshold[];
  /** By metric: how far it may fall below the baseline. */
  tolerances: ReadonlyMap<string, number>;
  maxBroken: number | null;
  allowFailed: number;
  allowChangedCases: boolean;
  /** All models together instead of each by itself. */
  pooled: boolean;
  when: PassedWhen;
}

/** The runs of a report that have no score: without an answer, or with one that no schema could decide. */
const unscoredRunsOf = ({ counts, runs }: EvaluationReportFile): number =>
  counts.failed +
  counts.open +
  runs.filter(({ classification, passed }) => classification !== null && passed === null).length;

/**
 * Why a report can't serve as a baseline, one sentence each; empty if it can. One with unscored runs
 * would let anything pass that it didn't score.
 */
export function baselineProblems(
  { name, report }: NamedReport,
  { tolerances, allowFailed }: Pick<JudgedBy, 'tolerances' | 'allowFailed'>,
): string[] {
  const unscored = unscoredRunsOf(report);
  const unknown = [...tolerances.keys()].filter(
    (metric) => !metricsOf[report.unit].some((m) => m === metric),
  );
  return [
    ...(unscored > allowFailed
      ? [
          `${name}: ${counted(unscored, 'run is', 'runs are')} not scored, so it can't be a baseline. ` +
            'Make it again.',
        ]
      : []),
    ...unknown.map(
      (metric) =>
        `The baseline has no metric ${metric}. It has ${metricsOf[report.unit].filter(isRateMetric).join(', ')}.`,
    ),
  ];
}

/** Everything that keeps a report from being judged against a baseline. */
export const mismatches = (
  baseline: NamedReport,
  now: NamedReport,
  how: Pick<JudgedBy, 'allowChangedCases'>,
): string[] =>
  differencesOf(
    { ...baseline.report, cases: itemsOf(baseline.report) },
    { ...now.report, cases: itemsOf(now.report) },
    how,
  );

/** Judges a report by itself and against a baseline that can be compared with it. */
export function judgeReport(
  now: NamedReport,
  baseline: NamedReport | null,
  how: JudgedBy,
  unscored: readonly UnscoredGroup[],
  incomparable: Incomparable | null = null,
): Judgement {
  const { pooled, tolerances, maxBroken } = how;
  return judge({
    models: numbersToJudge(now.report, pooled),
    thresholds: how.thresholds,
    unscoredRuns: unscoredRunsOf(now.report),
    allowFailed: how.allowFailed,
    unscored,
    incomparable,
    baseline: baseline && {
      name: baseline.name,
      comparisons: comparePerModel(baseline, now, how),
      metrics: metricPairs(baseline.report, now.report, pooled),
      tolerances,
      maxBroken,
    },
  });
}
