import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo, useState } from 'react';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { Action } from '../fields/controls.tsx';
import { SearchField } from '../fields/choices.tsx';
import { EmptyState } from '../notices/notices.tsx';
import { Cut } from '../text/Foreign.tsx';
import { PagedGrid, type PagedGridProps, type RowMarks } from './PagedGrid.tsx';
import type { Column } from './tableColumn.ts';
import { compareValues, sortable, type Sort } from './tableSort.ts';
import type { Width } from './tableTracks.ts';

export type { Column } from './tableColumn.ts';

export interface DataTableProps<Row> extends Pick<
  PagedGridProps<Row>,
  'label' | 'columns' | 'rowKey' | 'selected' | 'toolbar' | 'empty'
> {
  rows: readonly Row[];
  onOpen?: (row: Row) => void;
  /** If given, the owner holds the sort state. */
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  /** True if the rows are sorted already: headings only call `onSort`. */
  sortedElsewhere?: boolean;
  /** Keys of marked rows. If given, each row has a check box, and Space marks. */
  marked?: ReadonlySet<string>;
  onMark?: (marked: ReadonlySet<string>) => void;
  /** The number of all rows, if only a part is loaded. */
  totalRows?: number;
  onEndReached?: () => void;
  /**
   * Key of the row to return to: when the table appears, the row is in view and under the cursor,
   * and the table has the focus.
   */
  returnTo?: string | null;
  rowHeight?: number;
  /** Maximum CSS height; the table scrolls inside. */
  maxHeight?: string;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** A grid of rows that are all here, which it sorts and marks. Ten thousand cost what thirty do. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, onOpen, returnTo, totalRows, onEndReached } = props;
  const { rowHeight = 36, maxHeight = 'calc(100vh - 260px)', sortedElsewhere = false } = props;
  const [ownSort, setOwnSort] = useState<Sort | null>(null);
  const sort = props.sort === undefined ? ownSort : props.sort;
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Row> => ({
        id: column.id,
        accessorFn: (row) => sortable(column.sortValue?.(row)),
        sortFn: (a, b, columnId) => compareValues(a.getValue(columnId), b.getValue(columnId)),
        sortUndefined: 'last',
        sortDescFirst: false,
        enableSorting: column.sortValue !== undefined,
      })),
    [columns],
  );
  const sorting = useMemo(
    () => (sort === null ? [] : [{ id: sort.column, desc: sort.descending }]),
    [sort],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowKey,
    state: { sorting },
    manualSorting: sortedElsewhere,
  });
  const shown = table.getRowModel().rows;
  return (
    <PagedGrid
      label={props.label}
      columns={columns}
      total={shown.length}
      announced={totalRows}
      rowAt={(index) => shown[index]?.original}
      rowKey={rowKey}
      onRange={(_first, last) => {
        if (last >= shown.length - 20) onEndReached?.();
      }}
      onOpen={onOpen}
      selected={props.selected ?? null}
      marks={marksOf(
        props,
        shown.map(({ id }) => id),
      )}
      sort={sort}
      onSort={(next) => {
        if (props.sort === undefined) setOwnSort(next);
        props.onSort?.(next);
      }}
      toolbar={props.toolbar}
      empty={props.empty}
      startAt={Math.max(
        0,
        rows.findIndex((row) => rowKey(row) === returnTo),
      )}
      takeFocus={returnTo != null && rows.length > 0}
      rowHeight={rowHeight}
      maxHeight={maxHeight}
    />
  );
}

function marksOf<Row>(
  { marked, onMark }: Pick<DataTableProps<Row>, 'marked' | 'onMark'>,
  keys: readonly string[],
): RowMarks | null {
  if (marked === undefined || onMark === undefined) return null;
  const areAll = keys.length > 0 && keys.every((key) => marked.has(key));
  return {
    has: (key) => marked.has(key),
    toggle: (key) => {
      const next = new Set(marked);
      if (!next.delete(key)) next.add(key);
      onMark(next);
    },
    areAll,
    toggleAll: () => onMark(areAll ? new Set() : new Set(keys)),
  };
}

type More<Row> = Omit<Column<Row>, 'id' | 'header' | 'width' | 'cell'>;

/** A column: how it sorts and looks comes before what its cells show. */
export function column<Row>(
  id: string,
  header: string,
  width: Width,
  more: More<Row>,
  cell: Column<Row>['cell'],
): Column<Row> {
  return { id, header, width, ...more, cell };
}

interface NumberOptions<Row> extends Pick<Column<Row>, 'hint' | 'spare'> {
  /** How it reads; as a count, unless said otherwise. */
  text?: (value: number | null, row: Row) => ReactNode;
}

export const numberColumn = <Row,>(
  id: string,
  header: string,
  width: Width,
  value: (row: Row) => number | null,
  { text = formatCount, ...more }: NumberOptions<Row> = {},
): Column<Row> => ({
  ...{ id, header, width, ...more },
  align: 'right',
  sortValue: value,
  cell: (row) => <span className="ts-number">{text(value(row), row)}</span>,
});

interface TextOptions extends Pick<More<never>, 'hint' | 'spare'> {
  /** False for a text that does not sort the table. */
  sorts?: boolean;
}

const cutColumn =
  (mono: boolean) =>
  <Row,>(
    id: string,
    header: string,
    width: Width,
    text: (row: Row) => string,
    { sorts = true, ...more }: TextOptions = {},
  ): Column<Row> => ({
    ...{ id, header, width, ...more },
    ...(sorts && { sortValue: text }),
    cell: (row) => <Cut text={text(row)} mono={mono} />,
  });

export const textColumn = cutColumn(false);

/** The same for a name or a value as it is written in code. */
export const codeColumn = cutColumn(true);

export interface SearchTableProps<Row> extends Omit<
  DataTableProps<Row>,
  'label' | 'toolbar' | 'totalRows'
> {
  /** The accessible name, if it is not what the rows are. */
  label?: string;
  /** What a row is, and several of them: `['suite', 'suites']`. */
  noun: readonly [string, string];
  search: string;
  onSearch: (search: string) => void;
  /** Next to the search. */
  filters?: ReactNode;
  /** How many rows match, loaded or not; those that are here, unless said otherwise. */
  total?: number;
  /** Says instead of `total` which rows match. */
  count?: string;
  /** What can be done with marked rows, and what explains the rows: after the count. */
  below?: ReactNode;
  /** Clears the search and the filters. */
  onShowAll: () => void;
}

/** A list with one line above it: search, filters, and how many match. */
export function SearchTable<Row extends RowData>(props: SearchTableProps<Row>) {
  const { noun, search, onSearch, filters, count, below, label, onShowAll, ...table } = props;
  const { total = table.rows.length } = props;
  const [one, several] = noun;
  return (
    <DataTable
      {...table}
      label={label ?? `${several.charAt(0).toUpperCase()}${several.slice(1)}`}
      // Rows of one result may be open below it.
      totalRows={Math.max(total, table.rows.length)}
      toolbar={
        <>
          <SearchField label={`Search ${several}`} value={search} onChange={onSearch} />
          {filters}
          <p className="ts-quiet ts-number" aria-live="polite">
            {count ?? counted(total, one, several)}
          </p>
          {below}
        </>
      }
      empty={
        table.empty ?? (
          <EmptyState
            message={`No ${one} matches.`}
            action={<Action label="Show all" onClick={onShowAll} />}
          />
        )
      }
    />
  );
}
