/** What stands where a number is not defined: never 0, never NaN. */
export const NOT_DEFINED = '–';

type OptionalNumber = number | null | undefined;

function isDefined(value: OptionalNumber): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/**
 * So much of a hundredth is the computer's own rounding, not a difference: 0.29 × 100 is
 * 28.999999999999996.
 */
const roundingError = 1e-9;

/**
 * A rate of 0–1 for people, with two digits: one just below 1 never reads as 1, one just above 0
 * never as 0 (docs/rules.md §3, Metrics). `–` where it is not defined. For the eye alone; documents
 * for programs hold every digit.
 */
export function formatRate(value: OptionalNumber): string {
  if (!isDefined(value)) return NOT_DEFINED;
  if (value > 0.995 && value < 1) return '>0.99';
  if (value > 0 && value < 0.005) return '<0.01';
  return value.toFixed(2);
}

/**
 * `[0.58–0.92]`: an interval of rates with two digits, each end rounded outward, so that what is
 * shown never claims more than was computed (docs/rules.md §3, Metrics). Empty where an end is not
 * known, so that nothing invented stands beside a number.
 */
export function formatInterval(low: OptionalNumber, high: OptionalNumber): string {
  if (!isDefined(low) || !isDefined(high)) return '';
  const down = Math.max(0, Math.floor(low * 100 + roundingError)) / 100;
  const up = Math.min(100, Math.ceil(high * 100 - roundingError)) / 100;
  return `[${down.toFixed(2)}–${up.toFixed(2)}]`;
}
