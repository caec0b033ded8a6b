import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconCoins } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { TokenReport, ToolUse } from '../../../src-shared/domain/tokenReport.ts';
import {
  bodySentence,
  budgetSentence,
  costSentence,
  tokenHeadline,
} from '../../../src-shared/display/tokenTexts.ts';
import { useApi, useStoredToolsLine } from '../../api/index.ts';
import { ShownExport } from '../../saving/ExportMenu.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { StoredToolsNotice } from '../../ui/notices/StoredToolsNotice.tsx';
import { ServersWithoutTools } from '../../ui/notices/ServersWithoutTools.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { counted } from '../../ui/text/words.ts';
import { MoneyChart, WindowChart } from './CostCharts.tsx';
import { CutList } from './CutList.tsx';
import { columnsFor, formatColumns } from './tokenColumns.tsx';
import { TokenMap } from './TokenMap.tsx';
import { TokenTrendSection } from './TokenTrendSection.tsx';
import { ToolPanel } from './ToolPanel.tsx';
import type { TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';

/** What the tools cost, where the tokens are, and what to cut first. */
export function CountTab({ source }: { source: TokenSource }) {
  const { queries } = useApi();
  const report = useQuery(
    queries.tokens.count.queryOptions({
      input: { source: source.source, encoding: source.encoding, model: source.model },
    }),
  );
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
          <StoredToolsNotice line={source.ofServerPage ? null : storedLine} />
          <ServersWithoutTools failed={loaded.unavailable} />
          {loaded.tools.length === 0 ? (
            <EmptyState
              icon={<IconCoins size={32} stroke={1.5} />}
              message="The token cost of each tool appears here. Check a server to list its tools, or choose a corpus."
              action={
                <Button component={Link} to="/tools" variant="default">
                  Open servers
                </Button>
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
  const open = (toolId: string): void => {
    source.change('tool', toolId);
  };
  const close = (): void => {
    source.change('tool', null);
  };
  return (
    <>
      <Headline report={report} source={source} />
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

/** The finding, the money, and the budget as a threshold. */
function Headline({ report, source }: { report: TokenReport; source: TokenSource }) {
  const cost = costSentence(report);
  const bodies = bodySentence(report);
  const { budget } = source;
  return (
    <div className={classes.headline}>
      <div>
        <h2>{tokenHeadline(report)}</h2>
        {(cost !== null || !source.ofServerPage) && (
          <p className={classes.quiet}>
            <PlainText text={cost ?? 'Choose a model above to see what 1,000 requests cost.'} />
          </p>
        )}
        {bodies !== null && <p className={classes.quiet}>{bodies}</p>}
      </div>
      <div className={classes.budget}>
        {budget !== null && (
          <StatusBadge
            tone={report.total <= budget ? 'good' : 'bad'}
            label={budgetSentence(report.total, budget)}
          />
        )}
        <NumberInput
          aria-label="Budget in tokens"
          placeholder="Budget in tokens"
          w={160}
          min={0}
          allowDecimal={false}
          thousandSeparator=","
          value={budget ?? ''}
          onChange={(value) => {
            source.change('budget', value === '' ? null : String(value));
          }}
        />
        <ShownExport
          subject="tokens"
          name=""
          without={budget === null ? ['junit'] : []}
          shown={{ subject: 'tokens', count: report, budget }}
        />
      </div>
    </div>
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
        onOpen={(row) => {
          onOpen(row.toolId);
        }}
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
