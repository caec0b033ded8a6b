import { onFirstUse } from '../domain/onFirstUse.ts';

/**
 * How numbers read, in the window, in reports and on the command line. For people only:
 * machine-readable documents keep all digits.
 */

/** Shown in place of an undefined number; never 0, never NaN. */
export const NOT_DEFINED = '–';

type OptionalNumber = number | null | undefined;

// The first format loads the tables of the language: a tenth of the time that a command takes to start.
const numberFormat = (options: Intl.NumberFormatOptions): (() => Intl.NumberFormat) =>
  onFirstUse(() => new Intl.NumberFormat('en-US', options));
const whole = numberFormat({ maximumFractionDigits: 0 });
const cents = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const smallAmount = numberFormat({ maximumSignificantDigits: 2 });
const price = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 4 });
const exact = numberFormat({ maximumFractionDigits: 4 });

/** Floating-point error to ignore, in hundredths: 0.29 × 100 is 28.999999999999996. */
const roundingError = 1e-9;

function isDefined(value: OptionalNumber): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}

/** `−` in front of a negative number that doesn't round to 0. */
function withMinus(value: number, size: string): string {
  return value < 0 && /[1-9]/.test(size) ? `−${size}` : size;
}

/** A whole number with its digits grouped: `1,204`. */
export function formatCount(value: OptionalNumber): string {
  return isDefined(value) ? withMinus(value, whole().format(Math.abs(value))) : NOT_DEFINED;
}

/**
 * An estimate after “about”: whole up to 100, then with two digits that count: `540,000`. More digits
 * would claim what nobody knows.
 */
export const formatAbout = (value: OptionalNumber): string =>
  formatCount(isDefined(value) && Math.abs(value) > 100 ? Number(value.toPrecision(2)) : value);

/** The noun without its number; the plural while the number is not known. */
export function noun(count: OptionalNumber, singular: string, plural = `${singular}s`): string {
  return count === 1 ? singular : plural;
}

/** A count with its noun: `1 case`, `1,204 cases`. */
export function counted(count: number, singular: string, plural?: string): string {
  return `${formatCount(count)} ${noun(count, singular, plural)}`;
}

/** A number with a fixed number of decimals: `0.83`, `−1.50`. */
export function formatDecimal(value: OptionalNumber, digits: number): string {
  return isDefined(value) ? withMinus(value, Math.abs(value).toFixed(digits)) : NOT_DEFINED;
}

/** A measured value beside its limit: up to four decimals and no trailing zeros, `0.6393`. */
export function formatExact(value: OptionalNumber): string {
  return isDefined(value) ? withMinus(value, exact().format(Math.abs(value))) : NOT_DEFINED;
}

/** Formats a difference, always with a sign: `+0.042`, `−0.010`. */
export function formatSigned(value: number, digits = 3): string {
  const text = formatDecimal(value, digits);
  return text.startsWith('−') ? text : `+${text}`;
}

/**
 * Formats a rate of 0–1 with two digits. A rate just below 1 never reads as 1 and one just above 0
 * never as 0 (docs/rules.md §3, Metrics); `–` if it is undefined.
 */
export function formatRate(value: OptionalNumber): string {
  if (!isDefined(value)) return NOT_DEFINED;
  if (value > 0.995 && value < 1) return '>0.99';
  if (value > 0 && value < 0.005) return '<0.01';
  return value.toFixed(2);
}

/** The ends of an interval in hundredths, rounded outward: it never claims more than was computed. */
function outward(low: number, high: number): [down: number, up: number] {
  return [
    Math.max(0, Math.floor(low * 100 + roundingError)),
    Math.min(100, Math.ceil(high * 100 - roundingError)),
  ];
}

