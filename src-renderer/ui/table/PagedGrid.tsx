import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import classes from './DataTable.module.css';
import { DataTableHead } from './DataTableHead.tsx';
import { DataTableRow } from './DataTableRow.tsx';
import type { Column } from './tableColumn.ts';
import { nextSort, type Sort } from './tableSort.ts';
import { minWidth, track, wholeColumns, wholeRows } from './tableTracks.ts';
import { useGridCursor } from './useGridCursor.ts';

/** What a screen can ask of a grid that it shows. */
export interface GridHandle {
  /** Focuses the grid; if it has the focus already, moves the cursor by one row. */
  step: (key: 'ArrowDown' | 'ArrowUp') => void;
}

interface PagedGridProps<Row> {
  /** The accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  /** The number of all rows, loaded or not. */
  total: number;
  /** The row at an index, if it is loaded. */
  rowAt: (index: number) => Row | undefined;
  rowKey: (row: Row) => string;
  /** Called with the first and last visible row, so that they can be loaded. */
  onRange: (first: number, last: number) => void;
  onOpen: (row: Row) => void;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  toolbar?: ReactNode;
  empty: ReactNode;
  /**
   * The index of the row to return to: when the grid appears, it is in view and under the cursor.
   */
  startAt: number;
  takeFocus: boolean;
  rowHeight: number;
  maxHeight: string;
  ref?: Ref<GridHandle>;
}

/** A grid over more rows than are loaded: it renders only those in view. Keys as in DataTable. */
export function PagedGrid<Row>(props: PagedGridProps<Row>) {
  const { label, columns, total, rowAt, rowKey, onRange, onOpen, sort, onSort, toolbar } = props;
  const { empty, startAt, takeFocus, rowHeight, maxHeight, ref } = props;
  /** A row that was opened before it was loaded. */
  const awaited = useRef<number | null>(null);
  const { active, setCursor, virtual, cellId, step, gridProps } = useGridCursor({
    rows: total,
    columns: columns.length,
    rowHeight,
    startAt,
    takeFocus,
    onEnter: ({ row, column }) => {
      const heading = row < 0 ? columns[column] : undefined;
      if (heading?.sortValue !== undefined) onSort(nextSort(sort, heading.id));
      const opened = row < 0 ? undefined : rowAt(row);
      if (opened !== undefined) onOpen(opened);
      awaited.current = row >= 0 && opened === undefined ? row : null;
    },
  });
  // It opens as soon as it is there, unless the cursor has moved on.
  useEffect(() => {
    if (awaited.current === null) return;
    const arrived = awaited.current === active.row ? rowAt(active.row) : undefined;
    if (arrived === undefined && awaited.current === active.row) return;
    awaited.current = null;
    if (arrived !== undefined) onOpen(arrived);
  });
  useImperativeHandle(ref, () => ({ step }));
  const items = virtual.getVirtualItems();
  const seen = items.filter(({ index }) => index !== active.row);
  const [first, last] = [seen[0]?.index ?? active.row, seen.at(-1)?.index ?? active.row];

  useEffect(() => {
    if (total > 0) onRange(Math.max(0, first), Math.max(0, last));
  }, [first, last, total, onRange]);

  const tracks = columns.map((column) => track(column.width)).join(' ');
  return (
    <div className={classes.frame}>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      {total === 0 ? (
        empty
      ) : (
        <div
          {...gridProps}
          aria-label={label}
          aria-rowcount={total + 1}
          aria-colcount={columns.length}
          className={classes.grid}
          style={{ maxHeight: wholeRows(maxHeight, rowHeight) }}
        >
          <div
            className={classes.content}
            style={wholeColumns(columns.reduce((sum, column) => sum + minWidth(column.width), 0))}
          >
            <DataTableHead
              columns={columns}
              tracks={tracks}
              sort={sort}
              cursor={active.row < 0 ? active.column : null}
              cellId={(column) => cellId(-1, column)}
              onSort={(column) => onSort(nextSort(sort, column))}
            />
            <div
              role="rowgroup"
              className={classes.body}
              style={{ height: virtual.getTotalSize() }}
            >
              {items.map(({ index, start }) => {
                const row = rowAt(index);
                const rowProps = {
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
                      {...rowProps}
                      row={null}
                      columns={waiting(columns.length)}
                      openable={false}
                      onPress={() => undefined}
                    />
                  );
                return (
                  <DataTableRow
                    key={rowKey(row)}
                    {...rowProps}
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

/** The columns of a row that is being loaded. */
function waiting(count: number): Column<null>[] {
  return Array.from({ length: count }, (_, at) => ({
    id: String(at),
    header: '',
    cell: () => (at === 0 ? <span aria-label="Loading">…</span> : null),
  }));
}
