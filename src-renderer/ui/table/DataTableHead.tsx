import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { Tooltip } from '@mantine/core';
import type { Column } from './tableColumn.ts';
import classes from './DataTable.module.css';
import type { Sort } from './tableSort.ts';

interface DataTableHeadProps<Row> {
  columns: readonly Column<Row>[];
  tracks: string;
  sort: Sort | null;
  /** Index of the heading under the cursor. */
  cursor: number | null;
  cellId: (column: number) => string;
  onSort: (column: string) => void;
  allMarked?: boolean;
  onMarkAll?: () => void;
}

/** The sticky row of headings. A click, or Enter, sorts. */
export function DataTableHead<Row>(props: DataTableHeadProps<Row>) {
  const { columns, tracks, sort, cursor, cellId, onSort, allMarked = false, onMarkAll } = props;
  const offset = onMarkAll === undefined ? 1 : 2;
  return (
    <div role="rowgroup" className={classes.head}>
      <div
        role="row"
        aria-rowindex={1}
        className={classes.headRow}
        style={{ gridTemplateColumns: tracks }}
      >
        {onMarkAll !== undefined && (
          <div
            role="columnheader"
            aria-colindex={1}
            aria-label="Marked"
            className={classes.cell}
            data-check
          >
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label="Mark all rows"
              checked={allMarked}
              onChange={onMarkAll}
            />
          </div>
        )}
        {columns.map((column, index) => {
          const sorted = sort?.column === column.id ? sort : null;
          const direction = sorted?.descending === true ? 'descending' : 'ascending';
          const canSort = column.sortValue !== undefined;
          return (
            <div
              key={column.id}
              id={cellId(index)}
              role="columnheader"
              aria-colindex={index + offset}
              {...(canSort ? { 'aria-sort': sorted === null ? ('none' as const) : direction } : {})}
              className={classes.cell}
              data-align={column.align ?? 'left'}
              data-sortable={canSort || undefined}
              data-cursor={cursor === index || undefined}
              {...(canSort ? { onClick: () => onSort(column.id) } : {})}
            >
              {column.hint === undefined ? (
                <span className={classes.headText}>{column.header}</span>
              ) : (
                <Tooltip label={column.hint}>
                  <span className={classes.headText} data-hint>
                    {column.header}
                  </span>
                </Tooltip>
              )}
              {canSort && <SortSign sort={sorted} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function SortSign({ sort }: { sort: Sort | null }) {
  if (sort === null) return <IconArrowsSort size={13} className={classes.sortIdle} aria-hidden />;
  return sort.descending ? (
    <IconArrowDown size={13} aria-hidden />
  ) : (
    <IconArrowUp size={13} aria-hidden />
  );
}
