import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ResultGroup } from '../../../../src-shared/contract/results.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { ResultSort } from '../../../../src-shared/domain/runSorts.ts';
import { useApi } from '../../../api/index.ts';

export interface ResultsFilter {
  unit: EvaluationUnit | null;
  /** Its name. */
  suite: string | null;
  /** `provider/model`. */
  model: string | null;
  search: string;
  /** Null: the newest first. */
  sort: ResultSort | null;
  descending: boolean;
}

const pageSize = 100;
export const pollMs = 1500;

export const isGroupRunning = ({ lead, derived }: ResultGroup): boolean =>
  [lead, ...derived].some(({ evaluation }) => !hasEnded(evaluation.state));

/** The results that fit, in pages, read again while one runs. */
export function useResults(filter: ResultsFilter) {
  const { queries } = useApi();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    queries.results.list.infiniteOptions({
      input: (offset: number) => ({ ...filter, offset, limit: pageSize }),
      initialPageParam: 0,
      getNextPageParam: ({ groups, total }, pages) => {
        const read = pages.reduce((sum, page) => sum + page.groups.length, 0);
        return groups.length > 0 && read < total ? read : undefined;
      },
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ groups }) => groups.some(isGroupRunning)) === true
          ? pollMs
          : false,
    }),
  );
  const list = useMemo(() => {
    const last = data?.pages.at(-1);
    return last && { ...last, groups: data?.pages.flatMap(({ groups }) => groups) ?? [] };
  }, [data]);
  const more = useCallback((): void => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { data: list, error, refetch, more };
}
