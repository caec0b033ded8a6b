import type { RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { failureTexts } from '../../../../src-shared/domain/failureTexts.ts';
import type { Column } from '../../../ui/table/DataTable.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { formatDuration, formatRate, NOT_DEFINED } from '../../../ui/estimate/format.ts';
import classes from '../evaluations.module.css';
import { methodWords, metricMeaning } from '../evaluationWords.ts';
import { RunMark } from '../RunMark.tsx';

interface Shown {
  nameOf: (label: string) => string;
  /** Names of the models by ID. */
  models: ReadonlyMap<string, string>;
  repetitions: number;
  narrow: boolean;
}

/** The outcome in one line, shown under the query. */
function happened(row: RunRow, nameOf: Shown['nameOf']): string {
  if (row.status === 'failed')
    return `not scored: ${row.errorMessage ?? (row.failure === null ? 'no reason was given' : failureTexts[row.failure])}`;
  const expected = row.expected
    .map((label) => label.split(' or ').map(nameOf).join(' or '))
    .join(', ');
  if (row.status !== 'completed') return `expected ${expected}`;
  const selected = row.selected.map(nameOf).join(', ') || 'no tool';
  return row.classification === 'TP' || row.classification === 'TN'
    ? `selected ${selected}`
    : `expected ${expected} · selected ${selected}`;
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

export function caseColumns(shown: Shown): Column<RunRow>[] {
  const which = shown.models.size > 1 || shown.repetitions > 1;
  const columns: Column<RunRow>[] = [
    {
      id: 'classification',
      header: 'Class',
      width: 76,
      sortValue: (row) => row.classification,
      cell: (row) => <RunMark row={row} />,
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
              text={[happened(row, shown.nameOf), which ? whichRun(row, shown) : '']
                .filter((part) => part !== '')
                .join(' · ')}
            />
          </small>
        </span>
      ),
    },
  ];
  if (!shown.narrow) {
    columns.push(
      {
        id: 'parameterCorrectness',
        header: 'Parameters',
        hint: metricMeaning.correctness,
        width: 112,
        align: 'right',
        sortValue: (row) => row.parameterCorrectness,
        cell: (row) => formatRate(row.parameterCorrectness),
      },
      {
        id: 'confidence',
        header: 'Confidence',
        hint: metricMeaning.certainty,
        width: 112,
        align: 'right',
        sortValue: (row) => row.confidence?.score,
        cell: (row) =>
          row.confidence === null ? (
            NOT_DEFINED
          ) : (
            <span title={methodWords[row.confidence.method]}>
              {formatRate(row.confidence.score)}
            </span>
          ),
      },
    );
  }
  columns.push({
    id: 'executionTimeMs',
    header: 'Latency',
    hint: metricMeaning.latency,
    width: 92,
    align: 'right',
    sortValue: (row) => row.executionTimeMs,
    cell: (row) => formatDuration(row.executionTimeMs),
  });
  return columns;
}
