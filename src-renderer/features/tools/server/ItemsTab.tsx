import { Stack, Text } from '@mantine/core';
import { countItems } from '../../../../src-shared/display/itemTexts.ts';
import { itemKindNouns } from '../../../../src-shared/domain/itemKinds.ts';
import { type ToolSignal, itemSignalId, worstSignal } from '../../../api/index.ts';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { EmptyState, Notice } from '../../../ui/notices/notices.tsx';
import { Section, SidePanel } from '../../../ui/panels/panels.tsx';
import { Cut, Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import type { ServerDetail } from './serverDetail.ts';
import { useMemo, useState } from 'react';
import type { Listing } from '../../../../src-shared/contract/servers.ts';
import { itemKey } from '../../../../src-shared/domain/serverItem.ts';
import { SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import {
  SearchTable,
  codeColumn,
  column,
  type Column,
  numberColumn,
  textColumn,
} from '../../../ui/table/DataTable.tsx';
import { SignalList } from '../../../ui/badges/SignalList.tsx';
import { Fields } from '../../../ui/fields/Fields.tsx';

interface ItemsTabProps {
  listing: NonNullable<ServerDetail['listing']>;
  selected: string | null;
  signals: ReadonlyMap<string, ToolSignal[]>;
  onItem: (item: ListedItem) => void;
}

/** What a server offers besides tools: its prompts, resources and resource templates. */
export function ItemsTab({ listing, selected, signals, onItem }: ItemsTabProps) {
  const { items } = listing;
  const lists = listing.listing.items;
  if (lists === undefined)
    return <EmptyState message="Prompts and resources appear here after the next check." />;
  const failed = lists.filter(({ status }) => status === 'failed');
  const rejected = lists.flatMap(({ kind, rejected: own }) =>
    own.map((each) => ({ ...each, kind })),
  );
  if (lists.every(({ status }) => status === 'not offered'))
    return <EmptyState message="The server announces no prompts and no resources." />;
  return (
    <Stack gap="md">
      {failed.map(({ kind, error }) => (
        <Notice key={kind} tone="warning">
          <Text>The {itemKindNouns[kind]}s could not be listed. The tools are not affected.</Text>
          <Text size="sm" mt={4}>
            <Foreign text={error ?? ''} limit={600} />
          </Text>
        </Notice>
      ))}
      {items.length > 0 && <p style={{ margin: 0 }}>{summary(items)}</p>}
      <ItemTable items={items} selected={selected} signals={signals} onOpen={onItem} />
      {rejected.length > 0 && (
        <Section title={`Rejected: ${counted(rejected.length, 'entry', 'entries')}`}>
          <ul style={{ margin: 0, paddingLeft: 20 }}>
            {rejected.map(({ kind, name, reason }, index) => (
              <li key={index}>
                {itemKindNouns[kind]}{' '}
                <Foreign as="span" className="ts-mono" text={name} limit={200} />
                {': '}
                <Foreign text={reason} limit={400} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Stack>
  );
}

/** Their number and size. Tools are counted elsewhere, so that no sum mixes the two. */
function summary(items: readonly ListedItem[]): string {
  const counts = items.flatMap(({ tokenCount }) => tokenCount ?? []);
  const tokens = formatCount(counts.reduce((sum, count) => sum + count, 0));
  const uncounted = items.length - counts.length;
  return (
    `${countItems(items)}. Their lists have ${tokens} tokens` +
    (uncounted > 0 ? `, without ${counted(uncounted, 'entry', 'entries')} not counted yet` : '') +
    '. A model doesn’t choose among them, so the numbers of the tools don’t include them.'
  );
}

export type ListedItem = Listing['items'][number];

export const itemId = (item: ListedItem): string => `${item.kind} ${itemKey(item)}`;

const none = <span className="ts-quiet">–</span>;

const columns: Column<ListedItem>[] = [
  textColumn('kind', 'Kind', 140, ({ kind }) => itemKindNouns[kind]),
  codeColumn('name', 'Name', 'minmax(140px, 1fr)', ({ name }) => name),
  column(
    'description',
    'Description',
    'minmax(160px, 2fr)',
    { spare: 1, sortValue: ({ description }) => description },
    ({ description }) => (description === '' ? none : <Cut text={description} />),
  ),
  {
    id: 'uri',
    spare: 4,
    header: 'Address',
    hint: 'The URI of a resource, or the pattern of a resource template.',
    cell: ({ uri }) => (uri === null ? none : <Cut text={uri} mono />),
    sortValue: ({ uri }) => uri ?? '',
    width: 'minmax(140px, 1fr)',
  },
  numberColumn('tokens', 'Tokens', 90, ({ tokenCount }) => tokenCount, {
    spare: 3,
    hint: 'Of its entry in the list of the server, in cl100k_base. In no sum of the tools.',
    text: (tokens) => (tokens === null ? none : formatCount(tokens)),
  }),
];

export const signalsOf = (
  signals: ReadonlyMap<string, ToolSignal[]>,
  item: ListedItem,
): ToolSignal[] => signals.get(itemSignalId({ kind: item.kind, key: itemKey(item) })) ?? [];

const signalColumn = (signals: ReadonlyMap<string, ToolSignal[]>): Column<ListedItem> => ({
  id: 'signals',
  spare: 2,
  header: 'Signals',
  hint: 'Findings of the security detectors. No signal doesn’t mean safe.',
  cell: (item) => {
    const worst = worstSignal(signalsOf(signals, item));
    return worst === null ? none : <SeverityBadge {...worst} />;
  },
  sortValue: (item) => signalsOf(signals, item).filter(({ accepted }) => accepted === null).length,
  width: 110,
});

interface ItemTableProps {
  items: readonly ListedItem[];
  selected: string | null;
  signals: ReadonlyMap<string, ToolSignal[]>;
  onOpen: (item: ListedItem) => void;
}

function ItemTable({ items, selected, signals, onOpen }: ItemTableProps) {
  const [search, setSearch] = useState('');
  const shownColumns = useMemo(() => [...columns, signalColumn(signals)], [signals]);
  const wanted = search.trim().toLowerCase();
  const shown = items.filter(({ name, title, description, uri }) =>
    `${name} ${title ?? ''} ${description} ${uri ?? ''}`.toLowerCase().includes(wanted),
  );
  const size = counted(items.length, 'entry', 'entries');
  if (items.length === 0)
    return <EmptyState message="The server lists no prompts and no resources." />;
  return (
    <SearchTable
      noun={['entry', 'prompts and resources']}
      columns={shownColumns}
      rows={shown}
      rowKey={itemId}
      onOpen={onOpen}
      selected={selected}
      maxHeight="60vh"
      search={search}
      onSearch={setSearch}
      count={shown.length === items.length ? size : `${formatCount(shown.length)} of ${size}`}
      onShowAll={() => setSearch('')}
    />
  );
}

/** Everything that a server says about one prompt, resource or resource template. */
export function ItemPanel(props: {
  item: ListedItem;
  signals: readonly ToolSignal[];
  onClose: () => void;
}) {
  const { item, signals, onClose } = props;
  const { kind, name, title, description, uri, mimeType, tokenCount, hash } = item;
  return (
    <SidePanel
      title={<PlainText as="span" className="ts-mono" text={name} />}
      subtitle={title ?? undefined}
      onClose={onClose}
      contentKey={hash}
    >
      {description === '' ? (
        <Text c="dimmed">This {itemKindNouns[kind]} has no description.</Text>
      ) : (
        <Foreign text={description} block />
      )}
      <div style={{ margin: '16px 0' }}>
        <Fields
          rows={[
            { name: 'Kind', value: itemKindNouns[kind] },
            ...(uri === null
              ? []
              : [{ name: 'Address', value: <Foreign text={uri} limit={2_000} /> }]),
            ...(mimeType === null
              ? []
              : [{ name: 'Media type', value: <Foreign text={mimeType} limit={200} /> }]),
            { name: 'Tokens', value: tokenCount === null ? '–' : formatCount(tokenCount) },
            { name: 'Content hash', value: <span className="ts-mono">{hash.slice(0, 16)}</span> },
          ]}
        />
      </div>
      {item.arguments.length > 0 && (
        <>
          <Text size="sm" fw={600} mb={4}>
            Arguments
          </Text>
          <Fields
            rows={item.arguments.map((argument) => ({
              name: `${argument.name}${argument.required ? ' (required)' : ''}`,
              value: argument.description ?? 'no description',
            }))}
          />
        </>
      )}
      {signals.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="md" mb={4}>
            Signals
          </Text>
          <SignalList signals={signals} />
        </>
      )}
    </SidePanel>
  );
}
