import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import classes from './DataTable.module.css';
import { DataTableHead } from './DataTableHead.tsx';
import { DataTableRow } from './DataTableRow.tsx';
import { moveInGrid, type Place } from './gridKeys.ts';
import type { Column } from './tableColumn.ts';
import { minWidth, track } from './tableTracks.ts';
import { compareValues, nextSort, sortable, type Sort } from './tableSort.ts';
import { useGridRows } from './useGridRows.ts';
import { dialogIsOpen } from '../keyboard/dialogIsOpen.ts';

export type { Column } from './tableColumn.ts';

export interface DataTableProps<Row> {
  /** The accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  onOpen?: (row: Row) => void;
  /** Key of the row whose details are open. */
  selected?: string | null;
  /** Given: the owner holds the sort state. */
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  /**
   * True where the rows come sorted already: headings ask through `onSort` and nothing is reordered
   * here.
   */
  sortedElsewhere?: boolean;
  /** Search field, filters, count: above the table, in one line. */
  toolbar?: ReactNode;
  /** Instead of rows where there are none. */
  empty?: ReactNode;
  /** Keys of marked rows; given, each row has a check box and Space marks. */
  marked?: ReadonlySet<string>;
  onMark?: (marked: ReadonlySet<string>) => void;
  /** Rows in all, where only a part is loaded. */
  totalRows?: number;
  onEndReached?: () => void;
  /**
   * Key of the row that one comes back to: it is in view and has the cursor, and the table the
   * focus, when the table appears.
   */
  returnTo?: string | null;
  rowHeight?: number;
  /** CSS height at most; the table scrolls within. */
  maxHeight?: string;
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/**
 * A virtualised grid with one tab stop: arrows move, Enter opens or sorts, Space marks; ten
 * thousand rows cost what thirty do.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    onOpen,
    selected = null,
    toolbar,
    empty,
    marked,
    onMark,
    onEndReached,
  } = props;
  const { rowHeight = 36, maxHeight = 'calc(100vh - 260px)', sortedElsewhere = false } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [ownSort, setOwnSort] = useState<Sort | null>(null);
  const [cursor, setCursor] = useState<Place>(() => ({
    row: Math.max(
      0,
      rows.findIndex((row) => rowKey(row) === props.returnTo),
    ),
    column: 0,
  }));
  const sort = props.sort === undefined ? ownSort : props.sort;
  const marks = marked !== undefined && onMark !== undefined;

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
  const active: Place = {
    row: Math.min(cursor.row, shown.length - 1),
    column: Math.min(cursor.column, columns.length - 1),
  };

  const virtual = useGridRows({ count: shown.length, scroller, rowHeight, active: active.row });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? -1;

  useEffect(() => {
    if (onEndReached !== undefined && shown.length > 0 && lastIndex >= shown.length - 20)
      onEndReached();
  }, [lastIndex, shown.length, onEndReached]);

  useEffect(() => {
    if (props.returnTo == null || rows.length === 0) return;
    virtual.scrollToIndex(active.row, { align: 'center' });
    if (!dialogIsOpen()) scroller.current?.focus({ preventScroll: true });
    // Once, when the table appears; afterwards the cursor is the reader's.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  const changeSort = (column: string): void => {
    const next = nextSort(sort, column);
    if (props.sort === undefined) setOwnSort(next);
    props.onSort?.(next);
  };
  const toggleMark = (key: string): void => {
    if (!marks) return;
    const next = new Set(marked);
    if (!next.delete(key)) next.add(key);
    onMark(next);
  };
  const allMarked = marks && shown.length > 0 && shown.every((row) => marked.has(row.id));
  const markAll = (): void => {
    if (marks) onMark(allMarked ? new Set() : new Set(shown.map((row) => row.id)));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const here = shown[active.row];
    const column = columns[active.column];
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a' && marks) {
      event.preventDefault();
      markAll();
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (active.row < 0 && column?.sortValue !== undefined) changeSort(column.id);
      if (here !== undefined) onOpen?.(here.original);
      return;
    }
    if (event.key === ' ') {
      event.preventDefault();
      if (active.row < 0) markAll();
      else if (here !== undefined) toggleMark(here.id);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 360) / rowHeight) - 2);
    const next = moveInGrid(event.key, active, {
      rows: shown.length,
      columns: columns.length,
      page,
    });
    if (next === null) return;
    event.preventDefault();
    setCursor(next);
    if (next.row >= 0) virtual.scrollToIndex(next.row, { align: 'auto' });
  };

  const tracks = [...(marks ? ['40px'] : []), ...columns.map((column) => track(column.width))].join(
    ' ',
  );
  const least = columns.reduce((sum, column) => sum + minWidth(column.width), marks ? 40 : 0);
  const cellId = (row: number, column: number): string => `${id}-${row}-${column}`;

  return (
    <div className={classes.frame}>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      {shown.length === 0 && empty !== undefined ? (
        empty
      ) : (
        <div
          ref={scroller}
          role="grid"
          aria-label={label}
          aria-rowcount={(props.totalRows ?? shown.length) + 1}
          aria-colcount={columns.length + (marks ? 1 : 0)}
          aria-multiselectable={marks || undefined}
          aria-activedescendant={cellId(active.row, active.column)}
          tabIndex={0}
          className={classes.grid}
          style={{ maxHeight }}
          onKeyDown={onKeyDown}
        >
          <div style={{ minWidth: least }}>
            <DataTableHead
              columns={columns}
              tracks={tracks}
              sort={sort}
              cursor={active.row < 0 ? active.column : null}
              cellId={(column) => cellId(-1, column)}
              onSort={changeSort}
              {...(marks ? { allMarked, onMarkAll: markAll } : {})}
            />
            <div
              role="rowgroup"
              className={classes.body}
              style={{ height: virtual.getTotalSize() }}
            >
              {items.map((item) => {
                const row = shown[item.index];
                if (row === undefined) return null;
                return (
                  <DataTableRow
                    key={row.id}
                    row={row.original}
                    index={item.index}
                    top={item.start}
                    height={rowHeight}
                    tracks={tracks}
                    columns={columns}
                    cellId={(column) => cellId(item.index, column)}
                    cursor={item.index === active.row ? active.column : null}
                    selected={row.id === selected}
                    onPress={(columnIndex) => {
                      setCursor({ row: item.index, column: columnIndex });
                      onOpen?.(row.original);
                    }}
                    openable={onOpen !== undefined}
                    {...(marks
                      ? {
                          marked: marked.has(row.id),
                          onMark: () => {
                            toggleMark(row.id);
                          },
                        }
                      : {})}
                  />
                );
              })}
            </div>
          </div>
        </div>
      )}
    </div>
  );
}
