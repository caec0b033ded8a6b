import { Button, Checkbox, Text } from '@mantine/core';
import { IconFileSearch, IconRefresh, IconShieldSearch } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ScanReport } from '../../../src-shared/domain/security.ts';
import { detectorLabel, useApi } from '../../api/index.ts';
import { ShownExport } from '../../saving/ExportMenu.tsx';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { Cut } from '../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import { showFailure } from '../../ui/notices/UndoNotice.tsx';
import { counted } from '../../ui/text/words.ts';
import { SecurityHeader } from './SecurityHeader.tsx';
import { SignalPanel } from './SignalPanel.tsx';
import { signalRows, type SignalRow } from './signalRows.ts';

const rank: Record<string, number> = { critical: 0, high: 1, medium: 2, low: 3 };

const columns: Column<SignalRow>[] = [
  {
    id: 'severity',
    header: 'Severity',
    hint: 'How grave it would be if it were meant. Low: a remark, no alarm.',
    width: 160,
    sortValue: ({ finding }) => rank[finding.severity] ?? 9,
    cell: ({ finding }) => (
      <SeverityBadge severity={finding.severity} suffix={finding.accepted ? ', accepted' : ''} />
    ),
  },
  {
    id: 'tool',
    header: 'Tool',
    width: 'minmax(160px, 1fr)',
    sortValue: ({ finding }) => `${finding.server}:${finding.tool}`,
    cell: ({ finding }) => <Cut text={`${finding.server}:${finding.tool}`} mono />,
  },
  {
    id: 'detector',
    header: 'Detector',
    width: 170,
    sortValue: ({ finding }) => finding.detector,
    cell: ({ finding }) => detectorLabel(finding.detector),
  },
  {
    id: 'why',
    header: 'Why',
    width: 'minmax(220px, 2fr)',
    cell: ({ finding }) => (
      <Cut text={finding.accepted ? `Accepted: ${finding.accepted.reason}` : finding.why} />
    ),
  },
];
const narrow = columns.filter(({ id }) => id === 'severity' || id === 'tool' || id === 'detector');

/** What the detectors find in the last listed tools of all servers. */
export function SignalsPage() {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const scan = useQuery(
    queries.security.scan.queryOptions({ input: { serverIds: null }, staleTime: 30_000 }),
  );
  const again = useMutation({
    mutationFn: async () => {
      const servers = await client.servers.list();
      const outcomes = await Promise.allSettled(
        servers.map(({ id }) => client.servers.refreshTools({ id })),
      );
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') showFailure(outcome.reason);
      await cache.invalidateQueries();
    },
    onError: showFailure,
  });
  const file = useMutation({
    mutationFn: async (chosen: File) => ({
      name: chosen.name,
      report: await client.security.scanFile({ fileName: chosen.name, text: await chosen.text() }),
    }),
    onError: showFailure,
  });
  return (
    <>
      <SecurityHeader
        part="signals"
        actions={
          <>
            <ShownExport
              subject="security"
              name="signals"
              shown={
                scan.data && scan.data.tools.length > 0
                  ? { subject: 'scan', serverIds: null }
                  : null
              }
            />
            <ChooseFile
              accept=".json,application/json"
              onFiles={([chosen]) => {
                file.mutate(chosen);
              }}
            >
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconFileSearch size={16} aria-hidden />}
                  loading={file.isPending}
                >
                  Scan a tools file
                </Button>
              )}
            </ChooseFile>
            <Button
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={again.isPending}
              onClick={() => {
                again.mutate();
              }}
            >
              List and scan all servers
            </Button>
          </>
        }
      />
      {file.data ? (
        <>
          <div style={{ marginBottom: 16 }}>
            <Notice tone="neutral">
              Signals in the file <PlainText text={file.data.name} />, among the tools of all
              servers.
              {file.data.report.rejected.length > 0 && (
                <>
                  {' '}
                  {counted(file.data.report.rejected.length, 'tool')} can’t be offered and{' '}
                  {file.data.report.rejected.length === 1 ? 'was' : 'were'} not examined, the first
                  is <PlainText text={file.data.report.rejected[0]?.name ?? ''} />.
                </>
              )}{' '}
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  file.reset();
                }}
              >
                Back to the servers
              </Button>
            </Notice>
          </div>
          {file.data.report.tools.length === 0 ? (
            <EmptyState message="The file holds no tool that could be examined." />
          ) : (
            <Signals report={file.data.report} onScan={() => undefined} scanning={false} />
          )}
        </>
      ) : (
        <Loaded query={scan} blocks={[32, 320]}>
          {(report) => (
            <Signals
              report={report}
              onScan={() => {
                again.mutate();
              }}
              scanning={again.isPending}
            />
          )}
        </Loaded>
      )}
    </>
  );
}

