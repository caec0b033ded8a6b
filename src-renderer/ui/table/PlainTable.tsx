import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface PlainTableProps extends Pick<
  TableProps,
  'mt' | 'fz' | 'verticalSpacing' | 'horizontalSpacing' | 'withTableBorder' | 'stickyHeader'
> {
  label?: string;
  heads: readonly ReactNode[];
  /** The indexes of columns with numbers. */
  numeric?: readonly number[];
  rows: readonly {
    key: string | number;
    cells: readonly ReactNode[];
    /** The row that sums up the others. */
    bold?: boolean;
    /** The row whose details are shown. */
    current?: boolean;
  }[];
  caption?: ReactNode;
  /** True if the first cell of a row names it. */
  named?: boolean;
  /** The width in pixels below which it scrolls sideways. */
  least?: number;
}

/** A table of few rows that neither sort nor open. */
export function PlainTable(props: PlainTableProps) {
  const { label, heads, numeric = [], rows, caption, named = false, least, ...look } = props;
  const end = (at: number) => numeric.includes(at) && { ta: 'right' as const };
  const table = (
    <Table
      withTableBorder
      verticalSpacing="xs"
      horizontalSpacing="md"
      style={{ background: 'var(--ts-raised)', ...(least !== undefined && { minWidth: least }) }}
      {...(least === undefined && { 'aria-label': label })}
      {...look}
    >
      {caption !== undefined && <Table.Caption>{caption}</Table.Caption>}
      <Table.Thead>
        <Table.Tr>
          {heads.map((head, at) => (
            <Table.Th key={at} {...end(at)}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells, bold = false, current = false }) => (
          <Table.Tr
            key={key}
            {...(bold && { fw: 600 })}
            {...(current && { 'aria-current': 'true' as const, bg: 'var(--ts-accent-soft)' })}
          >
            {cells.map((cell, at) => {
              const isName = named && at === 0;
              const Cell = isName ? Table.Th : Table.Td;
              return (
                <Cell
                  key={at}
                  {...(isName && { scope: 'row', fw: 450 })}
                  {...end(at)}
                  {...(numeric.includes(at) && { className: 'ts-number' })}
                >
                  {cell}
                </Cell>
              );
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  return least === undefined ? (
    table
  ) : (
    <div style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={label}>
      {table}
    </div>
  );
}
