import { keepPreviousData, useQueries, useQuery, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';

const pageSize = 100;
const pollMs = 2000;

interface Page {
  offset: number;
  limit: number;
}

interface RunList<Row> {
  /** Identifies filter and order: another name is another list. */
  name: string;
  /** Whether its evaluation has ended; until then, it is read again. */
  ended: boolean;
  /** The index of the first row in view; null until it is known. */
  startAt: number | null;
  keyOf: (page: Page) => QueryKey;
  load: (page: Page, options: { signal: AbortSignal }) => Promise<{ rows: Row[]; total: number }>;
}

interface RunPages<Row> {
  /** Null until the first page has loaded. */
  total: number | null;
  rowAt: (index: number) => Row | undefined;
  show: (first: number, last: number) => void;
  error: unknown;
  retry: () => void;
}

/** Loads runs by page, only those in view, so that row 100,000 costs the same as row 1. */
export function useRunPages<Row>(list: RunList<Row>): RunPages<Row> {
  const { name, startAt } = list;
  const [range, setRange] = useState({ name, first: 0, last: 0 });
  const shown = range.name === name ? range : { first: startAt ?? 0, last: startAt ?? 0 };
  const [from, to] = [Math.floor(shown.first / pageSize), Math.floor(shown.last / pageSize)];
  const wanted =
    startAt === null
      ? []
      : Array.from({ length: Math.min(8, to - from + 1) }, (_, at) => from + at);
  const pageQuery = (page: Page) => ({
    queryKey: list.keyOf(page),
    queryFn: ({ signal }: { signal: AbortSignal }) => list.load(page, { signal }),
    refetchInterval: list.ended ? (false as const) : pollMs,
  });
  // Loaded separately: the pages in view change, but the length of the list doesn't.
  const count = useQuery({
    ...pageQuery({ offset: 0, limit: 1 }),
    placeholderData: keepPreviousData,
  });
  const pages = useQueries({
    queries: wanted.map((page) => pageQuery({ offset: page * pageSize, limit: pageSize })),
  });
  const loaded = new Map(wanted.map((page, at) => [page, pages[at]?.data?.rows]));
  const pageOf = (index: number): number => Math.floor(index / pageSize);
  const show = (first: number, last: number): void =>
    setRange((now) =>
      now.name === name && pageOf(now.first) === pageOf(first) && pageOf(now.last) === pageOf(last)
        ? now
        : { name, first, last },
    );
  return {
    total: count.data?.total ?? null,
    rowAt: (index) => loaded.get(Math.floor(index / pageSize))?.[index % pageSize],
    show,
    error: count.error ?? pages.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      void count.refetch();
      for (const page of pages) void page.refetch();
    },
  };
}
