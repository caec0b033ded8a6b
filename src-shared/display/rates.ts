/** Shown in place of an undefined number; never 0, never NaN. */
export const NOT_DEFINED = '–';

type OptionalNumber = number | null | undefined;

function isDefined(value: OptionalNumber): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/** Floating-point error to ignore, in hundredths: 0.29 × 100 is 28.999999999999996. */
const roundingError = 1e-9;

/**
 * Formats a rate of 0–1 with two digits. A rate just below 1 never reads as 1 and one just above 0
 * never as 0 (docs/rules.md §3, Metrics); `–` if it is undefined. For people only; machine-readable
 * documents keep all digits.
 */
export function formatRate(value: OptionalNumber): string {
  if (!isDefined(value)) return NOT_DEFINED;
  if (value > 0.995 && value < 1) return '>0.99';
  if (value > 0 && value < 0.005) return '<0.01';
  return value.toFixed(2);
}

/**
 * Formats an interval of rates: `[0.58–0.92]`. Each end is rounded outward, so that it never claims
 * more than was computed (docs/rules.md §3, Metrics). Empty if an end is unknown.
 */
export function formatInterval(low: OptionalNumber, high: OptionalNumber): string {
  if (!isDefined(low) || !isDefined(high)) return '';
  const down = Math.max(0, Math.floor(low * 100 + roundingError)) / 100;
  const up = Math.min(100, Math.ceil(high * 100 - roundingError)) / 100;
  return `[${down.toFixed(2)}–${up.toFixed(2)}]`;
}

/**
 * Formats a rate of 0–1 as whole percent: `64%`. Rates just below 1 and just above 0 read `>99%`
 * and `<1%`, so that 100% always means all; `–` if it is undefined.
 */
export function formatPercent(value: OptionalNumber): string {
  if (!isDefined(value)) return NOT_DEFINED;
  if (value > 0.995 && value < 1) return '>99%';
  if (value > 0 && value < 0.005) return '<1%';
  return `${(value * 100).toFixed(0)}%`;
}

/**
 * Formats an interval of rates as whole percent: `51–75%`. Each end is rounded outward, as in
 * `formatInterval`. Empty if an end is unknown.
 */
export function formatPercentInterval(low: OptionalNumber, high: OptionalNumber): string {
  if (!isDefined(low) || !isDefined(high)) return '';
  const down = Math.max(0, Math.floor(low * 100 + roundingError));
  const up = Math.min(100, Math.ceil(high * 100 - roundingError));
  return `${down}–${up}%`;
}
