import type { ReactNode } from 'react';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { Column } from './DataTable.tsx';

interface NumberColumn<Row> extends Omit<Column<Row>, 'align' | 'sortValue' | 'cell'> {
  value: (row: Row) => number | null;
  /** How it reads; as a count, unless said otherwise. */
  text?: (value: number | null, row: Row) => ReactNode;
}

/** A column with a number that sorts the table. */
export function numberColumn<Row>({
  value,
  text = formatCount,
  ...column
}: NumberColumn<Row>): Column<Row> {
  return {
    ...column,
    align: 'right',
    sortValue: value,
    cell: (row) => <span className="ts-number">{text(value(row), row)}</span>,
  };
}
