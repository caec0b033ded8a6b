import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { counted } from '../../../src-shared/display/numbers.ts';
import { Action } from '../fields/Action.tsx';
import { SearchField } from '../fields/SearchField.tsx';
import { EmptyState } from '../notices/notices.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';

export interface SearchTableProps<Row> extends Omit<
  DataTableProps<Row>,
  'label' | 'toolbar' | 'totalRows'
> {
  /** The accessible name, if it is not what the rows are. */
  label?: string;
  /** What a row is, and several of them: `['suite', 'suites']`. */
  noun: readonly [string, string];
  search: string;
  onSearch: (search: string) => void;
  /** Next to the search. */
  filters?: ReactNode;
  /** How many rows match, loaded or not; those that are here, unless said otherwise. */
  total?: number;
  /** Says instead of `total` which rows match. */
  count?: string;
  /** What can be done with marked rows, and what explains the rows: after the count. */
  below?: ReactNode;
  /** Clears the search and the filters. */
  onShowAll: () => void;
}

/** A list with one line above it: search, filters, and how many match. */
export function SearchTable<Row extends RowData>(props: SearchTableProps<Row>) {
  const { noun, search, onSearch, filters, count, below, label, onShowAll, ...table } = props;
  const { total = table.rows.length } = props;
  const [one, several] = noun;
  return (
    <DataTable
      {...table}
      label={label ?? `${several.charAt(0).toUpperCase()}${several.slice(1)}`}
      // Rows of one result may be open below it.
      totalRows={Math.max(total, table.rows.length)}
      toolbar={
        <>
          <SearchField label={`Search ${several}`} value={search} onChange={onSearch} />
          {filters}
          <p className="ts-quiet ts-number" aria-live="polite">
            {count ?? counted(total, one, several)}
          </p>
          {below}
        </>
      }
      empty={
        table.empty ?? (
          <EmptyState
            message={`No ${one} matches.`}
            action={<Action label="Show all" onClick={onShowAll} />}
          />
        )
      }
    />
  );
}
