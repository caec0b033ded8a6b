import { signed } from '../../../src-shared/display/retrievalWords.ts';
import { NOT_DEFINED, showInterval, showRate } from '../../../src-shared/display/shownRate.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import type { Cell, Difference } from './report.ts';

/** A rate as every report shows it: value, interval and n apart. */
export const rateParts = ({ value, low, high, n }: Estimate): { value: string; rest: string } => ({
  value: showRate(value),
  rest: `${showInterval(low, high)} n ${n}`.trim(),
});

export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

export function estimateText(estimate: Estimate | null): string {
  if (estimate === null) return NOT_DEFINED;
  const { value, rest } = rateParts(estimate);
  return `${value} ${rest}`;
}

/** A number for people; null is not defined. */
export const numberText = (value: number | null, digits?: number): string =>
  value === null ? NOT_DEFINED : digits === undefined ? String(value) : value.toFixed(digits);

export const differenceText = (difference: Difference | null): string =>
  difference === null
    ? NOT_DEFINED
    : `${signed(difference.value)} [${signed(difference.low)} to ${signed(difference.high)}]`;

/** Our own word or number, as it is. */
export const wordOf = (cell: Cell): string =>
  typeof cell === 'string' ? cell : JSON.stringify(cell);
