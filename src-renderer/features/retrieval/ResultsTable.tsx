import {
  formatSigned,
  formatDuration,
  formatInterval,
  formatRate,
  counted,
} from '../../../src-shared/display/numbers.ts';
import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { retrievalMetrics, type RetrievalMetric } from '../../../src-shared/domain/retrieval.ts';
import type {
  RetrievalComparison,
  RetrieverResult,
} from '../../../src-shared/domain/retrievalRun.ts';
import { ShownExport } from '../../saving/ExportMenu.tsx';
import { Cut } from '../../ui/text/Foreign.tsx';
import { type Column, DataTable, numberColumn } from '../../ui/table/DataTable.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { retrievalMetricTexts } from '../../../src-shared/display/retrievalMetricTexts.ts';
import classes from './retrieval.module.css';

/** Every retriever with every metric, its interval, and its difference from the first one. */
export function ResultsTable({ comparison }: { comparison: RetrievalComparison }) {
  const { results, leftOut } = comparison;
  const columns = useMemo<Column<RetrieverResult>[]>(
    () => [
      {
        id: 'retriever',
        header: 'Retriever',
        width: 'minmax(140px, 1.4fr)',
        sortValue: (row) => row.retriever,
        cell: (row) => (
          <span style={{ minWidth: 0 }}>
            <Cut text={row.retriever} />
            <span className={classes.second}>
              {' '}
              <Cut text={row.title} />
            </span>
          </span>
        ),
      },
      ...retrievalMetrics.map((metric): Column<RetrieverResult> => ({
        id: metric,
        header: retrievalMetricTexts[metric].label,
        hint: retrievalMetricTexts[metric].meaning,
        width: 'minmax(106px, 1fr)',
        align: 'right',
        sortValue: (row) => row.metrics[metric].value,
        cell: (row) => <MetricCell row={row} metric={metric} />,
      })),
      numberColumn('time', 'Time', 74, (row) => row.milliseconds, {
        hint: 'Time for all queries, including indexing.',
        text: formatDuration,
      }),
    ],
    [],
  );
  const n = results[0]?.perQuery.length ?? 0;
  return (
    <Section
      title="Retrievers"
      aside={
        <Group gap="md">
          <span className={classes.total}>
            {counted(n, 'query', 'queries')} · mean with 95% interval and difference from{' '}
            {results[0]?.retriever ?? 'the first'}
            {leftOut.length > 0
              ? ` · ${counted(leftOut.length, 'query', 'queries')} without labels not scored`
              : ''}
          </span>
          <ShownExport
            subject="retrieval"
            name={comparison.goldenVersion}
            without={results.some(({ gate }) => gate !== null) ? [] : ['junit']}
            shown={{ subject: 'retrieval', comparison }}
          />
        </Group>
      }
    >
      <DataTable
        label="Retrievers"
        columns={columns}
        rows={results}
        rowKey={(row) => `${row.retriever} ${row.title}`}
        rowHeight={84}
        maxHeight="420px"
      />
    </Section>
  );
}

function MetricCell({ row, metric }: { row: RetrieverResult; metric: RetrievalMetric }) {
  const { value, low, high } = row.metrics[metric];
  const difference = row.differences?.[metric];
  // A difference counts only if its whole interval is on one side of 0.
  const tone =
    difference === undefined
      ? undefined
      : difference.low > 0
        ? 'good'
        : difference.high < 0
          ? 'bad'
          : undefined;
  return (
    <span className={classes.cell}>
      <span>{formatRate(value)}</span>
      <span className={classes.second}>{formatInterval(low, high)}</span>
      {difference !== undefined && (
        <span
          className={classes.second}
          data-tone={tone}
          title={
            `Difference ${formatSigned(difference.value)} [${formatSigned(difference.low)} to ` +
            `${formatSigned(difference.high)}], n ${difference.n}`
          }
        >
          {tone === 'good' ? '▲ ' : tone === 'bad' ? '▼ ' : ''}
          {formatSigned(difference.value, 2)}
          <br />[{formatSigned(difference.low, 2)} to {formatSigned(difference.high, 2)}]
        </span>
      )}
    </span>
  );
}
