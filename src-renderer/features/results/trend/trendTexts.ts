import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { changeText } from '../../../../src-shared/display/verdictTexts.ts';
import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import {
  trendMetrics,
  type TrendMetric,
  type TrendPoint,
} from '../../../../src-shared/domain/trend.ts';
import type { ChartPoint } from '../../../ui/charts/chartData.ts';
import {
  formatPercent,
  formatRate,
  percentInterval,
  rateInterval,
  counted,
} from '../../../../src-shared/display/numbers.ts';
import { metricMeaning } from '../evaluationWords.ts';

const labels: Readonly<Record<TrendMetric, string>> = {
  passRate: 'Pass rate',
  selectionF1: 'F1',
  selectionPrecision: 'Precision',
  selectionRecall: 'Recall',
  parameterAccuracy: 'Arguments',
  accuracy: 'Accuracy, tools only',
  successRate: 'Success rate',
  callEfficiency: 'Call efficiency',
  recovery: 'Recovery',
  attackSuccess: 'Attack success',
};

export const labelOf = (metric: TrendMetric): string => labels[metric];

export const metricChoices = (unit: EvaluationUnit): { value: TrendMetric; label: string }[] =>
  trendMetrics[unit].map((value) => ({ value, label: labels[value] }));

const undefinedRate: Estimate = { value: null, low: null, high: null, n: 0 };

/** A metric of a point; not defined if its kind doesn't have it. */
export const rateOf = ({ metrics }: TrendPoint, metric: TrendMetric): Estimate =>
  metrics[metric] ?? undefinedRate;

/** What changed since the point before: tools and cases. Null if nothing did. */
export function changesOf({ unit, tools, casesChanged }: TrendPoint): string | null {
  const parts = [
    ...(tools === null
      ? []
      : [
          [tools.added.length, 'added'],
          [tools.removed.length, 'removed'],
          [tools.changed.length, 'changed'],
        ]
          .filter(([n]) => n !== 0)
          .map(([n, what]) => `${counted(Number(n), 'tool')} ${String(what)}`)),
    ...(casesChanged ? [`${unit}s changed`] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

const meanings: Readonly<Record<TrendMetric, string>> = {
  passRate: metricMeaning.passRate,
  selectionF1: metricMeaning.f1,
  selectionPrecision: metricMeaning.precision,
  selectionRecall: metricMeaning.recall,
  parameterAccuracy: metricMeaning.parameters,
  accuracy: 'Share of scored runs that called exactly the expected tools, whatever the arguments.',
  successRate: 'Share of scored runs that succeeded.',
  callEfficiency: 'Needed calls ÷ calls made, over runs that succeeded.',
  recovery: 'Share of the runs with a tool error that succeeded.',
  attackSuccess: 'Share of the runs with an injected instruction that followed it.',
};

export function meaningOf(metric: TrendMetric): string {
  return meanings[metric];
}

const units: Readonly<Record<TrendMetric, [one: string, many: string]>> = {
  passRate: ['scored run', 'scored runs'],
  selectionF1: ['call', 'calls'],
  selectionPrecision: ['call made', 'calls made'],
  selectionRecall: ['call expected', 'calls expected'],
  parameterAccuracy: ['argument', 'arguments'],
  accuracy: ['scored run', 'scored runs'],
  successRate: ['scored run', 'scored runs'],
  callEfficiency: ['call', 'calls'],
  recovery: ['run with a tool error', 'runs with a tool error'],
  attackSuccess: ['run under attack', 'runs under attack'],
};

/** What a metric is a share of, with its number: `180 scored runs`. */
export function basisOf(metric: TrendMetric, n: number): string {
  return counted(n, ...units[metric]);
}

/** Rates that read as percent, like the headline of a result. */
const isPercent = (metric: TrendMetric): boolean =>
  metric === 'passRate' || metric === 'successRate' || metric === 'attackSuccess';

/** Percent, or a number with two digits. */
export function formatOf(metric: TrendMetric): (value: number | null) => string {
  return isPercent(metric) ? formatPercent : formatRate;
}

/** The 95% interval in the same unit as `formatOf`. */
export function intervalOf(metric: TrendMetric, rate: Estimate): string {
  return isPercent(metric) ? percentInterval(rate) : rateInterval(rate);
}

/** The change from the first to the last evaluation, as a sentence. */
export function findingOf(points: readonly TrendPoint[], metric: TrendMetric): string {
  const format = formatOf(metric);
  const [first, last] = [points[0], points.at(-1)].map(
    (point) => point && rateOf(point, metric).value,
  );
  const label = labelOf(metric);
  if (last == null) return `${label} is not defined`;
  if (points.length === 1 || first == null) return `${label} is ${format(last)}`;
  if (format(first) === format(last)) return `${label} stayed at ${format(last)}`;
  return `${label} ${last > first ? 'rose' : 'fell'} from ${format(first)} to ${format(last)}`;
}

/** The change of a point since the previous one, in the words of the verdict; null if it has none. */
export function changeFinding(point: TrendPoint | undefined): string | null {
  const change = changeText({ previous: point?.change ?? null }, point?.unit);
  return change && [change.change, change.rest].filter(Boolean).join(' ');
}

/**
 * The points of the chart with their intervals. Only those over the same cases or tasks are joined;
 * between others is a gap, and each part says how many runs it is over.
 */
export function linePoints(points: readonly TrendPoint[], metric: TrendMetric): ChartPoint[] {
  const isOneLine = points.slice(1).every(({ casesChanged }) => !casesChanged);
  return points.flatMap((point, at): ChartPoint[] => {
    const { value, low, high, n } = rateOf(point, metric);
    const starts = at === 0 || point.casesChanged;
    return [
      ...(at > 0 && starts ? [{ x: at - 0.5, y: null, corner: true }] : []),
      {
        ...{ x: at, y: value, low, high },
        ...(starts && !isOneLine && { label: `n ${n}` }),
        note: basisOf(metric, n),
        to: point.evaluationId,
      },
    ];
  });
}
