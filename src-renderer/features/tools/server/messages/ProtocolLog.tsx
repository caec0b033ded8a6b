import {
  ListFilter,
  Action,
  SearchField,
  options,
  ticked,
} from '../../../../ui/fields/controls.tsx';
import { Checkbox, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState, useEffect } from 'react';
import {
  formatBytes,
  formatCount,
  formatDuration,
  counted,
} from '../../../../../src-shared/display/numbers.ts';
import type {
  ProtocolMessage,
  ProtocolMessages,
} from '../../../../../src-shared/domain/protocolMessage.ts';
import { useApi, follow } from '../../../../api/index.ts';
import { StatusBadge } from '../../../../ui/badges/StatusBadge.tsx';
import { ErrorNotice, LoadingSkeleton } from '../../../../ui/notices/notices.tsx';
import { Section, WithPanel } from '../../../../ui/panels/panels.tsx';
import {
  codeColumn,
  column,
  type Column,
  DataTable,
  numberColumn,
} from '../../../../ui/table/DataTable.tsx';
import { Cut, visibleText } from '../../../../ui/text/Foreign.tsx';
import type { ServerDetail } from '../serverDetail.ts';
import { MessagePanel } from './MessagePanel.tsx';
import {
  directionWords,
  filterMessages,
  messageName,
  type MessageFilter,
  methodsIn,
  timeOfDay,
  addPage,
} from './messageTexts.ts';

const columns: Column<ProtocolMessage>[] = [
  { id: 'time', header: 'Time', cell: ({ at }) => timeOfDay(at), width: 112 },
  { id: 'from', header: 'Direction', cell: ({ from }) => directionWords[from], width: 104 },
  column('message', 'Message', 'minmax(180px, 1fr)', { sortValue: messageName }, (message) =>
    message.failed ? (
      <>
        <StatusBadge tone="bad" label="Failed:" compact /> <Cut text={messageName(message)} />
      </>
    ) : (
      <Cut text={messageName(message)} />
    ),
  ),
  codeColumn('preview', 'Content', 'minmax(160px, 2fr)', ({ preview }) => preview, {
    sorts: false,
  }),
  column(
    'id',
    'ID',
    90,
    { spare: 3, hint: 'The id of the message. An answer has that of its request.' },
    ({ messageId }) => (messageId === null ? '–' : <Cut text={messageId} />),
  ),
  numberColumn('duration', 'Duration', 90, ({ durationMs }) => durationMs, {
    spare: 4,
    hint: 'From the request to its answer.',
    text: formatDuration,
  }),
  numberColumn('size', 'Size', 90, ({ bytes }) => bytes, {
    spare: 5,
    hint: 'Of the whole message. 1 kB = 1,000 bytes.',
    text: (_value, { bytes }) => (bytes === 0 ? '–' : formatBytes(bytes)),
  }),
];

const everything: MessageFilter = { from: null, method: null, failedOnly: false };

