import { Checkbox, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { toolsOfLabel } from '../../../../src-shared/domain/labels.ts';
import type { MetricsFilter, MetricsSummary } from '../../../../src-shared/domain/trend.ts';
import { useApi } from '../../../api/index.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import compare from '../compare/compare.module.css';
import { summaryNumbers } from '../live/liveNumbers.ts';
import { ConfusionPanel } from '../result/ConfusionPanel.tsx';
import { ConfidenceCounts } from '../result/ConfidenceTab.tsx';
import { CostFacts } from '../result/FactTabs.tsx';
import { PerToolTab } from '../result/PerToolTab.tsx';
import { readAddress, type ResultAddress, writeAddress } from '../result/resultAddress.ts';
import { ResultTiles } from '../result/ResultTiles.tsx';
import classes from '../evaluations.module.css';

const fields = ['suite', 'tag', 'server', 'tool', 'model', 'from', 'to'] as const;

function readFilter(params: URLSearchParams): MetricsFilter {
  return {
    ...Object.fromEntries(
      fields.flatMap((name) => (params.get(`f.${name}`) ? [[name, params.get(`f.${name}`)]] : [])),
    ),
    ...(params.has('f.derived') ? { derived: true } : {}),
  };
}

/** The numbers of an evaluation over any selection of runs. */
export function MetricsPage() {
  const [params, setParams] = useSearchParams();
  const { queries } = useApi();
  const filter = readFilter(params);
  const [asked] = useDebouncedValue(JSON.stringify(filter), 250);
  const suites = useQuery(queries.suites.list.queryOptions());
  const evaluations = useQuery(queries.evaluations.list.queryOptions({ input: { limit: 500 } }));
  const summary = useQuery(
    queries.results.metrics.queryOptions({
      input: JSON.parse(asked) as MetricsFilter,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
  // An empty result may be outdated or belong to other filters, so it isn't shown while loading.
  const outdated = summary.isFetching && summary.data?.counts.total === 0;
  const set = (name: (typeof fields)[number] | 'derived', value: string | null): void => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null || value === '') next.delete(`f.${name}`);
        else next.set(`f.${name}`, value);
        return next;
      },
      { replace: true },
    );
  };
  const names = [
    ...new Set([
      ...(suites.data ?? []).map(({ name }) => name),
      ...(evaluations.data ?? []).map(({ suiteName }) => suiteName),
    ]),
  ];
  const models = [
    ...new Set(
      (evaluations.data ?? []).flatMap((one) =>
        one.models.map(({ provider, model }) => `${provider}/${model}`),
      ),
    ),
  ];
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Evaluations', to: '/evaluations' }, { label: 'Metrics' }]}
        title="Metrics"
        subtitle="All runs that match the filters. Runs of the same case in several evaluations count as repetitions."
      />
      <div className={compare.choices}>
        <Select
          label="Suite"
          clearable
          searchable
          w={180}
          data={names}
          value={filter.suite ?? null}
          onChange={(value) => {
            set('suite', value);
          }}
        />
        <Select
          label="Model"
          clearable
          searchable
          w={180}
          data={models}
          value={filter.model ?? null}
          onChange={(value) => {
            set('model', value);
          }}
        />
        <TextInput
          label="Tag"
          w={112}
          value={filter.tag ?? ''}
          onChange={(event) => {
            set('tag', event.currentTarget.value);
          }}
        />
        <TextInput
          label="Server"
          w={120}
          value={filter.server ?? ''}
          onChange={(event) => {
            set('server', event.currentTarget.value);
          }}
        />
        <TextInput
          label="Tool"
          placeholder="server:tool"
          w={150}
          value={filter.tool ?? ''}
          onChange={(event) => {
            set('tool', event.currentTarget.value);
          }}
        />
        <TextInput
          label="From"
          type="date"
          w={136}
          value={filter.from ?? ''}
          onChange={(event) => {
            set('from', event.currentTarget.value);
          }}
        />
        <TextInput
          label="To"
          type="date"
          w={136}
          value={filter.to ?? ''}
          onChange={(event) => {
            set('to', event.currentTarget.value);
          }}
        />
        <Checkbox
          label="Include derived runs"
          title="What-if runs, case reruns, proofs, and accuracy vs. tokens steps"
          mb={8}
          checked={filter.derived === true}
          onChange={(event) => {
            set('derived', event.currentTarget.checked ? 'true' : null);
          }}
        />
      </div>
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
            <EmptyState message="No run matches these filters." />
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
                onTool={(tool) => {
                  set('tool', tool);
                }}
              />
            </div>
          )
        }
      </Loaded>
    </>
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
  const change = (part: Partial<ResultAddress>): void => {
    setParams(
      (before) => {
        const next = writeAddress({ ...readAddress(before), ...part });
        for (const [name, value] of before) if (name.startsWith('f.')) next.set(name, value);
        return next;
      },
      { replace: true },
    );
  };
  return (
    <>
      <p className={classes.total} role="status">
        {counted(summary.evaluations, 'evaluation')} · {counted(summary.cases, 'case')} ·{' '}
        {counted(summary.counts.total, 'run')}
      </p>
      <ResultTiles numbers={numbers} />
      <div className={classes.result}>
        <ConfusionPanel
          confusion={numbers.confusion}
          waiting={false}
          address={address}
          onCell={({ expected, selected }) => {
            onTool([expected, selected].flatMap(toolsOfLabel)[0] ?? null);
          }}
          onChange={change}
        />
        <div className={classes.detailPart}>
          <Section title="Per tool">
            <PerToolTab rows={numbers.perTool} anyOf={numbers.anyOf} micro={numbers} />
          </Section>
          <Section title="Confidence">
            {numbers.confidence !== null && (
              <ConfidenceCounts confidence={numbers.confidence} high={null} />
            )}
          </Section>
          <Section title="Latency and tokens">
            <CostFacts numbers={numbers} />
          </Section>
        </div>
      </div>
    </>
  );
}
