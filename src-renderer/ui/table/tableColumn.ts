import type { ReactNode } from 'react';
import type { SortValue } from './tableSort.ts';
import type { Width } from './tableTracks.ts';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /**
   * The value to sort by; a column without it does not sort. Null sorts last in both directions.
   */
  sortValue?: (row: Row) => SortValue;
  /** Pixels, or a CSS grid track such as `minmax(160px, 1fr)`. */
  width?: Width;
  align?: 'left' | 'right' | 'center';
  /** The definition of the heading, if it is a term. */
  hint?: string;
  /** Left out where the table is too narrow for all columns: those with the highest number first. */
  spare?: number;
}