function Signals({
  report,
  onScan,
  scanning,
}: {
  report: ScanReport;
  onScan: () => void;
  scanning: boolean;
}) {
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const [showAccepted, setShowAccepted] = useState(false);
  const rows = signalRows(report, { search, showAccepted });
  const selected = rows.find(({ key }) => key === params.get('signal')) ?? null;
  const accepted = report.tools
    .flatMap(({ findings }) => findings)
    .filter((finding) => finding.accepted !== null).length;
  const unlisted = report.servers.filter(({ problem }) => problem !== null);
  const troubled = report.tools.filter(({ problem }) => problem !== null);
  const close = (): void => {
    setParams({}, { replace: true });
  };
  if (report.tools.length === 0) {
    return (
      <EmptyState
        icon={<IconShieldSearch size={32} stroke={1.5} />}
        message={
          report.servers.length === 0
            ? 'No servers yet. Add one, then its tools can be examined.'
            : 'No tools were listed yet, so there is nothing to examine.'
        }
        action={
          report.servers.length === 0 ? (
            <Button component={Link} to="/servers">
              Servers
            </Button>
          ) : (
            <Button loading={scanning} onClick={onScan}>
              List and scan all servers
            </Button>
          )
        }
      />
    );
  }
  return (
    <>
      {unlisted.length > 0 && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="warning">
            Not examined:{' '}
            {unlisted.map(({ name }, index) => (
              <span key={name}>
                {index > 0 && ', '}
                <PlainText text={name} />
              </span>
            ))}
            . Their tools were not listed yet.
          </Notice>
        </div>
      )}
      {troubled.length > 0 && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="warning">
            {counted(troubled.length, 'tool')} could not be examined in time, the first is{' '}
            <PlainText text={`${troubled[0]?.server ?? ''}:${troubled[0]?.tool ?? ''}`} />.
          </Notice>
        </div>
      )}
      <WithPanel
        panel={
          selected === null ? null : (
            <SignalPanel key={selected.key} row={selected} onClose={close} />
          )
        }
      >
        <DataTable
          label="Signals"
          columns={selected === null ? columns : narrow}
          rows={rows}
          rowKey={({ key }) => key}
          selected={selected?.key ?? null}
          onOpen={({ key }) => {
            setParams({ signal: key });
          }}
          rowHeight={40}
          toolbar={
            <>
              <SearchField label="Search signals" value={search} onChange={setSearch} />
              <Checkbox
                size="sm"
                label={`Show accepted (${accepted})`}
                checked={showAccepted}
                onChange={(event) => {
                  setShowAccepted(event.currentTarget.checked);
                }}
              />
              <Text size="sm" c="dimmed" className="ts-number">
                {counted(rows.length, 'signal')} in {counted(report.tools.length, 'tool')}
              </Text>
            </>
          }
          empty={
            <EmptyState
              message={
                search === ''
                  ? `No signals in ${counted(report.tools.length, 'tool')}. Rules see signs, ` +
                    'not intentions: attacks in free paraphrase stay out of their reach.'
                  : `No signal matches “${search}”.`
              }
            />
          }
        />
      </WithPanel>
    </>
  );
}
