import type { ReactNode } from 'react';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { Cut } from '../text/Cut.tsx';
import type { Column } from './tableColumn.ts';
import type { Width } from './tableTracks.ts';

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

interface NumberOptions<Row> {
  hint?: string;
  /** How it reads; as a count, unless said otherwise. */
  text?: (value: number | null, row: Row) => ReactNode;
}

/** A column with a number that sorts the table. */
export const numberColumn = <Row,>(
  id: string,
  header: string,
  width: Width,
  value: (row: Row) => number | null,
  { text = formatCount, hint }: NumberOptions<Row> = {},
): Column<Row> => ({
  ...{ id, header, width, ...(hint !== undefined && { hint }) },
  align: 'right',
  sortValue: value,
  cell: (row) => <span className="ts-number">{text(value(row), row)}</span>,
});

interface TextOptions {
  hint?: string;
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
    { hint, sorts = true }: TextOptions = {},
  ): Column<Row> => ({
    ...{ id, header, width, ...(hint !== undefined && { hint }) },
    ...(sorts && { sortValue: text }),
    cell: (row) => <Cut text={text(row)} mono={mono} />,
  });

/** A column with a text on one line. */
export const textColumn = cutColumn(false);

/** The same for a name or a value as it is written in code. */
export const codeColumn = cutColumn(true);
