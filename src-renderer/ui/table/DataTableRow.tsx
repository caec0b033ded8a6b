import type { Column } from './tableColumn.ts';
import classes from './DataTable.module.css';

interface DataTableRowProps<Row> {
  row: Row;
  index: number;
  top: number;
  height: number;
  tracks: string;
  columns: readonly Column<Row>[];
  cellId: (column: number) => string;
  /** The column under the cursor, if the cursor is in this row. */
  cursor: number | null;
  selected: boolean;
  openable: boolean;
  onPress: (column: number) => void;
  marked?: boolean;
  onMark?: () => void;
}

export function DataTableRow<Row>(props: DataTableRowProps<Row>) {
  const { row, index, top, height, tracks, columns, cellId, cursor, selected, openable } = props;
  const { onPress, marked = false, onMark } = props;
  const offset = onMark === undefined ? 1 : 2;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={onMark === undefined ? selected : marked}
      className={classes.row}
      data-selected={selected || undefined}
      data-cursor={cursor !== null || undefined}
      data-openable={openable || undefined}
      style={{ gridTemplateColumns: tracks, height, transform: `translateY(${top}px)` }}
    >
      {onMark !== undefined && (
        <div role="gridcell" aria-colindex={1} className={classes.cell} data-check>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Mark row ${index + 1}`}
            checked={marked}
            onChange={onMark}
          />
        </div>
      )}
      {columns.map((column, at) => (
        <div
          key={column.id}
          id={cellId(at)}
          role="gridcell"
          aria-colindex={at + offset}
          className={classes.cell}
          data-align={column.align ?? 'left'}
          data-cursor={cursor === at || undefined}
          onClick={() => onPress(at)}
        >
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}
