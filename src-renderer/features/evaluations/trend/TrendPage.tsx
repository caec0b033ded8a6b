import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import type { TrendPoint } from '../../../../src-shared/domain/trend.ts';
import { useApi } from '../../../api/index.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { LinesChart } from '../../../ui/charts/lazyCharts.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { formatInterval, formatRate } from '../../../ui/estimate/format.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../compare/compare.module.css';
import { Counts } from '../Counts.tsx';
import {
  changesOf,
  findingOf,
  formatOf,
  labelOf,
  pointOf,
  shownMetrics,
  type ShownMetric,
} from './trendTexts.ts';

/** The results of a suite over time, with changes of the tools marked. */
export function TrendPage() {
  const [params, setParams] = useSearchParams();
  const { queries } = useApi();
  const suites = useQuery(queries.suites.list.queryOptions());
  const suite = params.get('suite') ?? suites.data?.[0]?.id ?? null;
  const metric: ShownMetric =
    shownMetrics.find(({ value }) => value === params.get('metric'))?.value ?? 'passRate';
  const trend = useQuery(
    queries.results.trend.queryOptions({
      input: { suite: suite ?? '' },
      enabled: suite !== null,
      retry: false,
    }),
  );
  // An empty result may be outdated, so it isn't shown while loading.
  const outdated = trend.isFetching && trend.data?.length === 0;
  const set = (name: string, value: string | null): void => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  };
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Evaluations', to: '/evaluations' }, { label: 'Trend' }]}
        title="Trend"
        subtitle="The finished evaluations of a suite over time."
      />
      <div className={classes.choices}>
        <Select
          label="Suite"
          w={280}
          searchable
          data={(suites.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={suite}
          onChange={(value) => {
            set('suite', value);
          }}
          allowDeselect={false}
        />
        <Select
          label="Number"
          w={180}
          data={[...shownMetrics]}
          value={metric}
          onChange={(value) => {
            set('metric', value);
          }}
          allowDeselect={false}
        />
        {trend.data !== undefined && (
          <ModelChoice
            points={trend.data}
            chosen={params.get('model')}
            onChoose={(value) => {
              set('model', value);
            }}
          />
        )}
      </div>
      {suite === null ? (
        <EmptyState message="No suites yet." />
      ) : (
        <Loaded
          query={{
            data: outdated ? undefined : trend.data,
            error: trend.error,
            refetch: trend.refetch,
          }}
          blocks={[270, 200]}
          label="Loading the trend"
        >
          {(points) => <TrendLine points={points} metric={metric} model={params.get('model')} />}
        </Loaded>
      )}
    </>
  );
}

function ModelChoice({
  points,
  chosen,
  onChoose,
}: {
  points: readonly TrendPoint[];
  chosen: string | null;
  onChoose: (model: string | null) => void;
}) {
  const models = [...new Set(points.map(({ model }) => model))];
  if (models.length < 2) return null;
  return (
    <Select
      label="Model"
      w={280}
      data={models}
      value={models.find((one) => one === chosen) ?? models[0] ?? null}
      onChange={onChoose}
      allowDeselect={false}
    />
  );
}

function TrendLine({
  points,
  metric,
  model,
}: {
  points: readonly TrendPoint[];
  metric: ShownMetric;
  model: string | null;
}) {
  const navigate = useNavigate();
  const models = [...new Set(points.map((point) => point.model))];
  // Different models don't form one line, so only one is shown at a time.
  const shown = points.filter(
    (point) => point.model === (models.find((one) => one === model) ?? models[0]),
  );
  const first = shown[0]?.evaluationId ?? '';
  const columns = columnsOf(metric, first);
  if (shown.length === 0)
    return <EmptyState message="No evaluation of this suite has finished yet." />;
  const open = (id: string): void => {
    void navigate(`/evaluations/${id}`);
  };
  return (
    <>
      <ChartFrame
        title={findingOf(shown, metric)}
        note={
          `${counted(shown.length, 'evaluation')}. Bars are 95% intervals; ` +
          'a dashed line marks a change of tools or cases.'
        }
        fileName={`trend-${metric}`}
        height={280}
        table={{
          columns: [
            { label: 'Evaluation' },
            { label: labelOf(metric), numeric: true },
            { label: '95% interval', numeric: true },
            { label: 'n', numeric: true },
            { label: 'Changes' },
          ],
          rows: shown.map((point) => {
            const { value, low, high, n } = point.metrics[metric];
            return [
              `#${point.number}`,
              formatRate(value),
              formatInterval(low, high),
              String(n),
              changesOf(point) ?? '',
            ];
          }),
        }}
      >
        <LinesChart
          series={[
            { name: labelOf(metric), points: shown.map((point, at) => pointOf(point, at, metric)) },
          ]}
          xTicks={shown.map((_, at) => at)}
          formatX={(at) => (shown[at] ? `#${shown[at].number}` : '')}
          formatY={formatOf(metric)}
          yRange={[0, 1]}
          markers={shown.flatMap((point, at) => {
            const label = at === 0 ? null : changesOf(point);
            return label === null ? [] : [{ x: at, label }];
          })}
          onOpen={open}
        />
      </ChartFrame>
      <div style={{ marginTop: 16 }}>
        <DataTable
          label="Evaluations of the trend"
          columns={columns}
          rows={shown.toReversed()}
          rowKey={({ evaluationId }) => evaluationId}
          onOpen={({ evaluationId }) => {
            open(evaluationId);
          }}
          maxHeight="max(220px, calc(100vh - 620px))"
        />
      </div>
    </>
  );
}

function columnsOf(metric: ShownMetric, first: string): Column<TrendPoint>[] {
  return [
    {
      id: 'number',
      header: 'No.',
      width: 64,
      cell: (one) => <span className="ts-number">#{one.number}</span>,
      sortValue: (one) => one.number,
    },
    {
      id: 'value',
      header: labelOf(metric),
      width: 150,
      align: 'right',
      cell: (one) => <EstimateText estimate={one.metrics[metric]} percent />,
      sortValue: (one) => one.metrics[metric].value,
    },
    { id: 'runs', header: 'Runs', width: 256, cell: (one) => <Counts counts={one.counts} /> },
    {
      id: 'changes',
      header: 'vs. previous',
      width: 'minmax(200px, 1fr)',
      cell: (one) => (
        <Cut
          text={
            one.evaluationId === first
              ? 'first evaluation'
              : (changesOf(one) ?? 'same tools, same cases')
          }
        />
      ),
    },
    {
      id: 'when',
      header: 'When',
      width: 130,
      cell: (one) => <Time iso={one.createdAt} focusable={false} />,
      sortValue: (one) => one.createdAt,
    },
  ];
}
