import { Action, options, ticked } from '../../../../ui/fields/controls.tsx';
import { SearchField } from '../../../../ui/fields/choices.tsx';
import { ListFilter } from '../../../../ui/fields/ListFilter.tsx';
import { Checkbox, Text, Group } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPause, IconPlayerPlay, IconTrash, IconRepeat } from '@tabler/icons-react';
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
import { useApi, follow, useRead } from '../../../../api/index.ts';
import { StatusBadge } from '../../../../ui/badges/StatusBadge.tsx';
import { ErrorNotice, LoadingSkeleton, Loaded } from '../../../../ui/notices/notices.tsx';
import { Section, WithPanel, SidePanel } from '../../../../ui/panels/panels.tsx';
import {
  codeColumn,
  column,
  type Column,
  DataTable,
  numberColumn,
} from '../../../../ui/table/DataTable.tsx';
import { Cut, visibleText } from '../../../../ui/text/Foreign.tsx';
import type { ServerDetail } from '../serverDetail.ts';
import {
  directionWords,
  filterMessages,
  messageName,
  type MessageFilter,
  methodsIn,
  timeOfDay,
  addPage,
  indentJson,
} from '../../../../../src-shared/display/messageTexts.ts';
import { effectOf, effectWords } from '../../../../../src-shared/display/toolEffect.ts';
import type { JsonObject } from '../../../../../src-shared/domain/json.ts';
import { ConfirmCall } from '../../../../ui/arguments/ConfirmCall.tsx';
import { Fields } from '../../../../ui/fields/Fields.tsx';
import { CodeView } from '../../../../ui/text/CodeView.tsx';

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

interface MessagePanelProps {
  serverId: string;
  message: ProtocolMessage;
  /** The answer of a request, or the request of an answer, if it is in the list. */
  other: ProtocolMessage | null;
  /** What the server says about the tool of a call; null if it isn't in its last listing. */
  annotations: JsonObject | null;
  onOther: (message: ProtocolMessage) => void;
  /** Called when a call was sent again. */
  onSent: () => void;
  onClose: () => void;
}

/** One line of the log, whole. A call can be sent again. */
function MessagePanel(props: MessagePanelProps) {
  const { serverId, message, other, annotations, onOther, onSent, onClose } = props;
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const input = { id: serverId, seq: message.seq };
  const text = useRead((ask) => ask.servers.message, { input, staleTime: Infinity });
  const repeat = useMutation({
    mutationFn: () => client.servers.repeatCall(input),
    onMutate: onSent,
    onSettled: () =>
      cache.invalidateQueries({ queryKey: queries.servers.get.key({ input: { id: serverId } }) }),
  });
  const effect = effectOf(annotations);
  const isCall = message.kind === 'request' && message.from === 'client' && message.tool !== null;
  return (
    <SidePanel
      title={messageName(message)}
      subtitle={`${directionWords[message.from]}, ${timeOfDay(message.at)}`}
      contentKey={String(message.seq)}
      takeFocus={false}
      onClose={onClose}
    >
      <Group gap="sm" mb="sm">
        {other !== null && (
          <Action
            label={other.answers === message.seq ? 'Show its answer' : 'Show its request'}
            size="xs"
            onClick={() => onOther(other)}
          />
        )}
        {isCall && !message.isCut && (
          <Action
            label="Send again"
            size="xs"
            icon={IconRepeat}
            loading={repeat.isPending}
            onClick={() => {
              if (effect === 'destroys') setAsking(true);
              else repeat.mutate();
            }}
          />
        )}
      </Group>
      <ErrorNotice error={repeat.error} />
      <Fields rows={factsOf(message)} />
      <Loaded query={text} blocks={[160]}>
        {(found) => (
          <>
            <CodeView text={indentJson(found.text)} label={cutLabel(message)} maxHeight={480} />
            {isAsking && (
              <ConfirmCall
                tool={message.tool ?? ''}
                effect={effectWords.destroys}
                args={argumentsIn(found.text)}
                onCall={() => repeat.mutate()}
                onClose={() => setAsking(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

const cutLabel = ({ isCut, bytes }: ProtocolMessage): string =>
  isCut ? `Message, the beginning of ${formatBytes(bytes)}` : 'Message';

function factsOf({ connection, messageId, durationMs, bytes }: ProtocolMessage) {
  return [
    { name: 'Connection', value: String(connection) },
    ...(messageId === null ? [] : [{ name: 'ID', value: messageId }]),
    ...(durationMs === null ? [] : [{ name: 'Answered after', value: formatDuration(durationMs) }]),
    ...(bytes === 0 ? [] : [{ name: 'Size', value: formatBytes(bytes) }]),
  ];
}

/** The arguments of a call as they are shown, with hidden secrets. */
function argumentsIn(text: string): unknown {
  const { params } = JSON.parse(text) as { params: JsonObject };
  return params['arguments'] ?? {};
}
