import { Anchor, Group, Text, Checkbox, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { Fragment, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useAddress } from '../../../ui/frame/useAddress.ts';
import { Action, ticked, typed } from '../../../ui/fields/controls.tsx';
import { toolsOfLabel } from '../../../../src-shared/domain/labels.ts';
import type { MetricsFilter, MetricsSummary } from '../../../../src-shared/domain/trend.ts';
import type { Verdict } from '../../../../src-shared/domain/verdict.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { EmptyState, Loaded } from '../../../ui/notices/notices.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { VerdictPanel } from '../../../ui/verdict/VerdictPanel.tsx';
import { summaryNumbers } from '../live/liveNumbers.ts';
import { ConfusionPanel } from '../result/case/ConfusionsTab.tsx';
import { ConfidenceCounts } from '../result/case/ConfidenceTab.tsx';
import { CostFacts } from '../result/case/FactParts.tsx';
import { PerToolTab } from '../result/case/PerToolTab.tsx';
import { readAddress, type ResultAddress, writeAddress } from '../result/case/resultAddress.ts';
import { ResultTiles } from '../result/case/ResultTiles.tsx';
import classes from '../evaluations.module.css';
import { evaluationLink } from '../links.ts';
import compare from '../compare/compare.module.css';

const fields = ['suite', 'tag', 'server', 'tool', 'model', 'from', 'to'] as const;

function readFilter(params: URLSearchParams): MetricsFilter {
  const chosen = (params.get('of') ?? '').split(',').filter((id) => id !== '');
  return {
    ...(chosen.length > 0 && { evaluationIds: chosen }),
    ...Object.fromEntries(
      fields.flatMap((name) => (params.get(`f.${name}`) ? [[name, params.get(`f.${name}`)]] : [])),
    ),
    ...(params.has('f.derived') ? { derived: true } : {}),
  };
}

/** The numbers of an evaluation over any selection of runs. */
export function MetricsPage() {
  const [params, setParams] = useSearchParams();
  const [, choose] = useAddress();
  const filter = readFilter(params);
  const [asked] = useDebouncedValue(JSON.stringify(filter), 250);
  const summary = useRead((ask) => ask.results.metrics, {
    input: JSON.parse(asked) as MetricsFilter,
    placeholderData: keepPreviousData,
    retry: false,
  });
  // An empty result may be outdated or belong to other filters, so it isn't shown while loading.
  const outdated = summary.isFetching && summary.data?.counts.total === 0;
  const set = (name: FilterField, value: string | null): void => choose({ [`f.${name}`]: value });
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Results', to: '/results' }, { label: 'Numbers' }]}
        title="Numbers"
        subtitle={
          filter.evaluationIds === undefined
            ? 'Numbers over many results of cases. Without a filter, every run counts.'
            : 'Numbers over the results that you marked.'
        }
      />
      {filter.evaluationIds !== undefined && (
        <ChosenResults ids={filter.evaluationIds} onShowAll={() => choose({ of: null })} />
      )}
      <MetricsFilters filter={filter} onChange={set} />
      <Loaded
        query={{
          data: outdated ? undefined : summary.data,
          error: summary.error,
          refetch: summary.refetch,
        }}
        blocks={[24, 92, 360]}
        label="Summing up"
      >
        {(data) =>
          data.counts.total === 0 ? (
            <NoRuns
              filtered={Object.keys(filter).length > 0}
              onShowAll={() => setParams({}, { replace: true })}
            />
          ) : (
            // The numbers of the previous filters stay visible, marked as such.
            <div
              aria-busy={summary.isPlaceholderData}
              style={{ opacity: summary.isPlaceholderData ? 0.5 : 1 }}
            >
              <Numbers
                summary={data}
                params={params}
                setParams={setParams}
                onTool={(tool) => set('tool', tool)}
              />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function ChosenResults({ ids, onShowAll }: { ids: readonly string[]; onShowAll: () => void }) {
  const { queries } = useApi();
  const named = useQueries({
    queries: ids.map((id) =>
      queries.evaluations.unitOf.queryOptions({ input: { id }, staleTime: Infinity, retry: false }),
    ),
  });
  return (
    <Group gap={8} mb="sm">
      <Text size="sm">
        Of{' '}
        {named.map(({ data }, at) => (
          <Fragment key={ids[at]}>
            {at > 0 && ', '}
            <Anchor component={Link} to={evaluationLink(ids[at] ?? '')} inherit>
              {data === undefined ? '…' : `#${data.number}`}
            </Anchor>
          </Fragment>
        ))}
      </Text>
      <Action label="Count all results" variant="subtle" small onClick={onShowAll} />
    </Group>
  );
}

interface NumbersProps {
  summary: MetricsSummary;
  params: URLSearchParams;
  setParams: ReturnType<typeof useSearchParams>[1];
  /** Called when a cell is clicked, with its tool. */
  onTool: (tool: string | null) => void;
}

function Numbers({ summary, params, setParams, onTool }: NumbersProps) {
  const numbers = useMemo(() => summaryNumbers({ ...summary, durationMs: null }), [summary]);
  const address = useMemo(() => readAddress(params), [params]);
  const change = (part: Partial<ResultAddress>): void =>
    setParams(
      (before) => {
        const next = writeAddress({ ...readAddress(before), ...part });
        for (const [name, value] of before)
          if (name === 'of' || name.startsWith('f.')) next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <VerdictPanel
        verdict={verdictOf(summary)}
        modelName={String}
        lead={
          <span role="status">
            {counted(summary.evaluations, 'result')} · {counted(summary.cases, 'case')} ·{' '}
            {counted(summary.counts.total, 'run')}. Runs of the same case in several results count
            as repetitions.
          </span>
        }
      />
      <ResultTiles numbers={numbers} outcomes={summary.outcomes} />
      <Section title="Tools">
        <PerToolTab rows={numbers.perTool} anyOf={numbers.anyOf} micro={numbers} />
      </Section>
      <div className={classes.result}>
        <ConfusionPanel
          confusion={numbers.confusion}
          waiting={false}
          address={address}
          onCell={({ expected, selected }) =>
            onTool([expected, selected].flatMap(toolsOfLabel)[0] ?? null)
          }
          onChange={change}
        />
        <div className={classes.detailPart}>
          <Section title="Confidence">
            {numbers.confidence !== null && (
              <ConfidenceCounts confidence={numbers.confidence} high={null} />
            )}
          </Section>
          <Section title="Cost and latency">
            <CostFacts numbers={numbers} />
          </Section>
        </div>
      </div>
    </>
  );
}

/** The numbers as a verdict: it leads this page like every other page of results. */
function verdictOf({ outcomes, metrics, cases }: MetricsSummary): Verdict {
  return {
    unit: 'runs',
    cases,
    counts: outcomes,
    passRate: metrics.passRate,
    models: [],
    casesPassedByAll: null,
    causes: [],
    missingWords: [],
    severalServers: true,
    previous: null,
  };
}

function NoRuns({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  return filtered ? (
    <EmptyState
      message="No run matches these filters."
      action={<Action label="Show all runs" onClick={onShowAll} />}
    />
  ) : (
    <EmptyState
      message="No runs yet. After the first evaluation, its numbers appear here."
      action={<Action label="New evaluation" to="/results/new" />}
    />
  );
}

type FilterField = 'suite' | 'model' | 'tag' | 'server' | 'tool' | 'from' | 'to' | 'derived';

interface MetricsFiltersProps {
  filter: MetricsFilter;
  onChange: (name: FilterField, value: string | null) => void;
}

/** Which runs are counted. Every field offers what occurs in stored evaluations. */
function MetricsFilters({ filter, onChange }: MetricsFiltersProps) {
  // With any page of the list come the suites and models of all results.
  const results = useRead((ask) => ask.results.list, { input: { limit: 1 } });
  const choices = useRead((ask) => ask.results.metricsChoices);
  const { suites = [], models = [] } = results.data ?? {};
  const { tags = [], servers = [], tools = [] } = choices.data ?? {};
  const field = (
    name: Exclude<FilterField, 'derived'>,
    label: string,
    values: readonly string[],
    width: number,
  ) => {
    const chosen = filter[name] ?? null;
    return (
      <Select
        label={label}
        placeholder="Any"
        clearable
        searchable
        w={width}
        limit={200}
        data={[...new Set(chosen === null ? values : [...values, chosen])]}
        nothingFoundMessage={values.length === 0 ? `No ${name} in any run yet` : 'No match'}
        value={chosen}
        onChange={(value) => onChange(name, value)}
      />
    );
  };
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      label={label}
      type="date"
      w={136}
      {...typed(filter[name] ?? '', (text) => onChange(name, text))}
    />
  );
  return (
    <div className={compare.choices}>
      {field('suite', 'Suite', suites, 170)}
      {field('model', 'Model', models, 170)}
      {field('tag', 'Tag', tags, 130)}
      {field('server', 'Server', servers, 130)}
      {field('tool', 'Tool', tools, 210)}
      {day('from', 'From')}
      {day('to', 'Before')}
      {filter.evaluationIds === undefined && (
        <Checkbox
          label="Include estimates and other derived results"
          title="Estimates, case reruns, runs of candidates, search steps, and accuracy vs. tokens steps"
          mb={8}
          {...ticked(filter.derived === true, (isOn) => onChange('derived', isOn ? 'true' : null))}
        />
      )}
    </div>
  );
}
