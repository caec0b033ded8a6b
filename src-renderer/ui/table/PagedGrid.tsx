import { useElementSize } from '@mantine/hooks';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react';
import classes from './DataTable.module.css';
import { DataTableHead } from './DataTableHead.tsx';
import { DataTableRow } from './DataTableRow.tsx';
import type { Place } from '../keyboard/gridKeys.ts';
import type { Column } from './tableColumn.ts';
import { nextSort, type Sort } from './tableSort.ts';
import { fittingColumns, minWidth, track, wholeColumns, wholeRows } from './tableTracks.ts';
import { useGridCursor } from './useGridCursor.ts';
import { EmptyState } from '../notices/notices.tsx';

/** What a screen can ask of a grid that it shows. */
export interface GridHandle {
  /** Focuses the grid; if it has the focus already, moves the cursor by one row. */
  step: (key: 'ArrowDown' | 'ArrowUp') => void;
}

export interface RowMarks {
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  areAll: boolean;
  toggleAll: () => void;
}

export interface PagedGridProps<Row> {
  /** The accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  /** The number of rows, loaded or not. */
  total: number;
  /** The number that is announced, if there are more rows than the grid has. */
  announced?: number | undefined;
  /** The row at an index, if it is loaded. */
  rowAt: (index: number) => Row | undefined;
  rowKey: (row: Row) => string;
  /** Called with the first and last visible row, so that they can be loaded. */
  onRange?: (first: number, last: number) => void;
  onOpen?: ((row: Row) => void) | undefined;
  /** Key of the row whose details are open. */
  selected?: string | null;
  marks?: RowMarks | null;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  /** Search field, filters, count: above the table, in one line. */
  toolbar?: ReactNode;
  /** Shown if there are no rows: one sentence, or an empty state with an action. */
  empty?: ReactNode;
  /**
   * The index of the row to return to: when the grid appears, it is in view and under the cursor.
   */
  startAt: number;
  takeFocus: boolean;
  rowHeight: number;
  maxHeight: string;
  ref?: Ref<GridHandle>;
}

const markWidth = 40;

const emptyView = (empty: ReactNode): ReactNode =>
  typeof empty === 'string' ? <EmptyState message={empty} /> : empty;

/**
 * A virtualized grid with one tab stop over more rows than are loaded: it renders only those in
 * view, and the columns that it has room for. Arrow keys move, Enter opens or sorts, Space marks.
 */
export function PagedGrid<Row>(props: PagedGridProps<Row>) {
  const { label, total, rowAt, rowKey, onRange, onOpen, sort, onSort, toolbar } = props;
  const { empty, startAt, takeFocus, rowHeight, maxHeight, ref, selected = null } = props;
  const { marks = null } = props;
  const { ref: frame, width: room } = useElementSize();
  const taken = marks === null ? 0 : markWidth;
  const columns = useMemo(
    () => fittingColumns(props.columns, room - taken),
    [props.columns, room, taken],
  );
  /** A row that was opened before it was loaded. */
  const awaited = useRef<number | null>(null);
  const onMarkKey = (event: KeyboardEvent, { row }: Place): boolean => {
    const modified = event.ctrlKey || event.metaKey;
    const isAll = modified && event.key.toLowerCase() === 'a' && marks !== null;
    if (!isAll && (modified || event.key !== ' ')) return false;
    const marked = rowAt(row);
    if (isAll || row < 0) marks?.toggleAll();
    else if (marked !== undefined) marks?.toggle(rowKey(marked));
    return true;
  };
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
      if (opened !== undefined) onOpen?.(opened);
      awaited.current = row >= 0 && opened === undefined ? row : null;
    },
    onOwnKey: onMarkKey,
  });
  // It opens as soon as it is there, unless the cursor has moved on.
  useEffect(() => {
    if (awaited.current === null) return;
    const arrived = awaited.current === active.row ? rowAt(active.row) : undefined;
    if (arrived === undefined && awaited.current === active.row) return;
    awaited.current = null;
    if (arrived !== undefined) onOpen?.(arrived);
  });
  useImperativeHandle(ref, () => ({ step }));
  const items = virtual.getVirtualItems();
  const seen = items.filter(({ index }) => index !== active.row);
  const [first, last] = [seen[0]?.index ?? active.row, seen.at(-1)?.index ?? active.row];

  useEffect(() => {
    if (total > 0) onRange?.(Math.max(0, first), Math.max(0, last));
  }, [first, last, total, onRange]);

  const widths = columns.map(({ width }) => width);
  const tracks = [...(marks === null ? [] : [`${markWidth}px`]), ...widths.map(track)].join(' ');
  const needed = widths.reduce<number>((sum, width) => sum + minWidth(width), taken);
  return (
    <div className={classes.frame} ref={frame}>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      {total === 0 && empty !== undefined ? (
        emptyView(empty)
      ) : (
        <div
          {...gridProps}
          aria-label={label}
          aria-rowcount={(props.announced ?? total) + 1}
          aria-colcount={columns.length + (marks === null ? 0 : 1)}
          aria-multiselectable={marks !== null || undefined}
          className={classes.grid}
          style={{ maxHeight: wholeRows(maxHeight, rowHeight) }}
        >
          <div className={classes.content} style={wholeColumns(needed)}>
            <DataTableHead
              columns={columns}
              tracks={tracks}
              sort={sort}
              cursor={active.row < 0 ? active.column : null}
              cellId={(column) => cellId(-1, column)}
              onSort={(column) => onSort(nextSort(sort, column))}
              {...(marks !== null && { allMarked: marks.areAll, onMarkAll: marks.toggleAll })}
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
                };
                if (row === undefined)
                  return (
                    <DataTableRow
                      key={`wait ${index}`}
                      {...rowProps}
                      row={null}
                      columns={waiting(columns.length)}
                      selected={false}
                      openable={false}
                      onPress={() => undefined}
                    />
                  );
                const key = rowKey(row);
                return (
                  <DataTableRow
                    key={key}
                    {...rowProps}
                    row={row}
                    columns={columns}
                    selected={key === selected}
                    openable={onOpen !== undefined}
                    onPress={(column) => {
                      setCursor({ row: index, column });
                      onOpen?.(row);
                    }}
                    {...(marks !== null && {
                      marked: marks.has(key),
                      onMark: () => marks.toggle(key),
                    })}
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
