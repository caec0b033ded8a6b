import { keepPreviousData, useQueries, useQuery, type QueryKey } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { ErrorNotice, LoadingSkeleton } from '../../../ui/notices/notices.tsx';
import { PagedGrid, type GridHandle } from '../../../ui/table/PagedGrid.tsx';

const pageSize = 100;
const pollMs = 2000;

interface Page {
  offset: number;
  limit: number;
}

export interface RunList<Row> {
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
function useRunPages<Row>(list: RunList<Row>): RunPages<Row> {
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

interface RunsGridProps<Row> extends Pick<
  ComponentProps<typeof PagedGrid<Row>>,
  'columns' | 'onOpen' | 'sort' | 'onSort' | 'takeFocus' | 'rowHeight' | 'maxHeight' | 'empty'
> {
  /** What a row is, in the singular and for the whole list: `case`, `Cases`. */
  noun: string;
  label: string;
  list: RunList<Row>;
  /** What is above the rows, given their number. */
  toolbar?: (total: number | null) => ReactNode;
}

/** Runs of cases or tasks, loaded page by page; a row opens its run, and j and k step. */
export function RunsGrid<Row extends { runId: string }>(props: RunsGridProps<Row>) {
  const { noun, label, list, toolbar, ...shown } = props;
  const grid = useRef<GridHandle>(null);
  const { total, rowAt, show, error, retry } = useRunPages(list);
  useShortcut('j', () => grid.current?.step('ArrowDown'), `Next ${noun} in the list`);
  useShortcut('k', () => grid.current?.step('ArrowUp'), `Previous ${noun} in the list`);
  return (
    <>
      <ErrorNotice error={error} onRetry={retry} />
      {total === null || list.startAt === null ? (
        error === null && (
          <LoadingSkeleton blocks={[32, 320]} label={`Loading ${label.toLowerCase()}`} />
        )
      ) : (
        <PagedGrid
          key={list.name}
          ref={grid}
          label={label}
          total={total}
          rowAt={rowAt}
          rowKey={({ runId }) => runId}
          onRange={show}
          startAt={list.startAt}
          {...(toolbar && { toolbar: toolbar(total) })}
          {...shown}
        />
      )}
    </>
  );
}
