import type { MatrixAxis } from '../../../../../src-shared/display/confusionView.ts';
import { formatCount, formatPercent } from '../../../../ui/estimate/format.ts';

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
