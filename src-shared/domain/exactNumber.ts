/**
 * A number of a JSON text that no double holds exactly: an integer beyond 2^53, a decimal of more
 * than 17 digits, 1e400. It is the decimal `digits · 10^exponent`, packed as `digits · 2^32 + exponent`
 * into a bigint, because a bigint survives threads and the window's protocol, and equals another one
 * exactly if both mean the same number. Never print it with a template: `numberText` and
 * JSON.stringify do. All other numbers stay plain numbers, so comparing with `===` is right for both.
 */
export type ExactNumber = bigint;

declare global {
  interface JSON {
    /** Text that JSON.stringify writes as it is; missing in older browsers. */
    rawJSON?(text: string): unknown;
  }
  interface BigInt {
    toJSON(): unknown;
  }
}

/** Longer numbers are no values: arithmetic on them would be an attack. */
const maxDigits = 1_000;
const maxExponent = 2 ** 31 - 1;
const exponentBits = 32n;

/** Without trailing zeros in the digits, so that equal numbers have equal decimals; 0 is 0 · 10^0. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

const decimalForm = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;

/** Null if the text is no decimal number, or has too many digits or too large an exponent. */
function decimalOf(text: string): Decimal | null {
  const match = decimalForm.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const all = `${whole}${fraction}`;
  let end = all.length;
  while (end > 0 && all.charAt(end - 1) === '0') end -= 1;
  let start = 0;
  while (start < end && all.charAt(start) === '0') start += 1;
  if (start === end) return all === '' ? null : { digits: 0n, exponent: 0 };
  const exponent = Number(power) - fraction.length + (all.length - end);
  if (end - start > maxDigits || Math.abs(exponent) > maxExponent) return null;
  const digits = BigInt(all.slice(start, end));
  return { digits: sign === '-' ? -digits : digits, exponent };
}

function unpack(value: number | ExactNumber): Decimal {
  if (typeof value === 'number') return decimalOf(String(value)) ?? { digits: 0n, exponent: 0 };
  const exponent = Number(BigInt.asIntN(Number(exponentBits), value));
  return { digits: value >> exponentBits, exponent };
}

/**
 * The value of a number's text: a plain number if that is exact, otherwise an exact one. NaN if the
 * text is no number, or longer than 1,000 digits.
 */
export function readNumber(text: string): number | ExactNumber {
  // A double keeps every decimal of up to 15 digits.
  if (/^[-.\d]{1,15}$/.test(text)) return Number(text);
  const decimal = decimalOf(text);
  if (decimal === null) return NaN;
  const double = Number(text);
  const kept = Number.isFinite(double) ? unpack(double) : null;
  if (kept?.digits === decimal.digits && kept.exponent === decimal.exponent) return double;
  const low = BigInt.asUintN(Number(exponentBits), BigInt(decimal.exponent));
  return (decimal.digits << exponentBits) | low;
}

/** True for a number of either kind. */
export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Beyond this many zeros that no digit stands for, a number is written with an exponent. */
const maxZeros = 20;

/** The number as JSON writes it, with every digit. */
export function numberText(value: number | ExactNumber): string {
  if (typeof value === 'number') return JSON.stringify(value);
  const { digits, exponent } = unpack(value);
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits);
  const point = text.length + exponent;
  if (exponent >= 0 && exponent <= maxZeros) return sign + text + '0'.repeat(exponent);
  if (exponent < 0 && point > 0) return `${sign}${text.slice(0, point)}.${text.slice(point)}`;
  if (exponent < 0 && point > -maxZeros) return `${sign}0.${'0'.repeat(-point)}${text}`;
  const rest = text.length > 1 ? `.${text.slice(1)}` : '';
  return `${sign}${text.charAt(0)}${rest}e${point - 1}`;
}

/** The nearest double; infinite if there is none. */
export function nearestDouble(value: number | ExactNumber): number {
  return typeof value === 'number' ? value : Number(numberText(value));
}

export function isWhole(value: number | ExactNumber): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : unpack(value).exponent >= 0;
}

/** Negative, 0 or positive, as a is less than, equal to or greater than b. */
export function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [unpack(a), unpack(b)];
  const signs = sign(left) - sign(right);
  if (signs !== 0 || left.digits === 0n) return signs;
  // Powers of ten are only aligned where the numbers have the same length.
  const lengths = magnitude(left) - magnitude(right);
  if (lengths !== 0) return lengths * sign(left);
  const shift = left.exponent - right.exponent;
  const scaled = (digits: bigint, by: number): bigint => digits * 10n ** BigInt(Math.max(0, by));
  const difference = scaled(left.digits, shift) - scaled(right.digits, -shift);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function sign({ digits }: Decimal): number {
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

/** The exponent of the first digit. */
function magnitude({ digits, exponent }: Decimal): number {
  return String(digits < 0n ? -digits : digits).length + exponent;
}

/** Whether a number is a whole multiple of another one, in decimal: 19.99 is one of 0.01. */
export function isMultipleOf(value: number | ExactNumber, divisor: number | ExactNumber): boolean {
  const [of, by] = [unpack(value), unpack(divisor)];
  if (of.digits === 0n) return true;
  if (by.digits === 0n) return false;
  const shift = of.exponent - by.exponent;
  // The digits end in no zero, so a finer value is never a multiple of a coarser one.
  if (shift < 0) return false;
  return (of.digits * powerOfTen(shift, by.digits)) % by.digits === 0n;
}

/** 10^exponent modulo a number, so that no exponent makes a large one. */
function powerOfTen(exponent: number, modulus: bigint): bigint {
  let [result, base] = [1n, 10n];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

/** Finds each number of more than 15 digits or with an exponent, and what looks like one in a string. */
const longNumbers = /(?:^|[\s:,[])(-?(?:[\d.]{16}|\d[\d.]*[eE])[-+\d.eE]*)/g;

/** JSON.parse that loses no number. Throws a SyntaxError if the text is no JSON. */
export function parseJson(text: string): unknown {
  if (!losesNumber(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? readNumber(context.source) : value,
  );
}

/** Most long numbers are what JSON.stringify wrote for a double. */
function losesNumber(text: string): boolean {
  for (const [, number = ''] of text.matchAll(longNumbers))
    if (!Number.isFinite(readNumber(number))) return true;
  return false;
}

Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  writable: true,
  value(this: bigint): unknown {
    const text = numberText(this);
    return JSON.rawJSON ? JSON.rawJSON(text) : text;
  },
});
