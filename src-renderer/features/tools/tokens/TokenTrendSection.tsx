import type { TokenTrend } from '../../../../src-shared/domain/tokenReport.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { LinesChart } from '../../../ui/charts/lazyCharts.ts';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import classes from './tokens.module.css';
import { column, textColumn } from '../../../ui/table/columns.tsx';

const trendColumns: Column<TokenTrend[number]>[] = [
  column('when', 'Listed', 130, { sortValue: (row) => row.listedAt }, (row) => (
    <Time iso={row.listedAt} focusable={false} />
  )),
  column('tools', 'Tools', 80, { align: 'right' }, (row) => formatCount(row.tools)),
  column('tokens', 'Tokens', 100, { align: 'right' }, (row) => formatCount(row.tokenCount)),
  textColumn(
    'changes',
    'Changed since the previous listing',
    'minmax(200px, 1fr)',
    (row) => changesOf(row),
    { sorts: false },
  ),
];

function changesOf({ added, removed, changed }: TokenTrend[number]): string {
  const parts = [
    added.length > 0 ? `added ${added.join(', ')}` : '',
    removed.length > 0 ? `removed ${removed.join(', ')}` : '',
    changed.length > 0 ? `changed ${changed.join(', ')}` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '–' : parts.join('; ');
}

/** The tokens of one server each time that its tools were listed. */
export function TokenTrendSection({ trend }: { trend: TokenTrend }) {
  return (
    <Section title="Trend" aside={<span className={classes.quiet}>one point per listing</span>}>
      {trend.length > 1 && <TokenTrendChart trend={trend.slice(-30)} />}
      <DataTable
        label="Listings"
        columns={trendColumns}
        rows={trend.toReversed()}
        rowKey={(row) => `${row.listedAt} ${row.snapshotId}`}
        maxHeight="260px"
        empty={<EmptyState message="No listing yet. Connect to the server to list its tools." />}
      />
    </Section>
  );
}

function TokenTrendChart({ trend }: { trend: TokenTrend }) {
  const [first, last] = [trend[0]?.tokenCount ?? 0, trend.at(-1)?.tokenCount ?? 0];
  const change = last === first ? 'stayed at' : last > first ? 'rose to' : 'fell to';
  return (
    <ChartFrame
      title={`Tool definitions ${change} ${counted(last, 'token')}`}
      note={`The last ${counted(trend.length, 'listing')}`}
      fileName="token-trend"
      height={260}
      table={{
        columns: [{ label: 'Listed' }, { label: 'Tokens', numeric: true }],
        rows: trend.map(({ listedAt, tokenCount }) => [listedAt, formatCount(tokenCount)]),
      }}
    >
      <LinesChart
        xLabel="listing"
        yLabel="tokens"
        series={[
          {
            name: 'tokens',
            points: trend.map(({ tokenCount }, at) => ({
              x: at + 1,
              y: tokenCount,
              label: trend.length <= 12 ? formatCount(tokenCount) : '',
            })),
          },
        ]}
        formatY={formatCount}
      />
    </ChartFrame>
  );
}
