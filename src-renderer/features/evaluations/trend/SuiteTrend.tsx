import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { TrendPoint } from '../../../../src-shared/domain/trend.ts';
import { useApi } from '../../../api/index.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { LinesChart } from '../../../ui/charts/lazyCharts.ts';
import { formatCount, formatPercent, formatPercentInterval } from '../../../ui/estimate/format.ts';
import { counted } from '../../../ui/text/words.ts';
import { changesOf, findingOf, pointOf } from './trendTexts.ts';

const maxPoints = 8;
const step = 0.2;

/** The pass rate of the suite and model of an evaluation over time; nothing for a first one. */
export function SuiteTrend({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const navigate = useNavigate();
  const [model] = evaluation.models;
  const trend = useQuery(
    queries.results.trend.queryOptions({
      input: {
        suite: evaluation.suiteId ?? evaluation.suiteName,
        model: model ? modelLabel(model) : null,
        limit: maxPoints,
      },
      // A deleted suite has no trend, and that is no error of the overview.
      retry: false,
      staleTime: 0,
    }),
  );
  const points = (trend.data ?? []).filter(({ metrics }) => metrics.passRate.value !== null);
  if (points.length < 2) return null;
  return (
    <ChartFrame
      title={findingOf(points, 'passRate')}
      note={noteOf(evaluation.suiteName, points)}
      fileName="trend-pass-rate"
      height={168}
      table={{
        columns: [
          { label: 'Evaluation' },
          { label: 'Pass rate', numeric: true },
          { label: '95% interval', numeric: true },
          { label: 'Scored runs', numeric: true },
        ],
        rows: points.map(({ number, metrics: { passRate } }) => [
          `#${number}`,
          formatPercent(passRate.value),
          formatPercentInterval(passRate.low, passRate.high),
          formatCount(passRate.n),
        ]),
      }}
    >
      <LinesChart
        series={[
          { name: 'Pass rate', points: points.map((point, at) => pointOf(point, at, 'passRate')) },
        ]}
        xTicks={points.map((_, at) => at)}
        formatX={(at) => (points[at] ? `#${points[at].number}` : '')}
        formatY={formatPercent}
        yRange={rangeOf(points)}
        markers={points.flatMap((point, at) => {
          const label = at === 0 ? null : changesOf(point);
          return label === null ? [] : [{ x: at, label }];
        })}
        onOpen={(id) => {
          void navigate(`/evaluations/${id}`);
        }}
      />
    </ChartFrame>
  );
}

/** The part of 0–100% in which all intervals lie, in steps of 20%. */
function rangeOf(points: readonly TrendPoint[]): [number, number] {
  const ends = points.flatMap(({ metrics: { passRate } }) =>
    [passRate.low, passRate.value, passRate.high].filter((value) => value !== null),
  );
  return [
    Math.floor(Math.min(...ends) / step) * step,
    Math.min(1, Math.ceil(Math.max(...ends) / step) * step),
  ];
}

function noteOf(suiteName: string, points: readonly TrendPoint[]): string {
  const sizes = new Set(points.map(({ counts }) => counts.total));
  const [size] = sizes;
  const each = sizes.size === 1 && size !== undefined ? `, ${counted(size, 'run')} each` : '';
  return `${suiteName} · last ${counted(points.length, 'evaluation')}${each}`;
}
