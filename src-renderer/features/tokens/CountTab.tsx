import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { TokenReport, TokenTrend } from '../../../src-shared/domain/tokenReport.ts';
import { useApi } from '../../api/index.ts';
import { ChartFrame } from '../../ui/charts/ChartFrame.tsx';
import { LinesChart } from '../../ui/charts/lazyCharts.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { ShownExport } from '../../saving/ExportMenu.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Tile } from '../../ui/estimate/EstimateTile.tsx';
import { formatCount } from '../../ui/estimate/format.ts';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { ServersWithoutTools } from '../../ui/notices/ServersWithoutTools.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { counted } from '../../ui/text/words.ts';
import type { TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';
import { type Row, toolColumns, serverColumns, formatColumns } from './tokenColumns.tsx';

/**
 * Tokens by tool, part and server; the budget as a gate; the same tools in each provider's format;
 * growth over time.
 */
export function CountTab({ source }: { source: TokenSource }) {
  const { queries } = useApi();
  const report = useQuery(
    queries.tokens.count.queryOptions({
      input: { source: source.source, encoding: source.encoding },
    }),
  );
  const trend = useQuery(
    queries.tokens.trend.queryOptions({
      input: { serverId: source.serverId ?? '', encoding: source.encoding },
      enabled: source.serverId !== null,
    }),
  );
  const budgetText = source.params.get('budget');
  const budget = budgetText === null ? null : Number(budgetText);
  return (
    <Loaded query={report} blocks={[96, 360]}>
      {(loaded) => (
        <>
          <ServersWithoutTools failed={loaded.unavailable} />
          {loaded.tools.length === 0 ? (
            <EmptyState
              icon={<IconCoins size={32} stroke={1.5} />}
              message="No tools to count yet. List the tools of a server, or choose a corpus."
              action={
                <Button component={Link} to="/servers">
                  Open servers
                </Button>
              }
            />
          ) : (
            <>
              <Totals
                report={loaded}
                budget={budget}
                onBudget={(value) => {
                  source.change('budget', value);
                }}
              />
              <ToolTokens report={loaded} budget={budget} />
              <div className={classes.two}>
                <Section title="Servers">
                  <DataTable
                    label="Servers"
                    columns={serverColumns}
                    rows={loaded.servers}
                    rowKey={(row) => row.server}
                    maxHeight="300px"
                  />
                </Section>
                <Section title="In each provider’s format">
                  <DataTable
                    label="Formats"
                    columns={formatColumns}
                    rows={loaded.formats}
                    rowKey={(row) => row.format}
                    maxHeight="300px"
                  />
                </Section>
              </div>
            </>
          )}
          {source.serverId !== null && trend.data && <Trend trend={trend.data} />}
        </>
      )}
    </Loaded>
  );
}

function Totals({
  report,
  budget,
  onBudget,
}: {
  report: TokenReport;
  budget: number | null;
  onBudget: (value: string | null) => void;
}) {
  const over = budget === null ? null : report.total - budget;
  const sum = (part: keyof Row['parts']): number =>
    report.tools.reduce((total, { parts }) => total + parts[part], 0);
  const schemas = sum('inputSchema') + sum('outputSchema');
  return (
    <div className={classes.tiles}>
      <Tile
        label="Total"
        meaning="Tokens of all these tools together, as MCP lists them: output schemas and structure included. What a request to a provider carries of it stands below, in each provider’s format."
        number={formatCount(report.total)}
        basis={`tokens (${report.encoding}) as listed, n ${counted(report.tools.length, 'tool')}`}
      />
      <Tile
        label="Descriptions"
        meaning="Tokens that begin in a description."
        number={formatCount(sum('description'))}
        basis={
          `tokens, ${Math.round((100 * sum('description')) / Math.max(1, report.total))} % of ` +
          'the total'
        }
      />
      <Tile
        label="Schemas"
        meaning="Tokens that begin in an input or output schema."
        number={formatCount(schemas)}
        basis={`tokens, ${Math.round((100 * schemas) / Math.max(1, report.total))} % of the total`}
      />
      <Tile
        label="Structure"
        meaning="Tokens of names, braces, keys and everything else."
        number={formatCount(sum('structure') + sum('name'))}
        basis="tokens, names included"
      />
      <div>
        <NumberInput
          label="Budget"
          placeholder="none"
          w={140}
          min={0}
          allowDecimal={false}
          value={budget ?? ''}
          onChange={(value) => {
            onBudget(value === '' ? null : String(value));
          }}
        />
        {over !== null && (
          <StatusBadge
            tone={over <= 0 ? 'good' : 'bad'}
            label={
              over <= 0
                ? `kept, ${formatCount(-over)} left`
                : `exceeded by ${formatCount(over)} tokens`
            }
          />
        )}
      </div>
    </div>
  );
}

function ToolTokens({ report, budget }: { report: TokenReport; budget: number | null }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const rows = report.tools.filter(({ toolId }) => toolId.toLowerCase().includes(wanted));
  return (
    <Section
      title="Tools"
      aside={
        <ShownExport
          subject="tokens"
          name=""
          without={budget === null ? ['junit'] : []}
          shown={{ subject: 'tokens', count: report, budget }}
        />
      }
    >
      <DataTable
        label="Tools"
        columns={toolColumns}
        rows={rows}
        rowKey={(row) => row.toolId}
        maxHeight="420px"
        toolbar={
          <>
            <SearchField label="Search tools" value={search} onChange={setSearch} />
            <span className={classes.quiet}>{counted(rows.length, 'tool')}</span>
          </>
        }
        empty={<EmptyState message={`No tool matches “${search}”.`} />}
      />
    </Section>
  );
}

const trendColumns: Column<TokenTrend[number]>[] = [
  {
    id: 'when',
    header: 'Listed',
    width: 130,
    sortValue: (row) => row.listedAt,
    cell: (row) => <Time iso={row.listedAt} focusable={false} />,
  },
  {
    id: 'tools',
    header: 'Tools',
    width: 80,
    align: 'right',
    cell: (row) => formatCount(row.tools),
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 100,
    align: 'right',
    cell: (row) => formatCount(row.tokenCount),
  },
  {
    id: 'changes',
    header: 'Changed since the one before',
    width: 'minmax(200px, 1fr)',
    cell: (row) => <Cut text={changesOf(row)} />,
  },
];

function changesOf({ added, removed, changed }: TokenTrend[number]): string {
  const parts = [
    added.length > 0 ? `added ${added.join(', ')}` : '',
    removed.length > 0 ? `removed ${removed.join(', ')}` : '',
    changed.length > 0 ? `changed ${changed.join(', ')}` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '–' : parts.join('; ');
}

function Trend({ trend }: { trend: TokenTrend }) {
  return (
    <Section
      title="Trend"
      aside={<span className={classes.quiet}>each time that the tools were listed</span>}
    >
      {trend.length > 1 && <TokenTrendChart trend={trend.slice(-30)} />}
      <DataTable
        label="Listings"
        columns={trendColumns}
        rows={trend.toReversed()}
        rowKey={(row) => `${row.listedAt} ${row.snapshotId}`}
        maxHeight="260px"
        empty={<EmptyState message="This server’s tools were never listed." />}
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