/** What this program and the server send each other, as it happens. */
export function ProtocolLog({ detail }: { detail: ServerDetail }) {
  const { server, listing } = detail;
  const { client } = useApi();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const [isPaused, setPaused] = useState(false);
  const [filter, setFilter] = useState(everything);
  const [openSeq, setOpenSeq] = useState<number | null>(null);
  /** A call was sent again after this line: its answer opens as soon as it is there. */
  const [awaited, setAwaited] = useState<number | null>(null);
  const { log, error } = useMessages(server.id, search, isPaused);
  const clear = useMutation({
    mutationFn: () => client.servers.clearMessages({ id: server.id }),
    onSuccess: () => setOpenSeq(null),
  });
  const messages = log?.messages ?? [];
  const isEmpty = log !== null && log.lastSeq < log.firstSeq;
  const arrived =
    awaited === null
      ? undefined
      : messages.find(
          ({ seq, answers, method }) =>
            seq > awaited && answers !== null && method === 'tools/call',
        );
  if (arrived !== undefined) {
    setAwaited(null);
    setOpenSeq(arrived.seq);
  }
  const shown = filterMessages(messages, filter);
  const open = messages.find(({ seq }) => seq === openSeq) ?? null;
  const other =
    open === null
      ? undefined
      : messages.find(({ seq, answers }) => answers === open.seq || seq === open.answers);
  const change = (part: Partial<MessageFilter>): void => setFilter({ ...filter, ...part });
  const openMessage = ({ seq }: ProtocolMessage): void => {
    setAwaited(null);
    setOpenSeq(seq);
  };

  return (
    <Section title="Messages">
      <Text size="sm" c="dimmed" mb="sm">
        What Touchstone and this server send each other in checks, listings and single calls, kept
        in memory until Touchstone is closed. Evaluations aren’t recorded, and secrets are hidden.
      </Text>
      <ErrorNotice error={error} />
      {log === null && error === null && <LoadingSkeleton blocks={[160]} />}
      {log !== null && (
        <WithPanel
          panel={
            open !== null && (
              <MessagePanel
                key={open.seq}
                serverId={server.id}
                message={open}
                other={other ?? null}
                annotations={
                  listing?.tools.find(({ name }) => name === open.tool)?.annotations ?? null
                }
                onOther={openMessage}
                onSent={() => {
                  setPaused(false);
                  setTyped('');
                  setFilter(everything);
                  setAwaited(log.lastSeq);
                }}
                onClose={() => setOpenSeq(null)}
              />
            )
          }
        >
          <DataTable
            label="Messages"
            columns={columns}
            rows={shown}
            rowKey={({ seq }) => String(seq)}
            onOpen={openMessage}
            selected={open === null ? null : String(open.seq)}
            maxHeight="60vh"
            toolbar={
              (!isEmpty || isPaused) && (
                <>
                  <SearchField label="Search messages" value={typed} onChange={setTyped} />
                  <ListFilter
                    w={140}
                    label="Direction"
                    placeholder="Both directions"
                    data={options({ client: directionWords.client, server: directionWords.server })}
                    value={filter.from}
                    onChange={(from) => change({ from })}
                  />
                  <ListFilter
                    w={190}
                    label="Method"
                    placeholder="All methods"
                    data={methodsIn(messages).map((method) => ({
                      value: method,
                      label: visibleText(method),
                    }))}
                    value={filter.method}
                    onChange={(method) => change({ method })}
                  />
                  <Checkbox
                    size="xs"
                    label="Errors only"
                    {...ticked(filter.failedOnly, (failedOnly) => change({ failedOnly }))}
                  />
                  <Action
                    label={isPaused ? 'Resume' : 'Pause'}
                    size="xs"
                    icon={isPaused ? IconPlayerPlay : IconPlayerPause}
                    onClick={() => setPaused(!isPaused)}
                  />
                  <Action
                    label="Clear"
                    size="xs"
                    icon={IconTrash}
                    disabled={isEmpty}
                    onClick={() => clear.mutate()}
                  />
                  <p className="ts-quiet ts-number">
                    {counted(shown.length, 'line')}
                    {log.dropped > 0 && `, ${formatCount(log.dropped)} older dropped`}
                  </p>
                </>
              )
            }
            empty={
              isEmpty
                ? 'Messages appear here as soon as Touchstone connects to the server.'
                : 'No message matches.'
            }
          />
        </WithPanel>
      )}
    </Section>
  );
}

const nothing: ProtocolMessages = { messages: [], firstSeq: 1, lastSeq: 0, dropped: 0 };

/** What is in the log of a server and matches the search; null until it is known. */
function useMessages(
  id: string,
  search: string,
  isPaused: boolean,
): { log: ProtocolMessages | null; error: unknown } {
  const { client } = useApi();
  const [log, setLog] = useState<ProtocolMessages | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (isPaused) return undefined;
    const reading = new AbortController();
    const { signal } = reading;
    // A search, or a pause, may have left lines out: all that is kept is read again.
    let read = nothing;
    follow(
      () => client.servers.messages({ id, afterSeq: read.lastSeq, search }, { signal }),
      (page) => {
        read = addPage(read, page);
        setLog(read);
      },
      signal,
    ).catch(setError);
    return () => {
      reading.abort();
    };
  }, [client, id, search, isPaused]);
  return { log, error };
}