/** Formats an interval of rates, rounded outward: `[0.58–0.92]`. Empty if an end is unknown. */
export function formatInterval(low: OptionalNumber, high: OptionalNumber): string {
  if (!isDefined(low) || !isDefined(high)) return '';
  const [down, up] = outward(low, high);
  return `[${(down / 100).toFixed(2)}–${(up / 100).toFixed(2)}]`;
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

/** Formats an interval of rates as whole percent, rounded outward: `51–75%`. */
export function formatPercentInterval(low: OptionalNumber, high: OptionalNumber): string {
  if (!isDefined(low) || !isDefined(high)) return '';
  const [down, up] = outward(low, high);
  return `${down}–${up}%`;
}

/** Stands for an interval that a rate doesn't have, because fewer than five cases say too little. */
const TOO_FEW = 'too few to say';

interface RateEnds {
  value: OptionalNumber;
  low: OptionalNumber;
  high: OptionalNumber;
}

/** The interval of a rate: `[0.58–0.92]` or `[too few to say]`; empty if the rate is undefined. */
export function rateInterval({ value, low, high }: RateEnds): string {
  if (!isDefined(value)) return '';
  return isDefined(low) && isDefined(high) ? formatInterval(low, high) : `[${TOO_FEW}]`;
}

/** The same as whole percent: `51–75%` or `too few to say`. */
export function percentInterval({ value, low, high }: RateEnds): string {
  if (!isDefined(value)) return '';
  return isDefined(low) && isDefined(high) ? formatPercentInterval(low, high) : TOO_FEW;
}

/** The same with its name: `95% CI 51–75%` or `too few to say`. */
export function namedInterval(rate: RateEnds, name = '95% CI'): string {
  const interval = percentInterval(rate);
  return interval === '' || interval === TOO_FEW ? interval : `${name} ${interval}`;
}

/**
 * A share as percent with two significant digits: `0.36%`, `7.2%`, `55%`, `170%`. A share above 0
 * never reads as 0, and one below 1 never as 100%.
 */
export function formatShare(share: OptionalNumber): string {
  if (!isDefined(share)) return NOT_DEFINED;
  const percent = 100 * Math.abs(share);
  if (percent === 0) return '0%';
  if (share > 0 && percent < 0.01) return '<0.01%';
  if (share > 0.995 && share < 1) return '>99%';
  const size = percent < 0.995 ? percent.toPrecision(2) : percent.toFixed(percent >= 9.95 ? 0 : 1);
  return `${withMinus(share, size)}%`;
}

/** A difference of shares in percentage points, with a sign: `+6.2`, `−1.0`, `0.0`. */
export function formatPoints(share: number): string {
  const text = formatDecimal(100 * share, 1);
  return share > 0 && text !== '0.0' ? `+${text}` : text;
}

/** Formats a p-value so that it never reads as 0, and never as 0.05 or less if it is more. */
export function formatPValue(p: number): string {
  if (p < 0.0001) return '< 0.0001';
  if (p > 0.05 && p < 0.0505) return '> 0.05';
  return p.toFixed(p < 0.01 ? 4 : 3);
}

/** A price in dollars; below ten cents it has two significant digits, so that small ones differ. */
export function formatUsd(value: OptionalNumber): string {
  if (!isDefined(value)) return NOT_DEFINED;
  if (value === 0) return '$0';
  if (value > 0 && value < 1e-6) return '<$0.000001';
  return `$${(Math.abs(value) < 0.0995 ? smallAmount() : cents()).format(value)}`;
}

/** A price per million tokens: in cents, and with more digits only if they matter. */
export function formatPrice(value: number): string {
  return `$${price().format(value)}`;
}

/** A duration in the coarsest unit that still tells two runs apart: `350 ms`, `4.2 s`, `3 min 5 s`. */
export function formatDuration(milliseconds: OptionalNumber): string {
  if (!isDefined(milliseconds) || milliseconds < 0) return NOT_DEFINED;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1).replace('.0', '')} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A limit that a person sets in seconds, exactly: `500 ms`, `45.5 s`, `90 s`. */
export function formatLimit(milliseconds: number): string {
  return milliseconds < 1000
    ? `${milliseconds} ms`
    : `${(milliseconds / 1000).toLocaleString('en-US', { maximumFractionDigits: 3 })} s`;
}

/** A size with its unit and up to three significant digits: `3.2 MB`, `25 MB`. 1 kB = 1,000 bytes. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  const size = digits === 0 ? formatCount(value) : value.toFixed(digits).replace('.0', '');
  return `${size} ${units[unit] ?? ''}`;
}
