/**
 * JSON as people write it: with comments, commas behind the last entry, names without quotes, single
 * quotes, and numbers of programs. https://spec.json5.org
 */
import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';

/** A text with the same values in plain JSON, and where its places are in the text that was read. */
export interface RelaxedJson {
  json: string;
  /** A problem of the plain text, at its place in the text that was read. */
  placed: (problem: FileProblem) => FileProblem;
}

const space = /[\s\ufeff]+/y;
const comment = /\/\/[^\n\r]*|\/\*[^]*?\*\/|#[^\n\r]*/y;
const beforeJson = /^(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)*[[{]/;
const quoted = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^]|'')*'/y;
const number = /[+-]?(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?=[\s,\]}/#]|$)/y;
const name = /[\p{L}\p{N}$_][\p{L}\p{N}\p{M}$_.\u200c\u200d-]*(?=\s*:)/uy;
const word = /(?:true|false|null)(?=[\s,\]}/#]|$)/y;
/** Up to where YAML ends a text without quotes. */
const other = /[^,[\]{}\n\r]+|[^]/y;
const escape = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|\r\n|[^])/g;
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  '\n': '',
  '\r': '',
  '\r\n': '',
  '\u2028': '',
  '\u2029': '',
};

/** Whether a text is an object or a list, with or without comments before it. */
export const beginsAsJson = (text: string): boolean => beforeJson.test(text);

/**
 * Writes a text in JSON5 as plain JSON; null if there is nothing to change. What is neither stays as
 * it is, so that a reader of the result says what is wrong with it. Takes time linear in its length.
 */
export function relaxedJson(text: string): RelaxedJson | null {
  const parts: string[] = [];
  const shifts = new Map<number, { column: number; by: number }[]>();
  const open: string[] = [];
  /** The last sign of the structure. */
  let last = '';
  let [line, lineStart, length] = [1, 0, 0];

  const put = (read: string, written: string): void => {
    parts.push(written);
    length += written.length;
    for (let at = written.indexOf('\n'); at >= 0; at = written.indexOf('\n', at + 1)) {
      line += 1;
      lineStart = length - written.length + at + 1;
    }
    if (read.length === written.length) return;
    const own = shifts.get(line) ?? [];
    own.push({ column: length - lineStart + 1, by: written.length - read.length });
    shifts.set(line, own);
  };

  for (let at = 0; at < text.length;) {
    const take = (pattern: RegExp): string | null => {
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0] ?? null;
      at += found?.length ?? 0;
      return found;
    };
    const sign = text[at] ?? '';
    const isName = open.at(-1) === '{' && (last === '{' || last === ',');
    let found = take(space);
    if (found !== null) {
      put(found, found);
    } else if ((found = take(comment)) !== null) {
      put(found, found.replaceAll(/[^\n\r]/g, ' '));
    } else if ('[{]}:'.includes(sign)) {
      if (sign === '[' || sign === '{') open.push(sign);
      else if (sign !== ':') open.pop();
      last = sign;
      at += 1;
      put(sign, sign);
    } else if (sign === ',') {
      at += 1;
      const isLast = last !== ',' && last !== '[' && last !== '{' && endsAt(text, at);
      last = ',';
      put(sign, isLast ? ' ' : sign);
    } else if ((found = take(quoted)) !== null) {
      last = sign;
      put(found, plainText(found));
    } else if (isName && (found = take(name)) !== null) {
      last = '"';
      put(found, JSON.stringify(found));
    } else {
      last = 'value';
      found = take(number);
      if (found !== null) put(found, plainNumber(found));
      else {
        found = take(word) ?? take(other) ?? '';
        put(found, found);
      }
    }
  }
  const json = parts.join('');
  if (json === text) return null;
  return {
    json,
    placed(problem) {
      const { line: own, column } = problem;
      if (own === null || column === null) return problem;
      const before = (shifts.get(own) ?? []).filter((shift) => shift.column <= column);
      return {
        ...problem,
        column: Math.max(
          1,
          before.reduce((at, { by }) => at - by, column),
        ),
      };
    },
  };
}

/** Whether nothing but space and comments stands before the bracket that closes. */
function endsAt(text: string, from: number): boolean {
  let at = from;
  for (let isSpace = true; isSpace;) {
    isSpace = false;
    for (const pattern of [space, comment]) {
      pattern.lastIndex = at;
      const length = pattern.exec(text)?.[0].length ?? 0;
      at += length;
      isSpace ||= length > 0;
    }
  }
  return text[at] === ']' || text[at] === '}';
}

/** A text in double quotes, with the breaks behind it that it held escaped. */
function plainText(source: string): string {
  const isSingle = source.startsWith("'");
  const inner = source.slice(1, -1);
  // What JSON reads as it is: most texts. A break is a matter of YAML.
  if (!isSingle && isPlain(source)) return source;
  if (/(?:^|[^\\])(?:\\\\)*[\n\r]/.test(inner)) return source;
  const text = (isSingle ? inner.replaceAll("''", "'") : inner).replaceAll(
    escape,
    (all: string, unicode?: string, byte?: string) => {
      const code = unicode ?? byte;
      if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
      const letter = all.slice(1);
      if (Object.hasOwn(escapes, letter)) return escapes[letter] ?? '';
      // Nobody escapes a letter that means itself: it is the backslash of a pattern or a path.
      return /[a-z\d]/i.test(letter) ? all : letter;
    },
  );
  return JSON.stringify(text) + '\n'.repeat(inner.match(/\\\r?\n/g)?.length ?? 0);
}

function isPlain(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

/** As JSON writes it: `+1`, `.5`, `5.` and `0x1F` mean 1, 0.5, 5 and 31. */
function plainNumber(source: string): string {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/.exec(source) ?? [];
  const minus = sign === '-' ? '-' : '';
  if (/^0x/i.test(digits)) return `${minus}${BigInt(digits)}`;
  const plain = digits.replace(/^\./, '0.').replace(/\.(?=[eE]|$)/, '');
  return `${minus}${plain}`;
}
