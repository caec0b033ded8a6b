import { useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Action } from '../../../../ui/fields/controls.tsx';
import type { Evaluation, RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import type { RunSort } from '../../../../../src-shared/domain/runSorts.ts';
import { EmptyState } from '../../../../ui/notices/notices.tsx';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { nameModels } from '../../modelNames.ts';
import { type RunList, RunsGrid } from '../RunsGrid.tsx';
import { CaseFilters } from './CaseFilters.tsx';
import {
  plainAddress,
  runsQuestion,
  withAllCases,
  writeAddress,
  type CaseTabProps,
  type ResultAddress,
} from './resultAddress.ts';
import { nameLabels } from '../../../../../src-shared/display/toolNames.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { useApi, useRead } from '../../../../api/index.ts';
import { runColumns } from '../../../../../src-shared/domain/runColumns.ts';
import { failureTexts } from '../../../../../src-shared/domain/failureTexts.ts';
import { column, type Column } from '../../../../ui/table/DataTable.tsx';
import { Cut } from '../../../../ui/text/Foreign.tsx';
import { OutcomeMark } from '../../../../ui/outcome/outcomes.tsx';
import classes from '../../evaluations.module.css';
import { methodWords } from '../../evaluationWords.ts';
import { measuredColumns } from '../../measuredColumns.tsx';

/** The case whose page the user comes back from. */
function returnedFrom(state: unknown): string | null {
  return typeof state === 'object' &&
    state !== null &&
    'from' in state &&
    typeof state.from === 'string'
    ? state.from
    : null;
}

interface CasesTabProps extends CaseTabProps {
  numbers: ResultNumbers;
}

/** All runs that match the filters, loaded page by page while scrolling. */
export function CasesTab({ evaluation, numbers, verdict, address, onChange }: CasesTabProps) {
  const navigate = useNavigate();
  const returnTo = returnedFrom(useLocation().state);
  const list = useCaseList(evaluation, address);
  const labels = numbers.confusion.labels;
  const nameOf = useMemo(() => nameLabels(labels), [labels]);
  const { settings } = evaluation;
  const models = useMemo(() => nameModels(evaluation.models), [evaluation.models]);
  const columns = useMemo(
    () => caseColumns({ nameOf, models, repetitions: settings.repetitions }),
    [nameOf, models, settings.repetitions],
  );
  const all = (): void => onChange(withAllCases(address));
  return (
    <RunsGrid
      noun="case"
      label="Cases"
      list={list}
      columns={columns}
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
      toolbar={(total) => (
        <CaseFilters
          address={address}
          verdict={verdict}
          total={total}
          nameOf={nameOf}
          onChange={onChange}
        />
      )}
      empty={
        <EmptyState
          message="No case matches this filter."
          action={<Action label="Show all cases" onClick={all} />}
        />
      }
    />
  );
}

/** The runs that match the address, and where their list starts. */
function useCaseList(evaluation: Evaluation, address: ResultAddress) {
  const { client, queries } = useApi();
  const { id, state } = evaluation;
  const question = { id, ...runsQuestion(address) };
  const found = useRead((ask) => ask.evaluations.runPlace, {
    input: { ...question, runId: address.at ?? '' },
    enabled: address.at !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const place = address.at === null || found.isError ? { index: 0 } : found.data;
  return {
    name: JSON.stringify(question),
    startAt: place === undefined ? null : (place.index ?? 0),
    ended: hasEnded(state),
    keyOf: (page) => queries.evaluations.runs.queryKey({ input: { ...question, ...page } }),
    load: (page, options) => client.evaluations.runs({ ...question, ...page }, options),
  } satisfies RunList<RunRow>;
}

interface Shown {
  nameOf: (label: string) => string;
  /** Names of the models by ID. */
  models: ReadonlyMap<string, string>;
  repetitions: number;
}

/** The outcome in one line, shown under the query. */
function outcomeText(row: RunRow, nameOf: Shown['nameOf']): string {
  if (row.status === 'failed')
    return (
      'not scored: ' +
      (row.errorMessage ?? (row.failure === null ? 'no reason given' : failureTexts[row.failure]))
    );
  const expected = row.expected
    .map((label) => label.split(' or ').map(nameOf).join(' or '))
    .join(', ');
  if (row.status !== 'completed') return `expected ${expected}`;
  const selected = row.selected.map(nameOf).join(', ') || 'no tool';
  return row.classification === 'TP' || row.classification === 'TN'
    ? `called ${selected}`
    : `expected ${expected} · called ${selected}`;
}

/** Which of several runs of a case this is; empty if there is only one. */
function whichRun(row: RunRow, { models, repetitions }: Shown): string {
  return [
    models.size > 1 ? (models.get(row.modelSettingsId) ?? '') : '',
    repetitions > 1 ? `repetition ${row.repetition}` : '',
    row.attempt > 1 ? `attempt ${row.attempt}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** What a cell adds to its number under the pointer, by the id of its column. */
const notes: Readonly<Record<string, (row: RunRow) => string | undefined>> = {
  confidence: ({ confidence }) =>
    confidence === null ? undefined : methodWords[confidence.method],
};

function caseColumns(shown: Shown): Column<RunRow>[] {
  const which = shown.models.size > 1 || shown.repetitions > 1;
  return [
    column('classification', 'Outcome', 92, { sortValue: (row) => row.classification }, (row) => (
      <OutcomeMark outcome={row.outcome} quiet />
    )),
    {
      id: 'position',
      header: 'Case',
      width: 'minmax(220px, 1fr)',
      sortValue: (row) => row.position,
      cell: (row) => (
        <span className={classes.caseCell}>
          <Cut text={row.query} />
          <small>
            <Cut
              text={[outcomeText(row, shown.nameOf), which ? whichRun(row, shown) : '']
                .filter((part) => part !== '')
                .join(' · ')}
            />
          </small>
        </span>
      ),
    },
    ...measuredColumns(runColumns, { of: (row: RunRow) => row, notes }),
  ];
}
