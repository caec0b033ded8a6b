import type { UseQueryResult } from '@tanstack/react-query';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../../ui/fields/controls.tsx';
import type {
  TokenReport,
  ToolUse,
  TokenTrend,
} from '../../../../src-shared/domain/tokenReport.ts';
import { useStoredToolsLine, useRead } from '../../../api/index.ts';
import {
  SearchTable,
  column,
  type Column,
  DataTable,
  textColumn,
} from '../../../ui/table/DataTable.tsx';
import { EmptyState, Loaded } from '../../../ui/notices/notices.tsx';
import { StoredToolsNotice } from '../../../ui/notices/StoredToolsNotice.tsx';
import { ServersWithoutTools } from '../../../ui/notices/ServersWithoutTools.tsx';
import { Section, WithPanel, SidePanel } from '../../../ui/panels/panels.tsx';
import {
  counted,
  formatShare,
  formatCount,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import { MoneyChart, WindowChart } from './CostCharts.tsx';
import { CutList } from './CutList.tsx';
import { columnsFor, formatColumns, type Row } from './tokenColumns.tsx';
import type { TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';
import { countedAs, tokenParts } from '../../../../src-shared/display/tokenTexts.ts';
import { ChartFrame, LinesChart, TreemapChart } from '../../../ui/charts/ChartFrame.tsx';
import { byServer, mapFinding } from './tokenFindings.ts';
import { Time } from '../../../ui/text/Time.tsx';
import { costPerThousand } from '../../../../src-shared/metrics/tokenCuts.ts';
import { Fields } from '../../../ui/fields/Fields.tsx';

/** What the tools cost, where the tokens are, and what to cut first. */
export function CountTab(props: { source: TokenSource; report: UseQueryResult<TokenReport> }) {
  const { source, report } = props;
  const servers = useRead((ask) => ask.servers.list);
  const hasServers = (servers.data?.length ?? 0) > 0;
  const use = useRead((ask) => ask.tokens.toolUse);
  // A corpus or a snapshot is no server's latest listing.
  const storedLine = useStoredToolsLine(
    'servers' in source.source ? (source.source.servers ?? null) : [],
  );
  const trend = useRead((ask) => ask.tokens.trend, {
    input: { serverId: source.serverId ?? '', encoding: source.encoding },
    enabled: source.serverId !== null,
  });
  return (
    <Loaded query={report} blocks={[56, 430, 220]}>
      {(loaded) => (
        <>
          <StoredToolsNotice line={storedLine} />
          <ServersWithoutTools failed={loaded.unavailable} />
          {loaded.tools.length === 0 ? (
            <EmptyState
              icon={<IconCoins size={32} stroke={1.5} />}
              message={`The token cost of each tool appears here once a server has listed its tools.${hasServers ? ' Connect one on Tools.' : ''} Or choose a corpus above.`}
              action={
                <Action
                  label={hasServers ? 'Open tools' : 'Add server'}
                  filled
                  to={hasServers ? '/tools' : '/tools?add'}
                />
              }
            />
          ) : (
            <Counted report={loaded} use={use.data ?? null} source={source} />
          )}
          {source.serverId !== null && trend.data && <TokenTrendSection trend={trend.data} />}
        </>
      )}
    </Loaded>
  );
}

interface CountedProps {
  report: TokenReport;
  use: ToolUse | null;
  source: TokenSource;
}

function Counted({ report, use, source }: CountedProps) {
  const opened = report.tools.find(({ toolId }) => toolId === source.params.get('tool'));
  const open = (toolId: string): void => source.change('tool', toolId);
  const close = (): void => source.change('tool', null);
  return (
    <>
      <WithPanel
        panel={
          opened ? <ToolPanel tool={opened} report={report} use={use} onClose={close} /> : null
        }
      >
        <div className={classes.page}>
          <div className={classes.board}>
            <div className={classes.column}>
              <TokenMap report={report} use={use} selected={opened?.toolId ?? null} onOpen={open} />
              <div className={classes.two}>
                <WindowChart report={report} />
                <MoneyChart report={report} />
              </div>
            </div>
            <CutList report={report} use={use} source={source} onOpen={open} />
          </div>
          <ToolTokens report={report} opened={opened?.toolId ?? null} onOpen={open} />
          <Section title="In each provider’s format">
            <DataTable
              label="Formats"
              columns={formatColumns}
              rows={report.formats}
              rowKey={(row) => row.format}
              maxHeight="300px"
            />
          </Section>
        </div>
      </WithPanel>
    </>
  );
}

interface ToolTokensProps {
  report: TokenReport;
  opened: string | null;
  onOpen: (toolId: string) => void;
}

function ToolTokens({ report, opened, onOpen }: ToolTokensProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const rows = report.tools
    .filter(({ toolId }) => toolId.toLowerCase().includes(wanted))
    .sort((a, b) => b.tokenCount - a.tokenCount);
  return (
    <Section title="Tools by cost">
      <SearchTable
        noun={['tool', 'tools']}
        columns={columnsFor(report.tools)}
        rows={rows}
        rowKey={(row) => row.toolId}
        selected={opened}
        onOpen={(row) => onOpen(row.toolId)}
        maxHeight="420px"
        search={search}
        onSearch={setSearch}
        onShowAll={() => setSearch('')}
      />
    </Section>
  );
}

interface TokenMapProps {
  report: TokenReport;
  use: ToolUse | null;
  selected: string | null;
  onOpen: (toolId: string) => void;
}

/** Every tool as an area, by server. Tools that nothing uses are hatched. */
function TokenMap({ report, use, selected, onOpen }: TokenMapProps) {
  const neverUsed = new Set(use?.neverUsed);
  const servers = byServer(report);
  const hasBodies = report.tools.some(({ bodyTokens }) => bodyTokens !== undefined);
  return (
    <ChartFrame
      title={mapFinding(report)}
      note={`${counted(report.tools.length, 'tool')}, counted ${countedAs(report)}`}
      fileName="tokens-by-tool"
      height={430}
      table={{
        heads: ['Server', 'Tool', 'Tokens', 'Share', 'Used', ...(hasBodies ? ['Body'] : [])],
        numeric: [2, 3, 5],
        rows: servers.flatMap(({ server, tools }) =>
          tools.map(({ toolId, name, tokenCount, bodyTokens }) => [
            server,
            name,
            formatCount(tokenCount),
            formatShare(tokenCount / Math.max(1, report.total)),
            neverUsed.has(toolId) ? 'never' : '–',
            ...(hasBodies ? [bodyTokens === undefined ? '–' : formatCount(bodyTokens)] : []),
          ]),
        ),
      }}
    >
      <TreemapChart
        groups={servers.map(({ server, tools }) => ({
          name: server,
          items: tools.map(({ toolId, name, tokenCount }) => ({
            id: toolId,
            name,
            value: tokenCount,
            hatched: neverUsed.has(toolId),
          })),
        }))}
        format={(tokens) =>
          `${counted(tokens, 'token')} · ${formatShare(tokens / Math.max(1, report.total))}`
        }
        areaMeaning="Area: tokens per request"
        hatchMeaning={`Unused: expected by no case and called in none of ${counted(use?.evaluations ?? 0, 'evaluation')}`}
        selected={selected}
        onOpen={onOpen}
      />
    </ChartFrame>
  );
}

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
function TokenTrendSection({ trend }: { trend: TokenTrend }) {
  return (
    <Section title="Trend" aside={<span className={classes.quiet}>one point per listing</span>}>
      {trend.length > 1 && <TokenTrendChart trend={trend.slice(-30)} />}
      <DataTable
        label="Listings"
        columns={trendColumns}
        rows={trend.toReversed()}
        rowKey={(row) => `${row.listedAt} ${row.snapshotId}`}
        maxHeight="260px"
        empty="No listing yet. Connect to the server to list its tools."
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
        heads: ['Listed', 'Tokens'],
        numeric: [1],
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

interface ToolPanelProps {
  tool: Row;
  report: TokenReport;
  use: ToolUse | null;
  onClose: () => void;
}

function ToolPanel({ tool, report, use, onClose }: ToolPanelProps) {
  const rank = 1 + report.tools.filter(({ tokenCount }) => tokenCount > tool.tokenCount).length;
  const cost = costPerThousand(tool.tokenCount, report.model?.price ?? null);
  const unused = use?.neverUsed.includes(tool.toolId) ?? false;
  return (
    <SidePanel title={tool.name} subtitle={tool.server} contentKey={tool.toolId} onClose={onClose}>
      <p className={classes.toolTotal}>
        <strong>{counted(tool.tokenCount, 'token')}</strong>
        {`, ${formatShare(tool.tokenCount / Math.max(1, report.total))} of all definitions. `}
        {rank === 1
          ? 'Most expensive tool.'
          : `Number ${formatCount(rank)} of ${counted(report.tools.length, 'tool')} by cost.`}
      </p>
      <table className={classes.parts} aria-label="Tokens by part">
        <tbody>
          {tokenParts.map(({ part, title, meaning }) => (
            <tr key={part} title={meaning}>
              <th scope="row">{title}</th>
              <td>
                <span
                  className={classes.partBar}
                  style={{ width: `${(100 * tool.parts[part]) / Math.max(1, tool.tokenCount)}%` }}
                />
              </td>
              <td className="ts-number">{formatCount(tool.parts[part])}</td>
              <td className="ts-number">
                {formatShare(tool.parts[part] / Math.max(1, tool.tokenCount))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Fields
        rows={[
          { name: 'Counted', value: countedAs(report) },
          ...(tool.bodyTokens === undefined
            ? []
            : [
                {
                  name: 'Body',
                  value: `${counted(tool.bodyTokens, 'token')}, loaded when a model uses the skill`,
                },
              ]),
          ...(cost === null ? [] : [{ name: 'Per 1,000 requests', value: formatUsd(cost) }]),
          ...(use === null || use.evaluations === 0
            ? []
            : [
                {
                  name: 'Use',
                  value: unused
                    ? `Expected by none of ${counted(use.cases, 'case')}, called in none of ${counted(use.evaluations, 'evaluation')}`
                    : 'Expected by a case, called in an evaluation, or not evaluated yet',
                },
              ]),
        ]}
      />
    </SidePanel>
  );
}
