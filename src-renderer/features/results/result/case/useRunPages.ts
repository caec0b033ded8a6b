import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../../api/index.ts';
import { type ResultAddress, runsQuestion } from './resultAddress.ts';

const pageSize = 100;
const pollMs = 2000;

export interface RunPages {
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
export function useRunPages(evaluation: Evaluation, address: ResultAddress): RunPages {
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
