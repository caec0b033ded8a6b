import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useMemo } from 'react';

interface Page<Row> {
  rows: readonly Row[];
  /** Of all pages. */
  total: number;
}

/** How a list is asked for page by page; what is asked takes the offset. */
export const byPages = {
  initialPageParam: 0,
  getNextPageParam: (last: Page<unknown>, pages: readonly Page<unknown>[]): number | undefined => {
    const read = pages.reduce((sum, { rows }) => sum + rows.length, 0);
    return last.rows.length > 0 && read < last.total ? read : undefined;
  },
  placeholderData: keepPreviousData,
};

/** The rows that were read so far, and how a table asks for more. */
export function usePages<Row>(query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  return {
    rows,
    total: data?.pages[0]?.total ?? 0,
    onEndReached: (): void => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
  };
}
