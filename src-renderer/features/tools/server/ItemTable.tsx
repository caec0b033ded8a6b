import { useMemo, useState } from 'react';
import { Action } from '../../../ui/fields/Action.tsx';
import type { Listing } from '../../../../src-shared/contract/servers.ts';
import { itemKindNouns } from '../../../../src-shared/domain/itemKinds.ts';
import { itemKey } from '../../../../src-shared/domain/serverItem.ts';
import { itemSignalId, type ToolSignal, worstSignal } from '../../../api/index.ts';
import { SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { column, codeColumn } from '../../../ui/table/columns.tsx';

export type ListedItem = Listing['items'][number];

/** What identifies an item on the page of its server. */
export const itemId = (item: ListedItem): string => `${item.kind} ${itemKey(item)}`;

const none = <span className="ts-quiet">–</span>;

const columns: Column<ListedItem>[] = [
  {
    id: 'kind',
    header: 'Kind',
    cell: ({ kind }) => itemKindNouns[kind],
    sortValue: ({ kind }) => itemKindNouns[kind],
    width: 140,
  },
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
  {
    id: 'tokens',
    spare: 3,
    header: 'Tokens',
    hint: 'Of its entry in the list of the server, in cl100k_base. In no sum of the tools.',
    cell: ({ tokenCount }) => (tokenCount === null ? none : formatCount(tokenCount)),
    sortValue: ({ tokenCount }) => tokenCount ?? -1,
    width: 90,
    align: 'right',
  },
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

export function ItemTable({ items, selected, signals, onOpen }: ItemTableProps) {
  const [search, setSearch] = useState('');
  const shownColumns = useMemo(() => [...columns, signalColumn(signals)], [signals]);
  const wanted = search.trim().toLowerCase();
  const shown = items.filter(({ name, title, description, uri }) =>
    `${name} ${title ?? ''} ${description} ${uri ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <DataTable
      label="Prompts and resources"
      columns={shownColumns}
      rows={shown}
      rowKey={itemId}
      onOpen={onOpen}
      selected={selected}
      maxHeight="60vh"
      toolbar={
        <>
          <SearchField label="Search prompts and resources" value={search} onChange={setSearch} />
          <p className="ts-quiet ts-number">
            {shown.length === items.length
              ? counted(items.length, 'entry', 'entries')
              : `${formatCount(shown.length)} of ${counted(items.length, 'entry', 'entries')}`}
          </p>
        </>
      }
      empty={
        <EmptyState
          message={
            items.length === 0
              ? 'The server lists no prompts and no resources.'
              : `Nothing matches “${search}”.`
          }
          {...(items.length === 0
            ? {}
            : {
                action: <Action label="Show all" onClick={() => setSearch('')} />,
              })}
        />
      }
    />
  );
}
