import { useElementSize } from '@mantine/hooks';
import { useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { Action } from '../../../../ui/fields/Action.tsx';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import type { RunSort } from '../../../../../src-shared/domain/runSorts.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../../ui/notices/ErrorNotice.tsx';
import { LoadingSkeleton } from '../../../../ui/notices/LoadingSkeleton.tsx';
import { PagedGrid, type GridHandle } from '../../../../ui/table/PagedGrid.tsx';
import { useShortcut } from '../../../../ui/keyboard/useShortcut.ts';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { nameModels } from '../../modelNames.ts';
import { useRunPages } from '../useRunPages.ts';
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
  const paged = useCasePages(evaluation, address);
  const labels = numbers.confusion.labels;
  const nameOf = useMemo(() => nameLabels(labels), [labels]);
  const { settings } = evaluation;
  const models = useMemo(() => nameModels(evaluation.models), [evaluation.models]);
  const columns = useMemo(
    () => caseColumns({ nameOf, models, repetitions: settings.repetitions, narrow }),
    [nameOf, models, settings.repetitions, narrow],
  );
  useShortcut('j', () => grid.current?.step('ArrowDown'), 'Next case in the list');
  useShortcut('k', () => grid.current?.step('ArrowUp'), 'Previous case in the list');

  const filters = (
    <CaseFilters
      address={address}
      verdict={verdict}
      total={paged.total}
      nameOf={nameOf}
      onChange={onChange}
    />
  );
  const all = (): void => onChange(withAllCases(address));
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
          onOpen={(row) =>
            void navigate(
              `/results/${evaluation.id}/runs/${row.runId}?${writeAddress({ ...address, at: null }).toString()}`,
            )
          }
          sort={
            address.sort === plainAddress.sort && !address.descending
              ? null
              : { column: address.sort, descending: address.descending }
          }
          onSort={(sort) =>
            onChange(
              sort === null
                ? { sort: plainAddress.sort, descending: false }
                : { sort: sort.column as RunSort, descending: sort.descending },
            )
          }
          rowHeight={52}
          maxHeight="max(360px, calc(100vh - 430px))"
          toolbar={filters}
          empty={
            <EmptyState
              message="No case matches this filter."
              action={<Action label="Show all cases" onClick={all} />}
            />
          }
        />
      )}
    </div>
  );
}

/** The pages of the runs that match the address, and where the list starts. */
function useCasePages(evaluation: Evaluation, address: ResultAddress) {
  const { client, queries } = useApi();
  const { id, state } = evaluation;
  const question = runsQuestion(address);
  const name = JSON.stringify(question);
  const found = useQuery(
    queries.evaluations.runPlace.queryOptions({
      input: { id, ...question, runId: address.at ?? '' },
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
  const paged = useRunPages({
    ...{ name, startAt, ended: hasEnded(state) },
    keyOf: (page) => queries.evaluations.runs.queryKey({ input: { id, ...question, ...page } }),
    load: (page, options) => client.evaluations.runs({ id, ...question, ...page }, options),
  });
  return { ...paged, name, startAt };
}
