/**
 * Characters of a text, folded for comparison, and where each one stands in the original text.
 * `starts` and `ends` are null where character n stands at n.
 */
export interface Codes {
  codes: Uint16Array;
  length: number;
  starts: Int32Array | null;
  ends: Int32Array | null;
}

const [backslash, percent, ampersand, semicolon, hash] = [92, 37, 38, 59, 35];

/** Lower case for ASCII, and the standard Base64 alphabet for the URL-safe one. */
export function fold(code: number): number {
  if (code >= 65 && code <= 90) return code + 32;
  if (code === 45) return 43;
  return code === 95 ? 47 : code;
}

/** The characters of a text in the form in which secrets are compared. */
export function foldText(text: string): Codes {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) codes[at] = fold(text.charCodeAt(at));
  return { codes, length: text.length, starts: null, ends: null };
}

/** What a backslash makes of the letter behind it; every other character stands for itself. */
const controls = new Map([
  [110, 10],
  [114, 13],
  [116, 9],
  [98, 8],
  [102, 12],
]);
const entities = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    sol: '/',
    plus: '+',
    equals: '=',
    colon: ':',
    period: '.',
    comma: ',',
    hyphen: '-',
    dash: '-',
    lowbar: '_',
    num: '#',
    excl: '!',
    dollar: '$',
    percnt: '%',
    commat: '@',
    ast: '*',
  }),
);

/**
 * Undoes one level of escapes: `\uXXXX`, `\u{…}`, `\xXX`, `\n` and kin, `%XX`, `&#N;`, `&#xN;` and
 * named character references. Null if the text has none.
 */
export function decodeEscapes(from: Codes): Codes | null {
  const { codes, length } = from;
  let first = 0;
  while (first < length && !isEscape(codes[first] ?? 0)) first += 1;
  if (first === length) return null;

  const out: Codes = {
    codes: new Uint16Array(length),
    length: 0,
    starts: new Int32Array(length),
    ends: new Int32Array(length),
  };
  let changed = false;
  for (let at = 0; at < length;) {
    const [code, size] = readOne(codes, at, length);
    changed ||= size > 1;
    write(out, code, from.starts?.[at] ?? at, from.ends?.[at + size - 1] ?? at + size);
    at += size;
  }
  return changed ? out : null;
}

/** What a backslash commonly makes of the letter behind it, and secrets commonly don't hold. */
export const commonlyEscaped = /["\\\p{Cc}]/u;
const unusualEscape = /\\(?:[^"\\nrtbf]|$)|%[\da-f]{2}|&(?:#[x\d]|[a-z]{2,6};)/i;
const anyEscape = /[\\%&]/;

/**
 * Whether a text must be decoded before it is searched. Escaped quotes and line ends, which every
 * JSON text has, hide nothing of a secret that has no such characters.
 */
export const holdsEscapes = (text: string, all: boolean): boolean =>
  (all ? anyEscape : unusualEscape).test(text);

const isEscape = (code: number): boolean =>
  code === backslash || code === percent || code === ampersand;

function write(out: Codes, code: number, start: number, end: number): void {
  out.codes[out.length] = fold(code);
  if (out.starts !== null) out.starts[out.length] = start;
  if (out.ends !== null) out.ends[out.length] = end;
  out.length += 1;
}

/** The character that is written at a place, and how many characters it is written with. */
function readOne(codes: Uint16Array, at: number, length: number): [code: number, size: number] {
  const code = codes[at] ?? 0;
  if (code === backslash) return readBackslash(codes, at, length);
  if (code === percent) {
    const value = hexAt(codes, at + 1, 2, length);
    return value === null ? [code, 1] : [value, 3];
  }
  if (code === ampersand) return readReference(codes, at, length);
  return [code, 1];
}

function readBackslash(codes: Uint16Array, at: number, length: number): [number, number] {
  if (at + 1 >= length) return [backslash, 1];
  const letter = codes[at + 1] ?? 0;
  // Folded: u, x.
  if (letter === 117 && codes[at + 2] === 123) {
    let end = at + 3;
    while (end < length && end < at + 10 && codes[end] !== 125) end += 1;
    const value = hexAt(codes, at + 3, end - at - 3, length);
    return value === null || codes[end] !== 125 ? [letter, 2] : [value & 0xffff, end - at + 1];
  }
  if (letter === 117) {
    const value = hexAt(codes, at + 2, 4, length);
    return value === null ? [letter, 2] : [value, 6];
  }
  if (letter === 120) {
    const value = hexAt(codes, at + 2, 2, length);
    return value === null ? [letter, 2] : [value, 4];
  }
  return [controls.get(letter) ?? letter, 2];
}

/** Longest character reference that is read: `&#x0010ffff;`. */
const maxReference = 12;

function readReference(codes: Uint16Array, at: number, length: number): [number, number] {
  let end = at + 1;
  while (end < length && end - at < maxReference && codes[end] !== semicolon) end += 1;
  if (codes[end] !== semicolon || end >= length) return [ampersand, 1];
  const name = String.fromCharCode(...codes.subarray(at + 1, end));
  const size = end - at + 1;
  if (codes[at + 1] !== hash) {
    const known = entities.get(name);
    return known === undefined ? [ampersand, 1] : [known.charCodeAt(0), size];
  }
  const number = /^#x[\da-f]+$/.test(name)
    ? Number.parseInt(name.slice(2), 16)
    : /^#\d+$/.test(name)
      ? Number(name.slice(1))
      : null;
  return number === null || number > 0xffff ? [ampersand, 1] : [number, size];
}

/** A hexadecimal number of so many digits at a place; null if there is none. */
function hexAt(codes: Uint16Array, at: number, digits: number, length: number): number | null {
  if (digits < 1 || at + digits > length) return null;
  let value = 0;
  for (let place = at; place < at + digits; place += 1) {
    const code = codes[place] ?? 0;
    if (code >= 48 && code <= 57) value = value * 16 + code - 48;
    else if (code >= 97 && code <= 102) value = value * 16 + code - 87;
    else return null;
  }
  return value;
}
