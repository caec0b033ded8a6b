import { Stack, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { CapturedSession, SessionTool } from '../../../src-shared/contract/sessions.ts';
import { counted, formatDuration } from '../../../src-shared/display/numbers.ts';
import { useApi, useRead } from '../../api/index.ts';
import { Action } from '../../ui/fields/controls.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState, Loaded, useAct } from '../../ui/notices/notices.tsx';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';
import { WithPanel, TitledPanel, SidePanel } from '../../ui/panels/panels.tsx';
import {
  codeColumn,
  column,
  DataTable,
  numberColumn,
  textColumn,
} from '../../ui/table/DataTable.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { ReviewLog } from './ReviewLog.tsx';
import { ClientFiles } from '../../saving/ClientFiles.tsx';

const startedColumn = column<CapturedSession>(
  'started',
  'Started',
  150,
  { sortValue: ({ startedAt }) => startedAt },
  ({ startedAt }) => <Time iso={startedAt} focusable={false} />,
);
const sessionColumns = [
  startedColumn,
  textColumn<CapturedSession>(
    'client',
    'Client',
    'minmax(140px, 1fr)',
    ({ client }) => client ?? '',
  ),
  textColumn<CapturedSession>('server', 'Server', 'minmax(140px, 1fr)', ({ server }) => server),
  numberColumn<CapturedSession>('calls', 'Calls', 90, ({ calls }) => calls),
  numberColumn<CapturedSession>('failed', 'Failed', 90, ({ failed }) => failed),
  numberColumn<CapturedSession>('took', 'Took', 110, ({ durationMs }) => durationMs, {
    text: formatDuration,
  }),
];

const toolColumns = [
  codeColumn<SessionTool>(
    'tool',
    'Tool',
    'minmax(200px, 2fr)',
    ({ server, tool }) => `${server}:${tool}`,
  ),
  numberColumn<SessionTool>('calls', 'Calls', 120, ({ calls }) => calls, {
    text: (calls) => (calls === 0 ? 'Never called' : calls),
  }),
  numberColumn<SessionTool>('failed', 'Failed', 90, ({ failed }) => failed),
  numberColumn<SessionTool>('invalid', 'Invalid arguments', 150, ({ invalid }) => invalid),
  numberColumn<SessionTool>('repeated', 'Repeated', 100, ({ repeated }) => repeated, {
    hint: 'Calls with the arguments of an earlier call of the same session.',
  }),
  numberColumn<SessionTool>('median', 'Median', 100, ({ medianMs }) => medianMs, {
    text: formatDuration,
  }),
  numberColumn<SessionTool>('longest', 'Longest', 100, ({ maxMs }) => maxMs, {
    text: formatDuration,
  }),
];

const page = { label: 'Captured sessions', to: '/suites/sessions' };

/** Sessions of real clients that a gateway captured, and cases from one. */
export function SessionsPage() {
  const { client, queries, reread } = useApi();
  const [params, setParams] = useSearchParams();
  const [isAsking, setAsking] = useState(false);
  // Gateways write sessions without telling this program.
  const read = useRead((ask) => ask.sessions.list, {
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const removeAll = useAct(() => client.sessions.removeAll(), {
    onSuccess: async () => {
      setAsking(false);
      await reread(queries.sessions);
    },
  });
  const closeCapture = (): void => {
    setParams({});
    void reread(queries.sessions.list);
  };
  const capture = (): void => setParams({ capture: '' });
  const found = read.data?.sessions ?? [];
  const opened = found.find(({ file }) => file === params.get('of'));
  if (opened !== undefined)
    return (
      <>
        <PageHeader
          crumbs={[{ label: 'Suites', to: '/suites' }, page, { label: opened.server }]}
          title={`Cases from a session with ${opened.server}`}
          subtitle="A server never sees what a person asked for. Write the request of each call, or drop it."
        />
        <ReviewLog
          fileName={`${opened.server}.jsonl`}
          path={opened.file}
          into={null}
          onCancel={() => setParams({})}
        />
      </>
    );
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites', to: '/suites' }, { label: page.label }]}
        title={found.length === 0 ? page.label : counted(found.length, 'captured session')}
        subtitle="What real clients called through a gateway. Secrets are masked. Open a session to make cases of its calls."
        actions={found.length > 0 && <Action label="Delete all" onClick={() => setAsking(true)} />}
        primary={found.length > 0 && <Action label="Capture a client" filled onClick={capture} />}
      />
      <WithPanel panel={params.has('capture') ? <CapturePanel onClose={closeCapture} /> : null}>
        <Loaded query={read} blocks={[200, 200]}>
          {({ sessions, tools }) =>
            sessions.length === 0 ? (
              <EmptyState
                message="No sessions yet. Capture a client: Touchstone connects it to a server, and keeps what it calls."
                action={<Action label="Capture a client" onClick={capture} />}
              />
            ) : (
              <Stack gap="lg">
                <DataTable
                  label="Captured sessions"
                  columns={sessionColumns}
                  rows={sessions}
                  rowKey={({ file }) => file}
                  onOpen={({ file }) => setParams({ of: file })}
                  maxHeight="40vh"
                />
                <TitledPanel title="Tools in these sessions">
                  <DataTable
                    label="Tools in these sessions"
                    columns={toolColumns}
                    rows={tools}
                    rowKey={({ server, tool }) => `${server}:${tool}`}
                    maxHeight="40vh"
                  />
                </TitledPanel>
              </Stack>
            )
          }
        </Loaded>
      </WithPanel>
      {isAsking && (
        <ConfirmDialog
          title="Delete all captured sessions?"
          confirm={`Delete ${counted(found.length, 'session')}`}
          danger
          loading={removeAll.isPending}
          onConfirm={() => removeAll.mutate()}
          onClose={() => setAsking(false)}
        >
          The files are removed. Cases that were made of them stay.
        </ConfirmDialog>
      )}
    </>
  );
}

/** Puts a gateway between a client and one of its servers. */
function CapturePanel({ onClose }: { onClose: () => void }) {
  const [server, setServer] = useState<string | null>(null);
  const servers = useRead((ask) => ask.servers.list);
  const names = (servers.data ?? [])
    .filter(({ config }) => config.transport !== 'skills')
    .map(({ name }) => name);
  return (
    <SidePanel title="Capture a client" onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          The client starts Touchstone in place of the server. Everything passes unchanged, and each
          session is kept in this workspace with secrets masked. Undo restores the client’s file.
        </Text>
        <Select
          label="Server"
          placeholder="Choose a server"
          data={names}
          value={server}
          onChange={setServer}
          searchable
        />
        {server !== null && <CaptureIn server={server} />}
      </Stack>
    </SidePanel>
  );
}

function CaptureIn({ server }: { server: string }) {
  const { client, queries, reread } = useApi();
  const clients = useRead((ask) => ask.sessions.clients, { input: { server }, staleTime: 0 });
  return (
    <Loaded query={clients} blocks={[160]}>
      {(configs) => (
        <ClientFiles
          configs={configs}
          what={`the gateway of ${server}`}
          next="Restart it, and use it as usual."
          onAdd={(config) =>
            client.sessions.addToClient({
              ...{ server, client: config.client, revision: config.revision },
            })
          }
          onUndo={(name) => client.sessions.undoClient({ server, client: name })}
          onSettled={() => reread(queries.sessions.clients)}
        />
      )}
    </Loaded>
  );
}
