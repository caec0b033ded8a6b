import {
  confusionView,
  involvedIn,
  toneOfCell,
  type ConfusionView,
} from '../../../../src-shared/display/confusionView.ts';
import { maxLevelHeads, spansOf } from '../../../../src-shared/display/matrixAxes.ts';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import type { ConfusionMatrix } from '../../../../src-shared/domain/metrics.ts';
import { maxMatrixSize, type ReportMatrix } from '../report.ts';

/** What fits on the first page, next to everything else: upright names need the height of rows. */
const maxRows = 8;
/** For one model, two models, and so on, because each has a line in the verdict. */
const maxRowsWithUprightNames = [8, 7, 5, 4];
const maxRowsWithManyModels = 3;
const maxColumns = 16;

/**
 * The part of the matrix with errors, at most the rows and columns with the most of them; null if
 * there are none.
 */
export function involvedMatrix(confusion: ConfusionMatrix, models: number): ReportMatrix | null {
  const involved = involvedIn(wholeView(confusion));
  if (involved.rows.length === 0) return null;
  const level = mostErrors(involved, maxRows);
  const view =
    level.columns.length > maxLevelHeads
      ? mostErrors(involved, maxRowsWithUprightNames[models - 1] ?? maxRowsWithManyModels)
      : level;
  const cut =
    involved.rows.length + involved.columns.length - view.rows.length - view.columns.length;
  return {
    ...matrixOf(view, confusion),
    title: 'Expected and called tools',
    note:
      cut === 0
        ? ''
        : `Only the tools with the most errors.${canShow(involved) ? ' The others are in the appendix.' : ' The appendix shows more.'}`,
  };
}

const canShow = ({ rows, columns }: ConfusionView): boolean =>
  Math.max(rows.length, columns.length) <= maxMatrixSize;

/** Every tool; if they are too many, those with errors, and of those the ones with the most. */
export function appendixMatrix(confusion: ConfusionMatrix): ReportMatrix {
  const whole = wholeView(confusion);
  const involved = involvedIn(whole);
  const [view, leftOut] = canShow(whole)
    ? [whole, '']
    : canShow(involved)
      ? [involved, ' Tools without an error are left out.']
      : [
          mostErrors(involved, maxMatrixSize, maxMatrixSize),
          ` Only the ${maxMatrixSize} tools with the most errors are shown.`,
        ];
  return {
    ...matrixOf(view, confusion),
    title: 'Confusion matrix',
    note: `Rows: expected. Columns: called. Each cell counts calls.${leftOut}`,
  };
}

const wholeView = (confusion: ConfusionMatrix): ConfusionView =>
  confusionView(confusion, '', Number.MAX_SAFE_INTEGER);

/** Keeps the rows with the most errors, then the columns that they have the most calls in. */
function mostErrors(
  view: ConfusionView,
  rowLimit: number,
  columnLimit = maxColumns,
): ConfusionView {
  const errors = (row: number, column: number): number => {
    const [rowAxis, columnAxis] = [view.rows[row], view.columns[column]];
    if (!rowAxis || !columnAxis || toneOfCell(rowAxis, columnAxis) === 'correct') return 0;
    return view.counts[row]?.[column] ?? 0;
  };
  const rows = largest(view.rows.length, rowLimit, (row) =>
    sum(view.columns.map((_axis, column) => errors(row, column))),
  );
  const own = new Set(rows.flatMap((row) => view.rows[row]?.id ?? []));
  // A row without its own column would look as if nothing was correct.
  const columns = largest(view.columns.length, columnLimit, (column) =>
    own.has(view.columns[column]?.id ?? '')
      ? Infinity
      : sum(rows.map((row) => errors(row, column))),
  );
  return {
    ...view,
    rows: rows.flatMap((row) => view.rows[row] ?? []),
    columns: columns.flatMap((column) => view.columns[column] ?? []),
    counts: rows.map((row) => columns.map((column) => view.counts[row]?.[column] ?? 0)),
  };
}

/** The indexes of the `limit` largest values above 0, in their own order. */
function largest(length: number, limit: number, value: (index: number) => number): number[] {
  return Array.from({ length }, (_, index) => ({ index, value: value(index) }))
    .filter((one) => one.value > 0)
    .sort((a, b) => (a.value === b.value ? a.index - b.index : b.value - a.value))
    .slice(0, limit)
    .map(({ index }) => index)
    .sort((a, b) => a - b);
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Cells link to the runs that they count, by the indexes of their labels. */
function matrixOf(
  view: ConfusionView,
  { labels }: ConfusionMatrix,
): Omit<ReportMatrix, 'title' | 'note'> {
  const spans = spansOf(view.columns);
  const indexOf = new Map(labels.map((label, index) => [label, index]));
  return {
    corner: 'expected ↓ called →',
    rows: view.rows.map(({ label, group }) =>
      spans.length > 0 && group !== null ? `${group}:${label}` : label,
    ),
    columns: view.columns.map(({ label }) => label),
    ...(spans.length === 0
      ? {}
      : { bands: spans.map(({ group, length }) => ({ name: group, length })) }),
    cell: (row, column) => {
      const [rowAxis, columnAxis] = [view.rows[row], view.columns[column]];
      const n = view.counts[row]?.[column] ?? 0;
      if (!rowAxis || !columnAxis || n === 0) return { shown: '', weight: 0, tone: 'correct' };
      return {
        shown: formatCount(n),
        weight: 1,
        tone: toneOfCell(rowAxis, columnAxis),
        link: {
          cell: `${indexOf.get(rowAxis.id) ?? -1}-${indexOf.get(columnAxis.id) ?? -1}`,
          label: `${rowAxis.id} expected, ${columnAxis.id} called: ${formatCount(n)}`,
        },
      };
    },
  };
}
