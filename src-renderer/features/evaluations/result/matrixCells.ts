import { NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import { formatCount, formatPercent } from '../../../ui/estimate/format.ts';
import type { CellTone } from '../../../ui/matrix/cellTone.ts';
import type { MatrixAxis } from '../../../ui/matrix/matrixAxes.ts';

/** What a cell of the confusion matrix counts. */
export function toneOfCell(row: MatrixAxis, column: MatrixAxis): CellTone {
  if ((row.accepts ?? [row.id]).includes(column.id)) return 'correct';
  if (column.id === PHANTOM) return 'made_up_tool';
  if (row.id === NO_TOOL) return 'unneeded_call';
  return column.id === NO_TOOL ? 'no_tool_called' : 'wrong_tool';
}

/** The accessible name of a cell. */
export function spokenCell(
  row: MatrixAxis,
  column: MatrixAxis,
  count: number,
  total: number,
): string {
  const share = total > 0 ? `, ${formatPercent(count / total)}` : '';
  return `Expected ${spoken(row)}, called ${spoken(column)}: ${formatCount(count)} of ${formatCount(total)}${share}`;
}

function spoken(axis: MatrixAxis): string {
  return axis.group === null ? axis.label : axis.id;
}
