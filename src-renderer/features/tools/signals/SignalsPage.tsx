import { IconFileSearch, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { Action } from '../../../ui/fields/controls.tsx';
import { useApi, useServerScope, useStoredToolsLine, useRead } from '../../../api/index.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { ChooseFile } from '../../../ui/files/ChooseFile.tsx';
import { readText } from '../../../ui/files/readText.ts';
import { EmptyState, Loaded, Notice, useAct } from '../../../ui/notices/notices.tsx';
import { StoredToolsNotice } from '../../../ui/notices/StoredToolsNotice.tsx';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { useCheckAll } from '../server/useCheckAll.ts';
import { ScanScope, scanVerdict, SignalsView } from './SignalsView.tsx';

/** What the detectors find in the last listed tools of all servers. */
export function SignalsPage() {
  const { client } = useApi();
  const scope = useServerScope();
  const scan = useRead((ask) => ask.security.scan, {
    input: { serverIds: scope?.map(({ id }) => id) ?? null },
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  const storedLine = useStoredToolsLine(null);
  const servers = useRead((ask) => ask.servers.list);
  const { checkAll, checking } = useCheckAll();
  const scanAll = (): void => checkAll((servers.data ?? []).map(({ id }) => id));
  const file = useAct(async (chosen: File) => ({
    name: chosen.name,
    report: await client.security.scanFile({
      fileName: chosen.name,
      text: await readText(chosen),
    }),
  }));
  const report = file.data?.report ?? scan.data;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Signals' }]}
        title={report === undefined || report.tools.length === 0 ? 'Signals' : scanVerdict(report)}
        subtitle={
          report === undefined || report.tools.length === 0 ? (
            'Patterns in tools and server instructions that look like attacks.'
          ) : (
            <ScanScope report={report} />
          )
        }
        actions={
          <>
            <ShownExport
              subject="security"
              name="signals"
              shown={
                scan.data && scan.data.tools.length > 0
                  ? { subject: 'scan', serverIds: scope?.map(({ id }) => id) ?? null }
                  : null
              }
            />
            <ChooseFile accept=".json,application/json" onFiles={([chosen]) => file.mutate(chosen)}>
              {(props) => (
                <Action
                  label="Scan a tools file"
                  {...props}
                  icon={IconFileSearch}
                  loading={file.isPending}
                />
              )}
            </ChooseFile>
          </>
        }
        primary={
          servers.data?.length !== 0 && (
            <Action
              label="Scan all servers"
              filled={report?.tools.length === 0}
              icon={IconRefresh}
              loading={checking}
              onClick={scanAll}
            />
          )
        }
      />
      {file.data ? (
        <>
          <div style={{ marginBottom: 16 }}>
            <Notice tone="neutral">
              Signals in the file <PlainText text={file.data.name} />. Names are compared with the
              tools of all servers.
              {file.data.report.rejected.length > 0 && (
                <>
                  {' '}
                  {counted(file.data.report.rejected.length, 'tool')} can’t be offered to a model
                  and {file.data.report.rejected.length === 1 ? 'was' : 'were'} not scanned. First:{' '}
                  <PlainText text={file.data.report.rejected[0]?.name ?? ''} />.
                </>
              )}{' '}
              <Action label="Back to servers" small onClick={() => file.reset()} />
            </Notice>
          </div>
          {file.data.report.tools.length === 0 ? (
            <EmptyState message="The file contains no tools to scan." />
          ) : (
            <SignalsView report={file.data.report} onScan={() => undefined} scanning={false} />
          )}
        </>
      ) : (
        <Loaded query={scan} blocks={[72, 32, 320]}>
          {(report) => (
            <>
              <StoredToolsNotice line={storedLine} />
              <SignalsView report={report} onScan={scanAll} scanning={checking} />
            </>
          )}
        </Loaded>
      )}
    </>
  );
}
