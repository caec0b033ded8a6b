import { runSorts } from '../../../../../src-shared/domain/runSorts.ts';
import { runColumns } from '../../../../../src-shared/domain/runColumns.ts';
import type { RunRow } from '../../../../../src-shared/domain/evaluation.ts';
import { failureTexts } from '../../../../../src-shared/domain/failureTexts.ts';
import type { Column } from '../../../../ui/table/DataTable.tsx';
import { Cut } from '../../../../ui/text/Cut.tsx';
import { formatCount, formatDuration, formatRate } from '../../../../ui/estimate/format.ts';
import { OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import classes from '../../evaluations.module.css';
import { methodWords } from '../../evaluationWords.ts';

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

const numberOf = (value: number | string | null): number | null =>
  typeof value === 'number' ? value : null;

const formats = {
  rate: (value: number | string | null) => formatRate(numberOf(value)),
  count: (value: number | string | null) => formatCount(numberOf(value)),
  duration: (value: number | string | null) => formatDuration(numberOf(value)),
};

/** What a cell adds to its number under the pointer, by the id of its column. */
const notes: Readonly<Record<string, (row: RunRow) => string | undefined>> = {
  confidence: ({ confidence }) =>
    confidence === null ? undefined : methodWords[confidence.method],
};

export function caseColumns(shown: Shown): Column<RunRow>[] {
  const which = shown.models.size > 1 || shown.repetitions > 1;
  const columns: Column<RunRow>[] = [
    {
      id: 'classification',
      header: 'Outcome',
      width: 92,
      sortValue: (row) => row.classification,
      cell: (row) => <OutcomeMark outcome={row.outcome} quiet />,
    },
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
  ];
  for (const { value, window } of runColumns) {
    if (window === undefined || (shown.narrow && !window.inNarrow)) continue;
    const { id, header, hint, width, shownAs } = window;
    columns.push({
      id,
      header,
      hint,
      width,
      align: 'right',
      ...(runSorts.some((each) => each === id) && { sortValue: value }),
      cell: (row) => <span title={notes[id]?.(row)}>{formats[shownAs](value(row))}</span>,
    });
  }
  return columns;
}
