import {
  NOT_DEFINED,
  formatCount,
  formatDecimal,
  formatExact,
  formatRate,
  formatSigned,
  rateInterval,
} from '../../../src-shared/display/numbers.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import type { Cell, Difference } from './report.ts';

/** A rate in parts: value, then interval and n. Every format uses it. */
export const rateParts = (rate: Estimate): { value: string; rest: string } => ({
  value: formatRate(rate.value),
  rest: `${rateInterval(rate)} n ${formatCount(rate.n)}`.trim(),
});

export function estimateText(estimate: Estimate | null): string {
  if (estimate === null) return NOT_DEFINED;
  const { value, rest } = rateParts(estimate);
  return `${value} ${rest}`;
}

/** A number for people, or the sign for "not defined" for null. */
export const numberText = (
  value: number | null,
  { digits, text }: { digits?: number; text?: (value: number) => string } = {},
): string => {
  if (value === null) return NOT_DEFINED;
  if (text !== undefined) return text(value);
  return digits === undefined ? formatExact(value) : formatDecimal(value, digits);
};

export const differenceText = (difference: Difference | null): string =>
  difference === null
    ? NOT_DEFINED
    : `${formatSigned(difference.value)} [${formatSigned(difference.low)} to ` +
      `${formatSigned(difference.high)}]`;

/** Our own word or number, unescaped. */
export const wordText = (cell: Cell): string =>
  typeof cell === 'string' ? cell : JSON.stringify(cell);
