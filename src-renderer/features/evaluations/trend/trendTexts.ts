import type { Metrics } from '../../../../src-shared/domain/metrics.ts';
import type { TrendPoint } from '../../../../src-shared/domain/trend.ts';
import type { ChartPoint } from '../../../ui/charts/chartData.ts';
import {
  formatInterval,
  formatPercent,
  formatPercentInterval,
  formatRate,
} from '../../../ui/estimate/format.ts';
import { counted } from '../../../ui/text/words.ts';
import { metricMeaning } from '../evaluationWords.ts';

export const shownMetrics = [
  { value: 'passRate', label: 'Pass rate' },
  { value: 'selectionF1', label: 'F1' },
  { value: 'selectionPrecision', label: 'Precision' },
  { value: 'selectionRecall', label: 'Recall' },
  { value: 'parameterAccuracy', label: 'Arguments' },
  { value: 'accuracy', label: 'Accuracy, tools only' },
] as const satisfies readonly { value: keyof Metrics; label: string }[];
export type ShownMetric = (typeof shownMetrics)[number]['value'];

/** What changed since the point before: tools and cases. Null if nothing did. */
export function changesOf({ tools, casesChanged }: TrendPoint): string | null {
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
    ...(casesChanged ? ['cases changed'] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

const meanings: Readonly<Record<ShownMetric, string>> = {
  passRate: metricMeaning.passRate,
  selectionF1: metricMeaning.f1,
  selectionPrecision: metricMeaning.precision,
  selectionRecall: metricMeaning.recall,
  parameterAccuracy: metricMeaning.parameters,
  accuracy: 'Share of scored runs that called exactly the expected tools, whatever the arguments.',
};

/** What a metric counts, as a sentence. */
export function meaningOf(metric: ShownMetric): string {
  return meanings[metric];
}

const units: Readonly<Record<ShownMetric, [one: string, many: string]>> = {
  passRate: ['scored run', 'scored runs'],
  selectionF1: ['call', 'calls'],
  selectionPrecision: ['call made', 'calls made'],
  selectionRecall: ['call expected', 'calls expected'],
  parameterAccuracy: ['argument', 'arguments'],
  accuracy: ['scored run', 'scored runs'],
};

/** What a metric is a share of, with its number: `180 scored runs`. */
export function basisOf(metric: ShownMetric, n: number): string {
  return counted(n, ...units[metric]);
}

/** The name of a metric. */
export function labelOf(metric: ShownMetric): string {
  return shownMetrics.find(({ value }) => value === metric)?.label ?? '';
}

/** The pass rate reads as percent, like the headline of a result; metrics have two digits. */
export function formatOf(metric: ShownMetric): (value: number | null) => string {
  return metric === 'passRate' ? formatPercent : formatRate;
}

/** The 95% interval in the same unit as `formatOf`. */
export function intervalOf(metric: ShownMetric, low: number | null, high: number | null): string {
  return metric === 'passRate' ? formatPercentInterval(low, high) : formatInterval(low, high);
}

/** The change from the first to the last evaluation, as a sentence. */
export function findingOf(points: readonly TrendPoint[], metric: ShownMetric): string {
  const format = formatOf(metric);
  const [first, last] = [points[0]?.metrics[metric].value, points.at(-1)?.metrics[metric].value];
  const label = labelOf(metric);
  if (last == null) return `${label} is not defined`;
  if (points.length === 1 || first == null) return `${label} is ${format(last)}`;
  if (format(first) === format(last)) return `${label} stayed at ${format(last)}`;
  return `${label} ${last > first ? 'rose' : 'fell'} from ${format(first)} to ${format(last)}`;
}

/** A point of the chart with its interval. */
export function pointOf(point: TrendPoint, at: number, metric: ShownMetric): ChartPoint {
  const { value, low, high, n } = point.metrics[metric];
  return { x: at, y: value, low, high, note: basisOf(metric, n), to: point.evaluationId };
}
