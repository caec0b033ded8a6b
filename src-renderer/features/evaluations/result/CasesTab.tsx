import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type Evaluation, hasEnded } from '../../../../src-shared/domain/evaluation.ts';
import { useApi } from '../../../api/index.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { useShortcut } from '../../../ui/useShortcut.ts';
import type { ResultNumbers } from '../live/liveNumbers.ts';
import { nameModels } from '../modelNames.ts';
import { caseColumns } from './caseColumns.tsx';
import { CaseFilters } from './CaseFilters.tsx';
import { plainAddress, type ResultAddress, type RunSort, runsQuestion, withAllCases, writeAddress } from './resultAddress.ts';
import { nameLabels } from './toolNames.ts';

const pageSize = 100;
const pollMs = 2000;

/** The case that one comes back from, as its page left it. */
function cameFrom(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'from' in state && typeof state.from === 'string' ? state.from : null;
}

interface CasesTabProps {
  evaluation: Evaluation;
  numbers: ResultNumbers;
  address: ResultAddress;
  onChange: (change: Partial<ResultAddress>) => void;
}

/** Every run that the filter leaves, read page by page as one scrolls. */
export function CasesTab({ evaluation, numbers, address, onChange }: CasesTabProps) {
  const { queries } = useApi();
  const navigate = useNavigate();
  const returnTo = cameFrom(useLocation().state);
  const { ref, width } = useElementSize();
  const narrow = width > 0 && width < 620;
  const place = useRef<HTMLDivElement>(null);
  const question = runsQuestion(address);
  const runs = useInfiniteQuery(
    queries.evaluations.runs.infiniteOptions({
      input: (offset: number) => ({ id: evaluation.id, ...question, offset, limit: pageSize }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const read = pages.reduce((sum, page) => sum + page.rows.length, 0);
        return last.rows.length > 0 && read < last.total ? read : undefined;
      },
      placeholderData: keepPreviousData,
      refetchInterval: hasEnded(evaluation.state) ? false : pollMs,
    }),
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = runs;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const labels = numbers.confusion.labels;
  const nameOf = useMemo(() => nameLabels(labels), [labels]);
  const { settings } = evaluation;
  const models = useMemo(() => nameModels(evaluation.models), [evaluation.models]);
  const columns = useMemo(
    () => caseColumns({ nameOf, models, repetitions: settings.repetitions, narrow }),
    [nameOf, models, settings.repetitions, narrow],
  );
  const press = (key: string): void => {
    const grid = place.current?.querySelector<HTMLElement>('[role="grid"]');
    if (grid === null || grid === undefined) return;
    // The first press leads into the list, the next ones along it.
    if (document.activeElement !== grid) grid.focus();
    else grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
  useShortcut('j', () => { press('ArrowDown'); }, 'Next case in the list');
  useShortcut('k', () => { press('ArrowUp'); }, 'Previous case in the list');

  const total = runs.data?.pages[0]?.total ?? null;
  const filters = <CaseFilters address={address} counts={numbers.counts} total={total} nameOf={nameOf} onChange={onChange} />;
  const all = (): void => {
    onChange(withAllCases(address));
  };
  return (
    <div ref={ref}>
      <div ref={place}>
        <Loaded query={runs} blocks={[32, 320]} label="Loading cases">
          {({ pages }) => (
            <DataTable
              label="Cases"
              columns={columns}
              rows={pages.flatMap((page) => page.rows)}
              rowKey={(row) => row.runId}
              totalRows={pages[0]?.total ?? 0}
              onEndReached={more}
              returnTo={returnTo}
              onOpen={(row) => {
                void navigate(`/evaluations/${evaluation.id}/runs/${row.runId}?${writeAddress(address).toString()}`);
              }}
              sort={address.sort === plainAddress.sort && !address.descending ? null : { column: address.sort, descending: address.descending }}
              onSort={(sort) => {
                onChange(sort === null ? { sort: plainAddress.sort, descending: false } : { sort: sort.column as RunSort, descending: sort.descending });
              }}
              sortedElsewhere
              rowHeight={52}
              maxHeight="max(300px, calc(100vh - 490px))"
              toolbar={filters}
              empty={<EmptyState message="No case is left by this filter." action={<Button variant="default" onClick={all}>Show all cases</Button>} />}
            />
          )}
        </Loaded>
      </div>
    </div>
  );
}
