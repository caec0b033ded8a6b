import { shortModelName } from '../../../../src-shared/display/shortModelName.ts';
import { Group, Select } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import {
  trendMetrics,
  type TrendMetric,
  type TrendPoint,
} from '../../../../src-shared/domain/trend.ts';
import { useRead } from '../../../api/index.ts';
import { ChartFrame, LinesChart } from '../../../ui/charts/ChartFrame.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { evaluationLink } from '../links.ts';
import {
  basisOf,
  changeFinding,
  changesOf,
  findingOf,
  formatOf,
  intervalOf,
  labelOf,
  linePoints,
  meaningOf,
  metricChoices,
  rateOf,
} from './trendTexts.ts';
import { choosing, options } from '../../../ui/fields/controls.tsx';

interface SuiteTrendProps {
  /** Its models are all that are asked for; none: those of the suite, one at a time. */
  evaluation: Pick<Evaluation, 'suiteId' | 'suiteName' | 'models'>;
  unit: EvaluationUnit;
}

/** The rates of a suite from one result to the next; nothing where there are fewer than two. */
export function SuiteTrend({ evaluation, unit: firstUnit }: SuiteTrendProps) {
  const [unit, setUnit] = useState(firstUnit);
  const [metricWanted, setMetric] = useState<TrendMetric | null>(null);
  const [modelWanted, setModel] = useState<string | null>(null);
  const [asked] = evaluation.models;
  const { suiteId, suiteName } = evaluation;
  const suites = useRead((ask) => ask.suites.list);
  const suite = suites.data?.find(({ id }) => id === suiteId);
  const trend = useRead((ask) => ask.results.trend, {
    input: { suite: suiteId ?? suiteName, unit, model: asked ? modelLabel(asked) : null },
    // A deleted suite has no trend, and that is no error of the page.
    retry: false,
    staleTime: 0,
  });
  const metric = trendMetrics[unit].find((one) => one === metricWanted) ?? trendMetrics[unit][0];
  const points = trend.data ?? [];
  const models = [...new Set(points.map(({ model }) => model))];
  // Different models, and tasks of different modes, don't form one line: the latest is shown first.
  const model = models.find((one) => one === modelWanted) ?? points.at(-1)?.model;
  const shown = points.filter((point) => point.model === model);
  const hasBoth = suite !== undefined && suite.caseCount > 0 && suite.taskCount > 0;
  if (shown.length < 2 && unit === firstUnit) return null;
  return (
    <div>
      <Group gap="xs" mb="xs">
        {hasBoth && (
          <Select
            size="xs"
            w={88}
            aria-label="Trend of"
            data={options({ case: 'Cases', task: 'Tasks' })}
            {...choosing(unit, setUnit)}
          />
        )}
        <Select
          size="xs"
          w={128}
          aria-label="Metric"
          title={meaningOf(metric)}
          data={metricChoices(unit)}
          value={metric}
          onChange={(value) => setMetric(value)}
        />
        {models.length > 1 && (
          <Select
            size="xs"
            w={128}
            aria-label="Model of the trend"
            data={models.map((value) => ({ value, label: shortModelName(value, models) }))}
            value={model ?? null}
            onChange={setModel}
          />
        )}
      </Group>
      {shown.length < 2 ? (
        <p className="ts-none">Fewer than two results of {unit}s have ended.</p>
      ) : (
        <TrendChart points={shown} metric={metric} />
      )}
    </div>
  );
}

function TrendChart({ points, metric }: { points: readonly TrendPoint[]; metric: TrendMetric }) {
  const navigate = useNavigate();
  const [first] = points;
  const isHeadline = first !== undefined && metric === trendMetrics[first.unit][0];
  return (
    <ChartFrame
      title={(isHeadline ? changeFinding(points.at(-1)) : null) ?? findingOf(points, metric)}
      note={[
        `${counted(points.length, 'result')} with 95% intervals.`,
        // Explained where it shows.
        ...(points.some((point, at) => at > 0 && changesOf(point) !== null)
          ? [
              `A line joins results of the same ${first?.unit ?? 'case'}s; a dashed one marks a change.`,
            ]
          : []),
      ].join(' ')}
      fileName={`trend-${metric}`}
      height={160}
      table={{
        heads: ['Result', labelOf(metric), '95% interval', 'Of', 'Changes'],
        numeric: [1, 2, 3],
        rows: points.map((point) => {
          const rate = rateOf(point, metric);
          return [
            `#${point.number}`,
            formatOf(metric)(rate.value),
            intervalOf(metric, rate),
            basisOf(metric, rate.n),
            changesOf(point) ?? '',
          ];
        }),
      }}
    >
      <LinesChart
        series={[{ name: labelOf(metric), points: linePoints(points, metric) }]}
        xTicks={points.map((_, at) => at)}
        formatX={(at) => (points[at] ? `#${points[at].number}` : '')}
        formatY={formatOf(metric)}
        yRange={[0, 1]}
        markers={points.flatMap((point, at) => {
          const label = at === 0 ? null : changesOf(point);
          return label === null ? [] : [{ x: at, label }];
        })}
        onOpen={(id) => void navigate(evaluationLink(id))}
      />
    </ChartFrame>
  );
}
