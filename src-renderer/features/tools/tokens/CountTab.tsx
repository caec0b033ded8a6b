import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../../ui/fields/Action.tsx';
import type { TokenReport, ToolUse } from '../../../../src-shared/domain/tokenReport.ts';
import { useApi, useStoredToolsLine } from '../../../api/index.ts';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { StoredToolsNotice } from '../../../ui/notices/StoredToolsNotice.tsx';
import { ServersWithoutTools } from '../../../ui/notices/ServersWithoutTools.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { WithPanel } from '../../../ui/panels/SidePanel.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { counted, formatShare, formatCount } from '../../../../src-shared/display/numbers.ts';
import { MoneyChart, WindowChart } from './CostCharts.tsx';
import { CutList } from './CutList.tsx';
import { columnsFor, formatColumns } from './tokenColumns.tsx';
import { TokenTrendSection } from './TokenTrendSection.tsx';
import { ToolPanel } from './ToolPanel.tsx';
import type { TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';
import { countedAs } from '../../../../src-shared/display/tokenTexts.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { TreemapChart } from '../../../ui/charts/lazyCharts.ts';
import { byServer, mapFinding } from './tokenFindings.ts';

/** What the tools cost, where the tokens are, and what to cut first. */
export function CountTab(props: { source: TokenSource; report: UseQueryResult<TokenReport> }) {
  const { source, report } = props;
  const { queries } = useApi();
  const servers = useQuery(queries.servers.list.queryOptions());
  const hasServers = (servers.data?.length ?? 0) > 0;
  const use = useQuery(queries.tokens.toolUse.queryOptions());
  // A corpus or a snapshot is no server's latest listing.
  const storedLine = useStoredToolsLine(
    'servers' in source.source ? (source.source.servers ?? null) : [],
  );
  const trend = useQuery(
    queries.tokens.trend.queryOptions({
      input: { serverId: source.serverId ?? '', encoding: source.encoding },
      enabled: source.serverId !== null,
    }),
  );
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
      <DataTable
        label="Tools"
        columns={columnsFor(report.tools)}
        rows={rows}
        rowKey={(row) => row.toolId}
        selected={opened}
        onOpen={(row) => onOpen(row.toolId)}
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
        columns: [
          { label: 'Server' },
          { label: 'Tool' },
          { label: 'Tokens', numeric: true },
          { label: 'Share', numeric: true },
          { label: 'Used' },
          ...(hasBodies ? [{ label: 'Body', numeric: true }] : []),
        ],
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
