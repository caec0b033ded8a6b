import { Box } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { CapturedSession, SessionTool } from '../../../src-shared/contract/sessions.ts';
import { counted, formatDuration } from '../../../src-shared/display/numbers.ts';
import { useApi, useRead } from '../../api/index.ts';
import { Action } from '../../ui/fields/controls.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EmptyState, Loaded, Notice, useAct } from '../../ui/notices/notices.tsx';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';
import { Section, WithPanel } from '../../ui/panels/panels.tsx';
import {
  codeColumn,
  column,
  DataTable,
  numberColumn,
  textColumn,
} from '../../ui/table/DataTable.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { CapturePanel } from './CapturePanel.tsx';
import { ReviewLog } from './ReviewLog.tsx';

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
  numberColumn<CapturedSession>('failed', 'Failed', 90, ({ failed }) => failed, { spare: 1 }),
  numberColumn<CapturedSession>('took', 'Took', 110, ({ durationMs }) => durationMs, {
    text: formatDuration,
    spare: 2,
  }),
];

const toolColumns = [
  codeColumn<SessionTool>('tool', 'Tool', 'minmax(150px, 2fr)', ({ tool }) => tool),
  textColumn<SessionTool>('server', 'Server', 'minmax(90px, 1fr)', ({ server }) => server),
  numberColumn<SessionTool>('calls', 'Calls', 105, ({ calls }) => calls, {
    text: (calls) => (calls === 0 ? 'Never called' : calls),
  }),
  numberColumn<SessionTool>('failed', 'Failed', 75, ({ failed }) => failed),
  numberColumn<SessionTool>('invalid', 'Invalid arguments', 110, ({ invalid }) => invalid),
  numberColumn<SessionTool>('repeated', 'Repeated', 95, ({ repeated }) => repeated, {
    hint: 'Calls with the arguments of an earlier call of the same session.',
    spare: 1,
  }),
  textColumn<SessionTool>(
    'empty',
    'Shown empty in',
    'minmax(100px, 1fr)',
    (one) => one.emptyIn.join(', '),
    {
      hint: 'Clients in which a model reads nothing of a result of this tool: a link, an image, one long line, or structuredContent alone.',
      spare: 2,
    },
  ),
  numberColumn<SessionTool>('median', 'Median', 80, ({ medianMs }) => medianMs, {
    text: formatDuration,
    spare: 3,
  }),
  numberColumn<SessionTool>('longest', 'Longest', 85, ({ maxMs }) => maxMs, {
    text: formatDuration,
    spare: 4,
  }),
];

const page = { label: 'Captured sessions', to: '/suites/sessions' };

/** Sessions of real clients that a gateway captured, and cases from one. */
export function SessionsPage() {
  const { client, queries, reread } = useApi();
  const [params, setParams] = useSearchParams();
  const [isAsking, setAsking] = useState(false);
  // Gateways write sessions without telling this program, so each way to this page reads them again:
  // also those that lead from it to itself, as from a session back to the list.
  const read = useRead((ask) => ask.sessions.list, { refetchOnWindowFocus: true });
  // An address that is entered has no key of its own.
  const location = useLocation();
  const { refetch } = read;
  const [readFor, setReadFor] = useState<typeof location | null>(null);
  const isNew = useRef(true);
  useEffect(() => {
    // The first way here has asked already. What a later one finds under way may have begun before.
    const cancelRefetch = !isNew.current;
    isNew.current = false;
    // One that was canceled ends with the one that took its place.
    let isLatest = true;
    void refetch({ cancelRefetch }).then(() => {
      if (isLatest) setReadFor(location);
    });
    return () => {
      isLatest = false;
    };
  }, [location, refetch]);
  const removeAll = useAct(() => client.sessions.removeAll(), {
    onSuccess: async () => {
      setAsking(false);
      await reread(queries.sessions);
    },
  });
  const capture = (): void => setParams({ capture: '' });
  const found = read.data?.sessions ?? [];
  const wanted = params.get('of');
  const listed = found.find(({ file }) => file === wanted) ?? null;
  // Requests that a person writes are not lost where another window deletes the session meanwhile.
  const [kept, setKept] = useState<CapturedSession | null>(null);
  if (wanted === null ? kept !== null : listed !== null && listed.file !== kept?.file)
    setKept(listed);
  const opened = listed ?? (kept?.file === wanted ? kept : undefined);
  if (opened !== undefined)
    return (
      <>
        <PageHeader
          crumbs={[{ label: 'Suites', to: '/suites' }, page, { label: opened.server }]}
          title={`Cases from a session with ${opened.server}`}
          subtitle={opened.calls === 0 ? undefined : 'Write the request of each call, or drop it.'}
        />
        {opened.calls === 0 ? (
          <EmptyState
            message="The client called no tool in this session, so there is no case to make."
            action={<Action label="Open another session" to={page.to} />}
          />
        ) : (
          <ReviewLog
            key={opened.file}
            fileName={`${opened.server}.jsonl`}
            path={opened.file}
            into={null}
            onCancel={() => setParams({})}
          />
        )}
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
      <WithPanel
        panel={params.has('capture') ? <CapturePanel onClose={() => setParams({})} /> : null}
      >
        {wanted !== null && read.isSuccess && readFor === location && (
          <Box mb="md">
            <Notice tone="warning">
              That session is no longer there: sessions are kept for 30 days. Open another one, or
              capture a new one.
            </Notice>
          </Box>
        )}
        <Loaded query={read} blocks={[200, 200]}>
          {({ sessions, tools }) =>
            sessions.length === 0 ? (
              <EmptyState
                message="No sessions yet. Capture a client: Touchstone connects it to a server, and keeps what it calls."
                action={<Action label="Capture a client" onClick={capture} />}
              />
            ) : (
              <>
                <DataTable
                  label="Captured sessions"
                  columns={sessionColumns}
                  rows={sessions}
                  rowKey={({ file }) => file}
                  onOpen={({ file }) => setParams({ of: file })}
                  maxHeight="40vh"
                />
                <Section title="Tools in these sessions">
                  <DataTable
                    label="Tools in these sessions"
                    columns={toolColumns}
                    rows={tools}
                    rowKey={({ server, tool }) => `${server}:${tool}`}
                    maxHeight="40vh"
                  />
                </Section>
              </>
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
