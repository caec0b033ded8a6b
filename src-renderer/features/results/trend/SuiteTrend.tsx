import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { trendMetrics, type TrendPoint } from '../../../../src-shared/domain/trend.ts';
import { useApi } from '../../../api/index.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { LinesChart } from '../../../ui/charts/lazyCharts.ts';
import { formatCount, formatPercent, percentInterval } from '../../../ui/estimate/format.ts';
import { counted } from '../../../ui/text/words.ts';
import { evaluationLink } from '../links.ts';
import { changeFinding, changesOf, findingOf, labelOf, pointOf, rateOf } from './trendTexts.ts';

const maxPoints = 8;
const step = 0.2;

interface SuiteTrendProps {
  evaluation: Pick<Evaluation, 'suiteId' | 'suiteName' | 'models'>;
  unit: EvaluationUnit;
}

/** The pass or success rate of an evaluation's suite and model over time; nothing for a first one. */
export function SuiteTrend({ evaluation, unit }: SuiteTrendProps) {
  const { queries } = useApi();
  const navigate = useNavigate();
  const [model] = evaluation.models;
  const trend = useQuery(
    queries.results.trend.queryOptions({
      input: {
        suite: evaluation.suiteId ?? evaluation.suiteName,
        unit,
        model: model ? modelLabel(model) : null,
        limit: maxPoints,
      },
      // A deleted suite has no trend, and that is no error of the overview.
      retry: false,
      staleTime: 0,
    }),
  );
  const [metric] = trendMetrics[unit];
  const rateOfPoint = (point: TrendPoint) => rateOf(point, metric);
  const all = (trend.data ?? []).filter((point) => rateOfPoint(point).value !== null);
  // Tasks of another mode are another line.
  const points = all.filter(({ model: own }) => own === all.at(-1)?.model);
  if (points.length < 2) return null;
  return (
    <ChartFrame
      title={changeFinding(points.at(-1)) ?? findingOf(points, metric)}
      note={noteOf(evaluation.suiteName, points)}
      fileName={`trend-${labelOf(metric).toLowerCase().replace(' ', '-')}`}
      height={168}
      table={{
        columns: [
          { label: 'Evaluation' },
          { label: labelOf(metric), numeric: true },
          { label: '95% interval', numeric: true },
          { label: 'Scored runs', numeric: true },
        ],
        rows: points.map((point) => {
          const rate = rateOfPoint(point);
          return [
            `#${point.number}`,
            formatPercent(rate.value),
            percentInterval(rate),
            formatCount(rate.n),
          ];
        }),
      }}
    >
      <LinesChart
        series={[
          { name: labelOf(metric), points: points.map((point, at) => pointOf(point, at, metric)) },
        ]}
        xTicks={points.map((_, at) => at)}
        formatX={(at) => (points[at] ? `#${points[at].number}` : '')}
        formatY={formatPercent}
        yRange={rangeOf(points.map(rateOfPoint))}
        markers={points.flatMap((point, at) => {
          const label = at === 0 ? null : changesOf(point);
          return label === null ? [] : [{ x: at, label }];
        })}
        onOpen={(id) => {
          void navigate(evaluationLink(id));
        }}
      />
    </ChartFrame>
  );
}

/** The part of 0–100% in which all intervals lie, in steps of 20%. */
function rangeOf(rates: readonly Estimate[]): [number, number] {
  const ends = rates.flatMap(({ low, value, high }) =>
    [low, value, high].filter((end) => end !== null),
  );
  return [
    Math.floor(Math.min(...ends) / step) * step,
    Math.min(1, Math.ceil(Math.max(...ends) / step) * step),
  ];
}

function noteOf(suiteName: string, points: readonly TrendPoint[]): string {
  const sizes = new Set(points.map(({ runs }) => runs));
  const [size] = sizes;
  const each = sizes.size === 1 && size !== undefined ? `, ${counted(size, 'run')} each` : '';
  const model = points.at(-1)?.model;
  return (
    `${suiteName}${model === undefined ? '' : ` · ${model}`} · last ` +
    `${counted(points.length, 'evaluation')}${each}; each point is over all its cases`
  );
}
