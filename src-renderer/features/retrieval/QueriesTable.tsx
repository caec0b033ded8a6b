import { formatSigned } from '../../../src-shared/display/numbers.ts';
import { SegmentedControl, Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { retrievalMetrics } from '../../../src-shared/domain/retrieval.ts';
import type { RetrievalComparison } from '../../../src-shared/domain/retrievalRun.ts';
import { type Column, DataTable, textColumn } from '../../ui/table/DataTable.tsx';
import { choosing } from '../../ui/fields/controls.tsx';
import { SearchField } from '../../ui/fields/choices.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { retrievalMetricTexts } from '../../../src-shared/display/retrievalMetricTexts.ts';
import { comparedWith, countOutcomes, queryRows, type Outcome, type QueryRow } from './outcomes.ts';
import type { RetrievalChoices } from './useRetrievalChoices.ts';
import classes from './retrieval.module.css';

const outcomeWords: Record<Outcome, { tone: 'good' | 'bad' | 'idle'; label: string }> = {
  win: { tone: 'good', label: 'win' },
  loss: { tone: 'bad', label: 'loss' },
  tie: { tone: 'idle', label: 'tie' },
};

/** Per query: the rank of the relevant tool for each retriever, and which one won. */
export function QueriesTable(props: {
  comparison: RetrievalComparison;
  choices: RetrievalChoices;
}) {
  const { comparison, choices } = props;
  const [search, setSearch] = useState('');
  const { results } = comparison;
  const against = comparedWith(comparison, choices.against);
  const rows = useMemo(
    () => queryRows(comparison, choices.metric, against),
    [comparison, choices.metric, against],
  );
  const counts = countOutcomes(rows);
  const wanted = search.trim().toLowerCase();
  const shown = rows.filter(
    (row) =>
      (choices.shown === 'all' ||
        (choices.shown === 'hard' ? row.hard : row.outcome === choices.shown)) &&
      `${row.id} ${row.query}`.toLowerCase().includes(wanted),
  );
  const columns: Column<QueryRow>[] = [
    textColumn('query', 'Query', 'minmax(260px, 3fr)', (row) => row.query),
    {
      id: 'hard',
      header: 'Hard negative',
      hint: 'The query also fits a wrong tool.',
      width: 118,
      align: 'center',
      cell: (row) => (row.hard ? <StatusBadge tone="warning" label="hard" /> : ''),
      sortValue: (row) => (row.hard ? 0 : 1),
    },
    ...results.map((result, at): Column<QueryRow> => ({
      id: `rank ${at}`,
      header: `Rank by ${result.retriever}`,
      hint: `Rank of the first relevant tool by ${result.title}; – where none is ranked.`,
      width: 100,
      align: 'right',
      sortValue: (row) => row.ranks[at] ?? null,
      cell: (row) => row.ranks[at] ?? '–',
    })),
    ...(against > 0
      ? [
          {
            id: 'outcome',
            header: `${results[against]?.retriever ?? ''} vs. ${results[0]?.retriever ?? ''}`,
            hint: `Difference in ${retrievalMetricTexts[choices.metric].label} of this query.`,
            width: 170,
            align: 'right' as const,
            sortValue: (row: QueryRow) => row.difference,
            cell: (row: QueryRow) =>
              row.outcome ? (
                <StatusBadge
                  tone={outcomeWords[row.outcome].tone}
                  label={
                    `${outcomeWords[row.outcome].label} ` +
                    (row.outcome === 'tie' ? '' : formatSigned(row.difference, 2))
                  }
                />
              ) : (
                ''
              ),
          },
        ]
      : []),
  ];
  return (
    <Section title="Queries">
      <DataTable
        label="Queries"
        columns={columns}
        rows={shown}
        rowKey={(row) => row.id}
        selected={choices.query}
        onOpen={(row) => choices.change({ query: row.id })}
        maxHeight="520px"
        toolbar={
          <>
            <SearchField label="Search queries" value={search} onChange={setSearch} />
            <SegmentedControl
              aria-label="Which queries"
              value={choices.shown}
              onChange={(value) => choices.change({ shown: value === 'all' ? null : value })}
              data={[
                { value: 'all', label: `All ${rows.length}` },
                ...(against > 0
                  ? [
                      { value: 'win', label: `Wins ${counts.win}` },
                      { value: 'loss', label: `Losses ${counts.loss}` },
                      { value: 'tie', label: `Ties ${counts.tie}` },
                    ]
                  : []),
                { value: 'hard', label: 'Hard' },
              ]}
            />
            <Select
              size="xs"
              w={130}
              aria-label="Metric"
              data={retrievalMetrics.map((metric) => ({
                value: metric,
                label: retrievalMetricTexts[metric].label,
              }))}
              {...choosing(choices.metric, (metric) => choices.change({ metric }))}
            />
            {results.length > 2 && (
              <Select
                size="xs"
                w={150}
                aria-label="Retriever to compare with the first"
                value={String(against)}
                data={results
                  .map((result, at) => ({ value: String(at), label: result.retriever }))
                  .slice(1)}
                onChange={(value) => choices.change({ against: value })}
              />
            )}
            <span className={classes.total}>{shown.length} shown</span>
          </>
        }
        empty="No query matches."
      />
    </Section>
  );
}
