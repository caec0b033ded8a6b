import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './DataTable.module.css';
import { DataTableHead } from './DataTableHead.tsx';
import { DataTableRow } from './DataTableRow.tsx';
import { moveInGrid, type Place } from './gridKeys.ts';
import type { Column } from './tableColumn.ts';
import { nextSort, type Sort } from './tableSort.ts';
import { minWidth, track } from './tableTracks.ts';
import { useGridRows } from './useGridRows.ts';
import { dialogIsOpen } from '../keyboard/dialogIsOpen.ts';

interface PagedGridProps<Row> {
  /** The accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  /** Rows in all, loaded or not. */
  total: number;
  /** A row where it is loaded. */
  rowAt: (index: number) => Row | undefined;
  rowKey: (row: Row) => string;
  /** Tells which rows are in view, first and last, so that they can be loaded. */
  onRange: (first: number, last: number) => void;
  onOpen: (row: Row) => void;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  toolbar?: ReactNode;
  empty: ReactNode;
  /**
   * The row that one comes back to, by its place: it is in view and has the cursor when the grid
   * appears, and the focus if asked for.
   */
  startAt: number;
  takeFocus: boolean;
  rowHeight: number;
  maxHeight: string;
}

/**
 * A grid over more rows than anyone loads: it holds those in view, whichever part one scrolls to.
 * Keys as in DataTable.
 */
export function PagedGrid<Row>(props: PagedGridProps<Row>) {
  const {
    label,
    columns,
    total,
    rowAt,
    rowKey,
    onRange,
    onOpen,
    sort,
    onSort,
    toolbar,
    empty,
    startAt,
    takeFocus,
    rowHeight,
    maxHeight,
  } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Place>({ row: startAt, column: 0 });
  const active: Place = {
    row: Math.min(cursor.row, total - 1),
    column: Math.min(cursor.column, columns.length - 1),
  };

  const virtual = useGridRows({ count: total, scroller, rowHeight, active: active.row });
  const items = virtual.getVirtualItems();
  const seen = items.filter(({ index }) => index !== active.row);
  const [first, last] = [seen[0]?.index ?? active.row, seen.at(-1)?.index ?? active.row];

  useEffect(() => {
    if (total > 0) onRange(Math.max(0, first), Math.max(0, last));
  }, [first, last, total, onRange]);

  useEffect(() => {
    if (startAt > 0) virtual.scrollToIndex(startAt, { align: 'center' });
    if (takeFocus && !dialogIsOpen()) scroller.current?.focus({ preventScroll: true });
    // Once, when the grid appears; afterwards the cursor is the reader's.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey)
      return;
    if (event.key === 'Enter') {
      event.preventDefault();
      const column = columns[active.column];
      const row = active.row < 0 ? undefined : rowAt(active.row);
      if (active.row < 0 && column?.sortValue !== undefined) onSort(nextSort(sort, column.id));
      if (row !== undefined) onOpen(row);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 360) / rowHeight) - 2);
    const next = moveInGrid(event.key, active, { rows: total, columns: columns.length, page });
    if (next === null) return;
    event.preventDefault();
    setCursor(next);
    if (next.row >= 0) virtual.scrollToIndex(next.row, { align: 'auto' });
  };

  const tracks = columns.map((column) => track(column.width)).join(' ');
  const cellId = (row: number, column: number): string => `${id}-${row}-${column}`;
  return (
    <div className={classes.frame}>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      {total === 0 ? (
        empty
      ) : (
        <div
          ref={scroller}
          role="grid"
          aria-label={label}
          aria-rowcount={total + 1}
          aria-colcount={columns.length}
          aria-activedescendant={cellId(active.row, active.column)}
          tabIndex={0}
          className={classes.grid}
          style={{ maxHeight }}
          onKeyDown={onKeyDown}
        >
          <div
            style={{ minWidth: columns.reduce((sum, column) => sum + minWidth(column.width), 0) }}
          >
            <DataTableHead
              columns={columns}
              tracks={tracks}
              sort={sort}
              cursor={active.row < 0 ? active.column : null}
              cellId={(column) => cellId(-1, column)}
              onSort={(column) => {
                onSort(nextSort(sort, column));
              }}
            />
            <div
              role="rowgroup"
              className={classes.body}
              style={{ height: virtual.getTotalSize() }}
            >
              {items.map(({ index, start }) => {
                const row = rowAt(index);
                const place = {
                  index,
                  top: start,
                  height: rowHeight,
                  tracks,
                  cellId: (column: number) => cellId(index, column),
                  cursor: index === active.row ? active.column : null,
                  selected: false,
                };
                if (row === undefined)
                  return (
                    <DataTableRow
                      key={`wait ${index}`}
                      {...place}
                      row={null}
                      columns={waiting(columns.length)}
                      openable={false}
                      onPress={() => undefined}
                    />
                  );
                return (
                  <DataTableRow
                    key={rowKey(row)}
                    {...place}
                    row={row}
                    columns={columns}
                    openable
                    onPress={(column) => {
                      setCursor({ row: index, column });
                      onOpen(row);
                    }}
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

/** Cells of a row that is on its way. */
function waiting(count: number): Column<null>[] {
  return Array.from({ length: count }, (_, at) => ({
    id: String(at),
    header: '',
    cell: () => (at === 0 ? <span aria-label="Loading">…</span> : null),
  }));
}
