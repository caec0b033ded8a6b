import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import classes from './DataTable.module.css';
import { DataTableHead } from './DataTableHead.tsx';
import { DataTableRow } from './DataTableRow.tsx';
import type { Place } from './gridKeys.ts';
import type { Column } from './tableColumn.ts';
import { fittingColumns, minWidth, track, wholeColumns, wholeRows } from './tableTracks.ts';
import { compareValues, nextSort, sortable, type Sort } from './tableSort.ts';
import { useGridCursor } from './useGridCursor.ts';

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
  /** If given, the owner holds the sort state. */
  sort?: Sort | null;
  onSort?: (sort: Sort | null) => void;
  /** True if the rows are sorted already: headings only call `onSort`. */
  sortedElsewhere?: boolean;
  /** Search field, filters, count: above the table, in one line. */
  toolbar?: ReactNode;
  /** Shown if there are no rows. */
  empty?: ReactNode;
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

/**
 * A virtualized grid with one tab stop: arrow keys move, Enter opens or sorts, Space marks. Ten
 * thousand rows cost what thirty do.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, rows, rowKey, onOpen, selected = null, toolbar, empty, marked, onMark } = props;
  const { onEndReached } = props;
  const { rowHeight = 36, maxHeight = 'calc(100vh - 260px)', sortedElsewhere = false } = props;
  const [ownSort, setOwnSort] = useState<Sort | null>(null);
  const sort = props.sort === undefined ? ownSort : props.sort;
  const marks = marked !== undefined && onMark !== undefined;
  const { ref: frame, width: room } = useElementSize();
  const columns = useMemo(
    () => fittingColumns(props.columns, room - (marks ? 40 : 0)),
    [props.columns, room, marks],
  );

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

  const onEnter = ({ row, column }: Place): void => {
    const heading = row < 0 ? columns[column] : undefined;
    if (heading?.sortValue !== undefined) changeSort(heading.id);
    const opened = shown[row];
    if (opened !== undefined) onOpen?.(opened.original);
  };
  const onMarkKey = (event: KeyboardEvent, { row }: Place): boolean => {
    const modified = event.ctrlKey || event.metaKey;
    if (modified && event.key.toLowerCase() === 'a' && marks) {
      markAll();
      return true;
    }
    if (modified || event.key !== ' ') return false;
    const marking = shown[row];
    if (row < 0) markAll();
    else if (marking !== undefined) toggleMark(marking.id);
    return true;
  };
  const { active, setCursor, virtual, cellId, gridProps } = useGridCursor({
    rows: shown.length,
    columns: columns.length,
    rowHeight,
    startAt: Math.max(
      0,
      rows.findIndex((row) => rowKey(row) === props.returnTo),
    ),
    takeFocus: props.returnTo != null && rows.length > 0,
    onEnter,
    onOwnKey: onMarkKey,
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEndReached !== undefined && shown.length > 0 && lastIndex >= shown.length - 20)
      onEndReached();
  }, [lastIndex, shown.length, onEndReached]);

  const tracks = [...(marks ? ['40px'] : []), ...columns.map((column) => track(column.width))].join(
    ' ',
  );
  const minTableWidth = columns.reduce(
    (sum, column) => sum + minWidth(column.width),
    marks ? 40 : 0,
  );

  return (
    <div className={classes.frame} ref={frame}>
      {toolbar !== undefined && <div className={classes.toolbar}>{toolbar}</div>}
      {shown.length === 0 && empty !== undefined ? (
        empty
      ) : (
        <div
          {...gridProps}
          aria-label={label}
          aria-rowcount={(props.totalRows ?? shown.length) + 1}
          aria-colcount={columns.length + (marks ? 1 : 0)}
          aria-multiselectable={marks || undefined}
          className={classes.grid}
          style={{ maxHeight: wholeRows(maxHeight, rowHeight) }}
        >
          <div className={classes.content} style={wholeColumns(minTableWidth)}>
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
                      ? { marked: marked.has(row.id), onMark: () => toggleMark(row.id) }
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
