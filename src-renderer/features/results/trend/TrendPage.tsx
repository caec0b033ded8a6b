import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Suite } from '../../../../src-shared/domain/testCase.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import {
  trendMetrics,
  type TrendMetric,
  type TrendPoint,
} from '../../../../src-shared/domain/trend.ts';
import { useApi } from '../../../api/index.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { LinesChart } from '../../../ui/charts/lazyCharts.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { numberColumn } from '../../../ui/table/numberColumn.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { formatPercent } from '../../../ui/estimate/format.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../compare/compare.module.css';
import { evaluationLink } from '../links.ts';
import {
  basisOf,
  changesOf,
  findingOf,
  formatOf,
  intervalOf,
  isPercent,
  labelOf,
  linePoints,
  meaningOf,
  metricChoices,
  rateOf,
} from './trendTexts.ts';

/** The results of a suite over time, with changes of the tools marked. */
export function TrendPage() {
  const [params, setParams] = useSearchParams();
  const { queries } = useApi();
  const suites = useQuery(queries.suites.list.queryOptions());
  const suite = params.get('suite') ?? suites.data?.[0]?.id ?? null;
  const chosen = suites.data?.find(({ id, name }) => suite === id || suite === name) ?? null;
  const unit = unitOf(chosen, params.get('of'));
  const metrics = metricChoices(unit);
  const metric =
    metrics.find(({ value }) => value === params.get('metric'))?.value ?? trendMetrics[unit][0];
  const trend = useQuery(
    queries.results.trend.queryOptions({
      input: { suite: suite ?? '', unit },
      enabled: suite !== null && suites.data !== undefined,
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
        crumbs={[{ label: 'Results', to: '/results' }, { label: 'Trend' }]}
        title="Trend"
        subtitle="How the results of a suite change from one evaluation to the next."
      />
      <div className={classes.choices}>
        <Select
          label="Suite"
          w={280}
          searchable
          data={(suites.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen?.id ?? null}
          onChange={(value) => {
            set('suite', value);
          }}
          allowDeselect={false}
        />
        {chosen !== null && chosen.caseCount > 0 && chosen.taskCount > 0 && (
          <Select
            label="Of"
            w={120}
            data={[
              { value: 'case', label: 'Cases' },
              { value: 'task', label: 'Tasks' },
            ]}
            value={unit}
            onChange={(value) => {
              set('of', value === 'task' ? 'task' : null);
            }}
            allowDeselect={false}
          />
        )}
        <Select
          label="Metric"
          w={200}
          data={metrics}
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
        <EmptyState
          message="A trend follows the evaluations of one suite. There is no suite yet."
          action={
            <Button component={Link} to="/suites" variant="default">
              Go to suites
            </Button>
          }
        />
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
          {(points) => (
            <TrendLine points={points} metric={metric} model={params.get('model')} suite={chosen} />
          )}
        </Loaded>
      )}
    </>
  );
}

/** What a suite's trend is of: its cases, unless it has only tasks or they were chosen. */
function unitOf(suite: Suite | null, asked: string | null): EvaluationUnit {
  const hasOnlyTasks = suite !== null && suite.caseCount === 0 && suite.taskCount > 0;
  return hasOnlyTasks || asked === 'task' ? 'task' : 'case';
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

interface TrendLineProps {
  points: readonly TrendPoint[];
  metric: TrendMetric;
  model: string | null;
  /** Null if it was deleted, or came from a file. */
  suite: Suite | null;
}

function TrendLine({ points, metric, model, suite }: TrendLineProps) {
  const navigate = useNavigate();
  const models = [...new Set(points.map((point) => point.model))];
  // Different models don't form one line, so only one is shown at a time.
  const shown = points.filter(
    (point) => point.model === (models.find((one) => one === model) ?? models[0]),
  );
  const [first, second] = shown;
  if (first === undefined || second === undefined)
    return <TooFew only={first ?? null} suite={suite} />;
  const columns = columnsOf(metric, first.evaluationId);
  const open = (id: string): void => {
    void navigate(evaluationLink(id));
  };
  return (
    <>
      <ChartFrame
        title={findingOf(shown, metric)}
        note={
          `${meaningOf(metric)} ${counted(shown.length, 'evaluation')}. Bars are 95% intervals. ` +
          `A dashed line marks changed tools or ${first.unit}s.`
        }
        fileName={`trend-${metric}`}
        height={280}
        table={{
          columns: [
            { label: 'Evaluation' },
            { label: labelOf(metric), numeric: true },
            { label: '95% interval', numeric: true },
            { label: 'Of', numeric: true },
            { label: 'Changes' },
          ],
          rows: shown.map((point) => {
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
          series={[{ name: labelOf(metric), points: linePoints(shown, metric) }]}
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

/** One point is no trend: what is there so far, and the button that adds the next point. */
function TooFew({ only, suite }: { only: TrendPoint | null; suite: Suite | null }) {
  const action = suite !== null && (
    <Button
      component={Link}
      to={`/results/new?suite=${encodeURIComponent(suite.id)}`}
      variant="default"
    >
      Run evaluation
    </Button>
  );
  return (
    <EmptyState
      message={
        only === null
          ? 'No evaluation of this suite has finished yet. A trend needs two.'
          : `#${only.number} is the only finished evaluation of this suite with ${only.model}: ` +
            `${labelOf(rateName(only)).toLowerCase()} ` +
            `${formatPercent(rateOf(only, rateName(only)).value)}. A trend needs two. Change a tool, ` +
            'then run the suite again.'
      }
      {...(action === false ? {} : { action })}
      {...(only === null
        ? {}
        : {
            second: (
              <Button component={Link} to={evaluationLink(only.evaluationId)} variant="subtle">
                Open #{only.number}
              </Button>
            ),
          })}
    />
  );
}

const rateName = ({ unit }: TrendPoint): TrendMetric => trendMetrics[unit][0];

function columnsOf(metric: TrendMetric, first: string): Column<TrendPoint>[] {
  return [
    {
      id: 'number',
      header: '#',
      width: 64,
      cell: (one) => <span className="ts-number">#{one.number}</span>,
      sortValue: (one) => one.number,
    },
    numberColumn({
      id: 'value',
      header: labelOf(metric),
      hint: meaningOf(metric),
      width: 150,
      value: (one) => rateOf(one, metric).value,
      text: (_value, one) => (
        <EstimateText estimate={rateOf(one, metric)} percent={isPercent(metric)} />
      ),
    }),
    {
      id: 'basis',
      header: 'Of',
      width: 150,
      cell: (one) => basisOf(metric, rateOf(one, metric).n),
    },
    {
      id: 'changes',
      header: 'Changes vs. previous',
      width: 'minmax(200px, 1fr)',
      cell: (one) => (
        <Cut
          text={
            one.evaluationId === first
              ? 'First evaluation'
              : (changesOf(one) ?? `Same tools and ${one.unit}s`)
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
