import { counted } from '../../../src-shared/display/numbers.ts';
import type { PassedWhen } from '../../../src-shared/domain/comparison.ts';
import {
  isRateMetric,
  metricsOf,
  type Threshold,
  gateMetrics,
  type plainGateMetrics,
} from '../../../src-shared/domain/gate.ts';
import type {
  Incomparable,
  Judgement,
  UnscoredGroup,
} from '../../../src-shared/domain/judgement.ts';
import { differencesOf, pairModels } from './comparability.ts';
import type { HiddenLimit } from '../clients/judgeHidden.ts';
import { judge, type JudgedNumbers, type MetricPair } from '../results/judge.ts';
import type { EvaluationReportFile, ReportedModel } from './reportFile.ts';
import { compareReferences, lostRuns, removedTools, trendTo } from './references.ts';
import { alignRenames, noRenames, type KnownRenames } from './renames.ts';
import { alignRepetitions } from './repetitions.ts';
import { itemsOf, type NamedReport } from './reportSides.ts';
import type { GateNumbers } from '../../../src-shared/metrics/gates.ts';

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
  /** How many tools clients may hide; left out: any number. */
  hidden?: HiddenLimit;
  /** Whether a verdict was asked for, so that one without anything to compare with says so. */
  isCheck?: boolean;
}

export interface References {
  /** The newest result that is known to be good. */
  baseline: NamedReport | null;
  /** The baseline that was given and can't be compared. */
  incomparable: Incomparable | null;
  /** One that stays until somebody replaces it. */
  release: NamedReport | null;
  renames: KnownRenames;
}
export const noReferences: References = {
  baseline: null,
  incomparable: null,
  release: null,
  renames: noRenames,
};

/** The runs of a report that have no score: without an answer, or with one that no schema could decide. */
const unscoredRunsOf = ({ counts, runs, askedAgain }: EvaluationReportFile): number =>
  counts.failed +
  counts.open +
  runs.filter(({ classification, passed }) => classification !== null && passed === null).length +
  (askedAgain?.runs ?? []).filter(({ passed }) => passed === null).length;

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
export function mismatches(
  baseline: NamedReport,
  now: NamedReport,
  how: Pick<JudgedBy, 'allowChangedCases'>,
  renames = noRenames,
): string[] {
  const aligned = alignRenames(baseline, now, renames);
  return differencesOf(
    { ...aligned.baseline.report, cases: itemsOf(aligned.baseline.report) },
    { ...aligned.now.report, cases: itemsOf(aligned.now.report) },
    how,
  );
}

export function judgeReport(
  now: NamedReport,
  { baseline, incomparable, release, renames }: References,
  how: JudgedBy,
  unscored: readonly UnscoredGroup[],
): Judgement {
  const { pooled, tolerances, maxBroken, when } = how;
  const kinds = [
    ...(baseline ? [{ kind: 'newest' as const, report: baseline }] : []),
    ...(release ? [{ kind: 'release' as const, report: release }] : []),
  ];
  const pairs = kinds.map(({ report }) =>
    alignRepetitions(alignRenames(report, now, renames), when),
  );
  const compared = compareReferences(pairs, { pooled, when });
  const toCompare = kinds.map(({ kind, report: { name } }, at) => {
    const pair = pairs[at] ?? { baseline: now, now, renamed: [] };
    const removed = removedTools(pair, when);
    // A removed tool has a reason of its own.
    const isJudged = ({ tool }: { tool: string }) => removed.every((one) => one.tool !== tool);
    const comparisons = (compared[at] ?? []).map((one) => ({
      ...one,
      perTool: one.perTool.filter(isJudged),
    }));
    return {
      ...{ name, kind, comparisons, tolerances, renamed: pair.renamed },
      metrics: metricPairs(pair.baseline.report, now.report, pooled),
      // The number of broken cases is that of one change, not of all since a release.
      maxBroken: kind === 'newest' ? maxBroken : null,
      removedTools: removed,
    };
  });
  const of = (wanted: 'newest' | 'release') =>
    toCompare.find(({ kind }) => kind === wanted) ?? null;
  const lost = new Set(
    toCompare.flatMap(({ removedTools: all }) => all.flatMap((one) => one.cases)),
  );
  const [newest] = pairs;
  return judge({
    models: numbersToJudge(now.report, pooled),
    thresholds: how.thresholds,
    unscoredRuns: unscoredRunsOf(now.report) - (newest ? lostRuns(newest) : 0),
    allowFailed: how.allowFailed,
    unscored: unscored.filter(
      ({ failure, cases }) =>
        failure !== 'tool_not_offered' || !cases.every((key) => lost.has(key)),
    ),
    baseline: of('newest'),
    release: of('release'),
    ...(baseline && { trend: trendTo(baseline) }),
    isCheck: how.isCheck ?? false,
    incomparable,
    ...(now.report.askedAgain && { askedAgain: countAgain(now.report.askedAgain) }),
  });
}

const countAgain = ({
  up_to: upTo,
  runs,
}: NonNullable<EvaluationReportFile['askedAgain']>): Judgement['askedAgain'] => ({
  upTo,
  cases: new Set(runs.map((run) => run.case_id)).size,
  runs: runs.length,
});

/** The numbers that thresholds compare, of a report or of one of its models. */
function gateNumbersIn(from: EvaluationReportFile | ReportedModel, durationMs: number | null) {
  const { metrics, latency_ms: latency, tokens, cost_usd: cost, counts } = from;
  const plain: Record<(typeof plainGateMetrics)[number], number | null> = {
    'latency_ms.p50': latency.p50,
    'latency_ms.p95': latency.p95,
    'tokens.input': tokens.input,
    'tokens.output': tokens.output,
    cost_usd: cost,
    duration_ms: durationMs,
    'counts.failed': counts.failed,
  };
  const rates = gateMetrics.map((name) => [name, metrics[name] ?? null] as const);
  return { ...Object.fromEntries(rates), ...plain } as GateNumbers;
}

/** Each model of a report, or all of them together. A single model has no name of its own. */
function numbersToJudge(report: EvaluationReportFile, pooled: boolean): JudgedNumbers[] {
  const { models, duration_ms: duration } = report;
  if (pooled || models.length === 1)
    return [{ model: null, numbers: gateNumbersIn(report, duration) }];
  return models.map((model) => ({ model: model.label, numbers: gateNumbersIn(model, duration) }));
}

function metricPairs(
  before: EvaluationReportFile,
  now: EvaluationReportFile,
  pooled: boolean,
): MetricPair[] {
  const isOne = pooled || now.models.length === 1;
  const pairs = isOne
    ? [{ before: before.metrics, after: now.metrics, model: null }]
    : pairModels(before.models, now.models).pairs.map((pair) => ({
        before: pair.before.metrics,
        after: pair.after.metrics,
        model: pair.after.label,
      }));
  return pairs.flatMap((pair) =>
    gateMetrics.map((metric) => ({
      model: pair.model,
      metric,
      baseline: pair.before[metric]?.value ?? null,
      value: pair.after[metric]?.value ?? null,
    })),
  );
}
