import { Anchor, MultiSelect, Select, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconPlugConnected, IconTargetArrow } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Action, ticked } from '../../ui/fields/controls.tsx';
import type {
  ExternalRetriever,
  RetrievalComparison,
  RetrievalDatasets,
  RetrieverSpec,
} from '../../../src-shared/domain/retrievalRun.ts';
import { useApi, useRead } from '../../api/index.ts';
import { EmptyState, Loaded } from '../../ui/notices/notices.tsx';
import { Section, SidePanel, WithPanel } from '../../ui/panels/panels.tsx';
import { BaselineGate } from './BaselineGate.tsx';
import { comparedWith } from './outcomes.ts';
import { QueriesTable } from './QueriesTable.tsx';
import { QueryDifferences, RecallCurves } from './RetrievalCharts.tsx';
import { bestMeaning } from './retrievalFindings.ts';
import { ResultsTable } from './ResultsTable.tsx';
import { ExternalRetrieverPanel } from './ExternalRetrieverPanel.tsx';
import { useRetrievalChoices } from './useRetrievalChoices.ts';
import classes from './retrieval.module.css';
import { difficultyTexts } from '../../../src-shared/display/retrievalMetricTexts.ts';
import {
  type DifficultyScore,
  scoresByDifficulty,
} from '../../../src-shared/metrics/retrievalScore.ts';
import { formatRate } from '../../../src-shared/display/numbers.ts';
import { type Column, DataTable, numberColumn, textColumn } from '../../ui/table/DataTable.tsx';
import { Cut, PlainText } from '../../ui/text/Foreign.tsx';
import { Link } from 'react-router';
import { NotFound } from '../../ui/frame/NotFound.tsx';

const markWords = ['not relevant', 'acceptable', 'primary'] as const;

/** One query: its labels, and how the first and the compared retriever rank it. */
function QueryPanel(props: {
  comparison: RetrievalComparison;
  id: string;
  against: number;
  onClose: () => void;
}) {
  const { comparison, id, against, onClose } = props;
  const query = comparison.queries.find((each) => each.id === id);
  if (!query) return <NotFound />;
  const relevance = new Map(query.labels.map((label) => [label.tool_id, label.relevance]));
  const shown = [...new Set([0, Math.max(1, against)])].flatMap(
    (at) => comparison.results[at] ?? [],
  );
  return (
    <SidePanel title={query.query} subtitle={query.id} onClose={onClose} contentKey={id}>
      <Stack gap="md">
        {query.notes !== undefined && <PlainText as="p" className="ts-quiet" text={query.notes} />}
        <div>
          <Text size="sm" fw={600} component="h3">
            Labels
          </Text>
          <ul className={classes.ranking}>
            {query.labels.map((label) => (
              <li key={label.tool_id}>
                <Cut text={label.tool_id} mono />{' '}
                <span className={classes.mark}>{markWords[label.relevance]}</span>
              </li>
            ))}
          </ul>
        </div>
        <Anchor
          component={Link}
          size="sm"
          to={`/labs/retrieval/golden/${encodeURIComponent(comparison.goldenVersion)}`}
        >
          Edit the labels of {comparison.goldenVersion}
        </Anchor>
        <div className={classes.rankings}>
          {shown.map((result) => {
            const entry = result.perQuery.find((each) => each.id === id);
            return (
              <div key={`${result.retriever} ${result.title}`}>
                <Text size="sm" fw={600} component="h3">
                  <PlainText text={result.retriever} />
                </Text>
                <ol className={classes.ranking} aria-label={`Ranking of ${result.retriever}`}>
                  {(entry?.top ?? []).map((toolId) => {
                    const grade = relevance.get(toolId);
                    return (
                      <li
                        key={toolId}
                        className={grade !== undefined && grade > 0 ? classes.hit : undefined}
                      >
                        <Cut text={toolId} mono />
                        {grade !== undefined && (
                          <span className={classes.mark}>{markWords[grade]}</span>
                        )}
                      </li>
                    );
                  })}
                </ol>
                {entry?.top.length === 0 && <p className="ts-quiet">No tools ranked.</p>}
                {entry &&
                  entry.firstRelevant !== null &&
                  entry.firstRelevant > entry.top.length && (
                    <p className="ts-quiet">
                      The first relevant tool is at position {entry.firstRelevant}.
                    </p>
                  )}
              </div>
            );
          })}
        </div>
      </Stack>
    </SidePanel>
  );
}

