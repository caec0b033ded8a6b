import { NOT_DEFINED } from '../../../src-shared/display/rates.ts';

// Rates read the same in the window and on the command line.
export {
  formatInterval,
  formatPercent,
  formatRate,
  NOT_DEFINED,
} from '../../../src-shared/display/rates.ts';
export { formatUsd } from '../../../src-shared/display/money.ts';

const wholeNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

function defined(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}

export function formatCount(value: number | null | undefined): string {
  return defined(value) ? wholeNumber.format(value) : NOT_DEFINED;
}

/** A duration in the coarsest unit that still tells two runs apart. */
export function formatDuration(milliseconds: number | null | undefined): string {
  if (!defined(milliseconds) || milliseconds < 0) return NOT_DEFINED;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
