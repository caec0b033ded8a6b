import type { ReactNode } from 'react';
import type { SortValue } from './tableSort.ts';
import type { Width } from './tableTracks.ts';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** What the column sorts by; without it the column does not sort. Null sorts last either way. */
  sortValue?: (row: Row) => SortValue;
  /** Pixels, or a track of CSS grid such as `minmax(160px, 1fr)`. */
  width?: Width;
  align?: 'left' | 'right' | 'center';
  /** The definition of the heading, where it is a term. */
  hint?: string;
}