/** Chooses what to compare, compares it, and shows the results. */
export function RetrievalBench({ datasets }: { datasets: RetrievalDatasets }) {
  const choices = useRetrievalChoices(datasets.goldenSets.at(-1)?.version);
  const known = useRead((ask) => ask.retrieval.retrievers);
  const [foreign, setForeign] = useState<ExternalRetriever | null>(null);
  const keep = useKeepRetriever();
  const [editing, setEditing] = useState(false);
  const golden = datasets.goldenSets.find(({ version }) => version === choices.golden);
  const baselines = datasets.baselines.filter(
    ({ baseline }) =>
      baseline.golden_version === golden?.version &&
      baseline.corpus_version === golden.corpusVersion,
  );
  const baseline = baselines.some(({ version }) => version === choices.baseline)
    ? choices.baseline
    : null;
  const offline = choices.retrievers.filter(
    (id) => known.data?.some((each) => each.id === id) ?? true,
  );
  const specs: RetrieverSpec[] = [
    ...offline.map((id): RetrieverSpec => ({ kind: 'offline', id })),
    ...(foreign ? [foreign] : []),
  ];
  const comparison = useRead((ask) => ask.retrieval.compare, {
    input: {
      corpus: golden?.corpusVersion ?? '',
      golden: golden?.version ?? '',
      retrievers: specs,
      lenient: choices.lenient,
      baseline,
    },
    enabled: golden !== undefined && specs.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const close = (): void => choices.change({ query: null });
  return (
    <>
      <div className={classes.form}>
        <Select
          label="Golden set"
          w={210}
          data={datasets.goldenSets.map(({ version }) => version)}
          value={choices.golden}
          onChange={(version) => choices.change({ golden: version, baseline: null, query: null })}
        />
        <MultiSelect
          label="Retrievers (the first is the reference)"
          miw={280}
          flex={1}
          data={(known.data ?? []).map(({ id, title }) => ({ value: id, label: id, title }))}
          value={offline}
          onChange={(ids) => choices.change({ retrievers: ids.join(',') })}
        />
        <Select
          label="Baseline"
          w={160}
          placeholder="none"
          clearable
          data={baselines.map(({ version }) => version)}
          value={baseline}
          onChange={(version) => choices.change({ baseline: version })}
        />
        <Action
          label={foreign ? 'Change external retriever' : 'Add external retriever'}
          icon={IconPlugConnected}
          onClick={() => setEditing(true)}
        />
        {(golden?.unlabeled ?? 0) > 0 && (
          <Switch
            label={`Leave out ${golden?.unlabeled ?? 0} queries without labels`}
            {...ticked(choices.lenient, (isOn) => choices.change({ lenient: isOn ? 'yes' : null }))}
          />
        )}
      </div>
      <WithPanel
        panel={
          editing && golden ? (
            <ExternalRetrieverPanel
              corpus={golden.corpusVersion}
              current={foreign}
              onUse={(spec) => {
                setForeign(spec);
                setEditing(false);
                if (spec) keep(spec);
              }}
              onClose={() => setEditing(false)}
            />
          ) : choices.query !== null && comparison.data ? (
            <QueryPanel
              comparison={comparison.data}
              id={choices.query}
              against={choices.against}
              onClose={close}
            />
          ) : null
        }
      >
        {golden === undefined || specs.length === 0 ? (
          <EmptyState
            icon={<IconTargetArrow size={32} stroke={1.5} />}
            message={
              golden === undefined ? 'Choose a golden set.' : 'Choose at least one retriever.'
            }
          />
        ) : (
          <Loaded query={comparison} blocks={[320, 160]} label="Comparing retrievers">
            {(result) => (
              <>
                <p className={classes.meaning}>{bestMeaning(result.results)}</p>
                <div className={classes.charts}>
                  <RecallCurves comparison={result} />
                  <QueryDifferences
                    comparison={result}
                    metric={choices.metric}
                    against={comparedWith(result, choices.against)}
                    onOpen={(query) => choices.change({ query })}
                  />
                </div>
                <ResultsTable comparison={result} />
                <DifficultyTable comparison={result} />
                {specs[0] && (
                  <BaselineGate
                    comparison={result}
                    first={specs[0]}
                    baseline={baselines.find(({ version }) => version === baseline) ?? null}
                    lenient={choices.lenient}
                  />
                )}
                <QueriesTable comparison={result} choices={choices} />
              </>
            )}
          </Loaded>
        )}
      </WithPanel>
    </>
  );
}

/**
 * Saves a working retriever in the settings, one per kind, so that it can be chosen elsewhere too.
 */
function useKeepRetriever(): (spec: ExternalRetriever) => void {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const keeping = useMutation({
    mutationFn: async (spec: ExternalRetriever) => {
      const { externalRetrievers } = await client.settings.get();
      return client.settings.update({
        externalRetrievers: [...externalRetrievers.filter(({ kind }) => kind !== spec.kind), spec],
      });
    },
    onSuccess: (settings) => cache.setQueryData(queries.settings.get.queryKey(), settings),
  });
  return keeping.mutate;
}

interface Row extends DifficultyScore {
  retriever: string;
}

const columns: Column<Row>[] = [
  textColumn('retriever', 'Retriever', 'minmax(140px, 1.4fr)', (row) => row.retriever),
  {
    id: 'difficulty',
    header: 'Queries',
    width: 'minmax(220px, 2fr)',
    sortValue: (row) => row.difficulty,
    cell: (row) => <Cut text={difficultyTexts[row.difficulty].meaning} />,
  },
  numberColumn('queries', 'n', 80, (row) => row.queries, {
    hint: 'Scored queries of this difficulty.',
  }),
  numberColumn('recall', 'Recall@5', 110, (row) => row.recallAt5, { text: formatRate }),
  numberColumn('mrr', 'MRR', 110, (row) => row.mrr, { text: formatRate }),
];

/** What each retriever finds by the difficulty of the queries; nothing where no query says it. */
function DifficultyTable({ comparison }: { comparison: RetrievalComparison }) {
  const { queries, results } = comparison;
  const rows = useMemo(
    () =>
      results.flatMap(({ retriever, perQuery }) =>
        scoresByDifficulty(queries, perQuery).map((score): Row => ({ retriever, ...score })),
      ),
    [queries, results],
  );
  if (rows.length === 0) return null;
  return (
    <Section title="By difficulty of the queries">
      <DataTable
        label="By difficulty of the queries"
        columns={columns}
        rows={rows}
        rowKey={(row) => `${row.retriever} ${row.difficulty}`}
        maxHeight="420px"
      />
    </Section>
  );
}
