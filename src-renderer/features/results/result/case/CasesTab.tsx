import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import type { RunSort } from '../../../../../src-shared/domain/runSorts.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../../ui/notices/ErrorNotice.tsx';
import { LoadingSkeleton } from '../../../../ui/notices/LoadingSkeleton.tsx';
import { PagedGrid, type GridHandle } from '../../../../ui/table/PagedGrid.tsx';
import { useShortcut } from '../../../../ui/keyboard/useShortcut.ts';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { nameModels } from '../../modelNames.ts';
import { caseColumns } from './caseColumns.tsx';
import { CaseFilters } from './CaseFilters.tsx';
import {
  plainAddress,
  runsQuestion,
  withAllCases,
  writeAddress,
  type ResultAddress,
} from './resultAddress.ts';
import { nameLabels } from '../../../../../src-shared/display/toolNames.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../../api/index.ts';

/** The case whose page the user comes back from. */
function returnedFrom(state: unknown): string | null {
  return typeof state === 'object' &&
    state !== null &&
    'from' in state &&
    typeof state.from === 'string'
    ? state.from
    : null;
}

interface CasesTabProps {
  evaluation: Evaluation;
  numbers: ResultNumbers;
  verdict: Verdict;
  address: ResultAddress;
  onChange: (change: Partial<ResultAddress>) => void;
}

/** All runs that match the filters, loaded page by page while scrolling. */
export function CasesTab({ evaluation, numbers, verdict, address, onChange }: CasesTabProps) {
  const navigate = useNavigate();
  const returnTo = returnedFrom(useLocation().state);
  const { ref, width } = useElementSize();
  const narrow = width > 0 && width < 620;
  const grid = useRef<GridHandle>(null);
  const paged = useRunPages(evaluation, address);
  const labels = numbers.confusion.labels;
  const nameOf = useMemo(() => nameLabels(labels), [labels]);
  const { settings } = evaluation;
  const models = useMemo(() => nameModels(evaluation.models), [evaluation.models]);
  const columns = useMemo(
    () => caseColumns({ nameOf, models, repetitions: settings.repetitions, narrow }),
    [nameOf, models, settings.repetitions, narrow],
  );
  useShortcut(
    'j',
    () => {
      grid.current?.step('ArrowDown');
    },
    'Next case in the list',
  );
  useShortcut(
    'k',
    () => {
      grid.current?.step('ArrowUp');
    },
    'Previous case in the list',
  );

  const filters = (
    <CaseFilters
      address={address}
      verdict={verdict}
      total={paged.total}
      nameOf={nameOf}
      onChange={onChange}
    />
  );
  const all = (): void => {
    onChange(withAllCases(address));
  };
  return (
    <div ref={ref}>
      {paged.error !== null && <ErrorNotice error={paged.error} onRetry={paged.retry} />}
      {paged.total === null || paged.startAt === null ? (
        paged.error === null && <LoadingSkeleton blocks={[32, 320]} label="Loading cases" />
      ) : (
        <PagedGrid
          key={paged.name}
          ref={grid}
          label="Cases"
          columns={columns}
          total={paged.total}
          rowAt={paged.rowAt}
          rowKey={(row) => row.runId}
          onRange={paged.show}
          startAt={paged.startAt}
          takeFocus={returnTo !== null}
          onOpen={(row) => {
            void navigate(
              `/results/${evaluation.id}/runs/${row.runId}?${writeAddress({ ...address, at: null }).toString()}`,
            );
          }}
          sort={
            address.sort === plainAddress.sort && !address.descending
              ? null
              : { column: address.sort, descending: address.descending }
          }
          onSort={(sort) => {
            onChange(
              sort === null
                ? { sort: plainAddress.sort, descending: false }
                : { sort: sort.column as RunSort, descending: sort.descending },
            );
          }}
          rowHeight={52}
          maxHeight="max(360px, calc(100vh - 430px))"
          toolbar={filters}
          empty={
            <EmptyState
              message="No case matches this filter."
              action={
                <Button variant="default" onClick={all}>
                  Show all cases
                </Button>
              }
            />
          }
        />
      )}
    </div>
  );
}

const pageSize = 100;
const pollMs = 2000;

interface RunPages {
  /** Identifies filter and order: another name is another list. */
  name: string;
  /** Null until the first page has loaded. */
  total: number | null;
  /** Null until the start position is known. */
  startAt: number | null;
  rowAt: (index: number) => RunRow | undefined;
  show: (first: number, last: number) => void;
  error: unknown;
  retry: () => void;
}

/** Loads runs by page, only those in view, so that row 100,000 costs the same as row 1. */
function useRunPages(evaluation: Evaluation, address: ResultAddress): RunPages {
  const { queries } = useApi();
  const question = runsQuestion(address);
  const name = JSON.stringify(question);
  const ended = hasEnded(evaluation.state);
  const [range, setRange] = useState({ name, first: 0, last: 0 });
  const found = useQuery(
    queries.evaluations.runPlace.queryOptions({
      input: { id: evaluation.id, ...question, runId: address.at ?? '' },
      enabled: address.at !== null,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
  );
  const startAt =
    address.at === null || found.isError
      ? 0
      : found.data === undefined
        ? null
        : (found.data.index ?? 0);
  const shown = range.name === name ? range : { first: startAt ?? 0, last: startAt ?? 0 };
  const [from, to] = [Math.floor(shown.first / pageSize), Math.floor(shown.last / pageSize)];
  const wanted =
    startAt === null
      ? []
      : Array.from({ length: Math.min(8, to - from + 1) }, (_, at) => from + at);
  // Loaded separately: the pages in view change, but the length of the list doesn't.
  const count = useQuery(
    queries.evaluations.runs.queryOptions({
      input: { id: evaluation.id, ...question, offset: 0, limit: 1 },
      placeholderData: keepPreviousData,
      refetchInterval: ended ? false : pollMs,
    }),
  );
  const pages = useQueries({
    queries: wanted.map((page) => ({
      ...queries.evaluations.runs.queryOptions({
        input: { id: evaluation.id, ...question, offset: page * pageSize, limit: pageSize },
      }),
      refetchInterval: ended ? (false as const) : pollMs,
    })),
  });
  const loaded = new Map(wanted.map((page, at) => [page, pages[at]?.data?.rows]));
  const pageOf = (index: number): number => Math.floor(index / pageSize);
  const show = (first: number, last: number): void => {
    setRange((now) =>
      now.name === name && pageOf(now.first) === pageOf(first) && pageOf(now.last) === pageOf(last)
        ? now
        : { name, first, last },
    );
  };
  return {
    name,
    total: count.data?.total ?? null,
    startAt,
    rowAt: (index) => loaded.get(Math.floor(index / pageSize))?.[index % pageSize],
    show,
    error: count.error ?? pages.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      void count.refetch();
      for (const page of pages) void page.refetch();
    },
  };
}
