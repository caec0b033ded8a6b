import { Checkbox, Group, SegmentedControl, Select, Slider, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import {
  heatMapOrders,
  maxHeatMapTools,
  type HeatMapOrder,
  pairScopes,
} from '../../../src-shared/contract/similarity.ts';
import {
  describeSemanticSource,
  type SimilarityAnalysis,
} from '../../../src-shared/domain/similarity.ts';
import { useApi, useStoredToolsLine } from '../../api/index.ts';
import { ShownExport } from '../../saving/ExportMenu.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { StoredToolsNotice } from '../../ui/notices/StoredToolsNotice.tsx';
import { ServersWithoutTools } from '../../ui/notices/ServersWithoutTools.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { counted } from '../../ui/text/words.ts';
import { GroupsPanel } from './GroupsPanel.tsx';
import { HeatPanel } from './HeatPanel.tsx';
import { PairPanel } from './PairPanel.tsx';
import { pairKey, PairTable } from './PairTable.tsx';
import { SimilarityForm } from './SimilarityForm.tsx';
import classes from './similarity.module.css';
import { cancelAnalysis, startAnalysis, useSimilarityWork } from './similarityWork.ts';

export function SimilarityPage() {
  const { client, queries } = useApi();
  const work = useSimilarityWork();
  const servers = useQuery(queries.servers.list.queryOptions());
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools/quality' }, { label: 'Similar tools' }]}
        title="Similar tools"
        subtitle="Tools a model could confuse because their descriptions are similar."
      />
      <Loaded query={servers} blocks={[90]}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              icon={<IconCopy size={32} stroke={1.5} />}
              message="There are no servers whose tools could be compared."
              action={<Link to="/servers?add">Add a server</Link>}
            />
          ) : (
            <SimilarityForm
              servers={list.map(({ name }) => name)}
              work={work}
              onStart={(input) => {
                void startAnalysis(client, input);
              }}
              onCancel={cancelAnalysis}
            />
          )
        }
      </Loaded>
      {work.error !== null && <ErrorNotice error={work.error} />}
      {work.analysis !== null && <Result key={work.analysis.id} analysis={work.analysis} />}
    </>
  );
}

function Result({ analysis }: { analysis: SimilarityAnalysis }) {
  const { queries } = useApi();
  const storedLine = useStoredToolsLine(analysis.tools.map(({ server }) => server));
  const [threshold, setThreshold] = useState(analysis.threshold);
  const [asked, setAsked] = useState(analysis.threshold);
  const [scope, setScope] = useState<(typeof pairScopes)[number]>('all');
  const [flaggedOnly, setFlaggedOnly] = useState(false);
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<HeatMapOrder>('cluster');
  const [selected, setSelected] = useState<{ a: number; b: number } | null>(null);
  const pairs = useQuery(
    queries.similarity.pairs.queryOptions({
      input: { id: analysis.id, threshold: asked, scope, flaggedOnly, search },
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <>
      <StoredToolsNotice line={storedLine} />
      <ServersWithoutTools failed={analysis.failed} />
      <Group justify="space-between" align="flex-start" mt="sm">
        <p className={classes.facts}>
          {counted(analysis.tools.length, 'tool')} · {counted(analysis.pairs, 'pair')}
          {analysis.floor > 0 && ` at or above ${analysis.floor}`} · semantic dimension:{' '}
          {describeSemanticSource(analysis.semanticSource, analysis.full)}
        </p>
        <ShownExport
          subject="similarity"
          name=""
          shown={{ subject: 'similarity', id: analysis.id, threshold: asked }}
        />
      </Group>
      <Tabs defaultValue="pairs" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="pairs">Pairs</Tabs.Tab>
          <Tabs.Tab value="groups">Groups</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="groups" pt="md">
          <GroupsPanel analysis={analysis} />
        </Tabs.Panel>
        <Tabs.Panel value="pairs" pt="md">
          <div className={classes.filters}>
            <div className={classes.threshold}>
              <Text size="sm">Flag from {threshold.toFixed(2)}</Text>
              <Slider
                w={200}
                min={0}
                max={1}
                step={0.01}
                value={threshold}
                onChange={setThreshold}
                onChangeEnd={setAsked}
                label={null}
                thumbLabel="Threshold"
              />
            </div>
            <SegmentedControl
              size="xs"
              aria-label="Which pairs"
              data={[
                { value: 'all', label: 'All pairs' },
                { value: 'across', label: 'Across servers' },
                { value: 'within', label: 'Same server' },
              ]}
              value={scope}
              onChange={(value) => {
                setScope(pairScopes.find((one) => one === value) ?? 'all');
              }}
            />
            <Checkbox
              label="Flagged only"
              checked={flaggedOnly}
              onChange={(event) => {
                setFlaggedOnly(event.currentTarget.checked);
              }}
            />
            <SearchField label="Search tools" value={search} onChange={setSearch} />
            <Text size="sm" c="dimmed" className="ts-number">
              {pairs.data
                ? `${counted(pairs.data.flagged, 'pair')} flagged of ${pairs.data.total}`
                : ''}
            </Text>
          </div>
          <div className={classes.split}>
            <Loaded query={pairs} blocks={[360]}>
              {({ rows, total }) => (
                <PairTable
                  analysis={analysis}
                  rows={rows}
                  total={total}
                  selected={selected && pairKey(selected)}
                  onOpen={({ a, b }) => {
                    setSelected({ a, b });
                  }}
                />
              )}
            </Loaded>
            <div>
              {analysis.tools.length <= maxHeatMapTools ? (
                <>
                  <Select
                    size="xs"
                    w={200}
                    label="Order of the heat map"
                    allowDeselect={false}
                    data={[
                      { value: 'cluster', label: 'Similar next to similar' },
                      { value: 'name', label: 'A–Z' },
                      { value: 'server', label: 'By server' },
                    ]}
                    value={order}
                    onChange={(value) => {
                      setOrder(heatMapOrders.find((one) => one === value) ?? 'cluster');
                    }}
                    mb="xs"
                  />
                  <HeatPanel
                    analysis={analysis}
                    order={order}
                    threshold={asked}
                    selected={selected}
                    onSelect={(a, b) => {
                      setSelected({ a, b });
                    }}
                  />
                </>
              ) : (
                <Text size="sm" c="dimmed">
                  The heat map shows at most {maxHeatMapTools} tools. Choose fewer servers, or use
                  the list.
                </Text>
              )}
            </div>
          </div>
          {selected !== null && (
            <PairPanel analysis={analysis} a={selected.a} b={selected.b} threshold={asked} />
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
