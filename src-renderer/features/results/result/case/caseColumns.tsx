import { runColumns } from '../../../../../src-shared/domain/runColumns.ts';
import { runSorts } from '../../../../../src-shared/domain/runSorts.ts';
import type { RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { failureTexts } from '../../../../../src-shared/domain/failureTexts.ts';
import { column } from '../../../../ui/table/columns.tsx';
import type { Column } from '../../../../ui/table/DataTable.tsx';
import { Cut } from '../../../../ui/text/Cut.tsx';
import { OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import classes from '../../evaluations.module.css';
import { methodWords } from '../../evaluationWords.ts';
import { measuredColumns } from '../../measuredColumns.tsx';

interface Shown {
  nameOf: (label: string) => string;
  /** Names of the models by ID. */
  models: ReadonlyMap<string, string>;
  repetitions: number;
  narrow: boolean;
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

export function caseColumns(shown: Shown): Column<RunRow>[] {
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
    ...measuredColumns(runColumns, {
      of: (row: RunRow) => row,
      narrow: shown.narrow,
      sorts: runSorts,
      notes,
    }),
  ];
}
