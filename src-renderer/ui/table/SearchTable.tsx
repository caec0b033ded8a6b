import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { counted } from '../../../src-shared/display/numbers.ts';
import { Action } from '../fields/Action.tsx';
import { SearchField } from '../fields/SearchField.tsx';
import { EmptyState } from '../notices/EmptyState.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';

interface SearchTableProps<Row> extends Omit<
  DataTableProps<Row>,
  'label' | 'toolbar' | 'empty' | 'totalRows'
> {
  /** What a row is, and several of them: `['suite', 'suites']`. */
  noun: readonly [string, string];
  search: string;
  onSearch: (search: string) => void;
  /** Next to the search. */
  filters?: ReactNode;
  /** How many rows match, loaded or not. */
  total: number;
  /** Clears the search and the filters. */
  onShowAll: () => void;
}

/** A list with one line above it: search, filters, and how many match. */
export function SearchTable<Row extends RowData>(props: SearchTableProps<Row>) {
  const { noun, search, onSearch, filters, total, onShowAll, ...table } = props;
  const [one, several] = noun;
  return (
    <DataTable
      {...table}
      label={`${several.charAt(0).toUpperCase()}${several.slice(1)}`}
      totalRows={total}
      toolbar={
        <>
          <SearchField label={`Search ${several}`} value={search} onChange={onSearch} />
          {filters}
          <p className="ts-quiet ts-number">{counted(total, one, several)}</p>
        </>
      }
      empty={
        <EmptyState
          message={`No ${one} matches.`}
          action={<Action label="Show all" onClick={onShowAll} />}
        />
      }
    />
  );
}
