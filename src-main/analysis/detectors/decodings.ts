import { mask } from './lexicon.ts';
import type { Words } from './words.ts';

const codedHi = mask('CODED').hi;

/** A part of a text that encodes another text. */
export interface Decoded {
  how: string;
  start: number;
  end: number;
  text: string;
  /** Whether each character is at the position of the one that it was decoded from. */
  aligned?: true;
  /** Whether ordinary text never decodes to text this way. */
  exact?: boolean;
}

const maxPart = 200_000;
const maxParts = 50;

/**
 * Runs of characters of one kind. Hand-written, because a pattern that fails late on long runs
 * would take quadratic time. A run that is long enough contains one of the characters at
 * multiples of that length, so only these are read until one belongs. Each character is read at most twice.
 */
function runs(
  text: string,
  belongs: (code: number) => boolean,
  shortest: number,
): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let probe = shortest - 1;
  while (probe < text.length && found.length < maxParts) {
    if (belongs(text.charCodeAt(probe))) {
      let start = probe;
      while (start > 0 && belongs(text.charCodeAt(start - 1))) start -= 1;
      let end = probe + 1;
      while (end < text.length && belongs(text.charCodeAt(end))) end += 1;
      if (end - start >= shortest) found.push({ start, end: Math.min(end, start + maxPart) });
      probe = end;
    }
    probe += shortest;
  }
  return found;
}

const isHex = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
const isBase64 = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 43 ||
  code === 47 ||
  code === 45 ||
  code === 95 ||
  code === 61;

/** The text that bytes decode to, or null if it isn't readable. */
function readableText(bytes: Buffer): string | null {
  let plain = 0;
  for (const byte of bytes)
    if ((byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9) plain += 1;
  if (bytes.length < 12) return null;
  if (plain / bytes.length > 0.97) return bytes.toString('latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') || /[\u0000-\u0008]/.test(text) ? null : text;
}

const shortestBase64 = 20;

const base64 = (text: string): Decoded[] =>
  runs(text, isBase64, shortestBase64).flatMap((run) => {
    // A sign of the alphabet may also separate: `key=…`, `/path/…`, `?token=…-…`.
    for (const separators of [/=(?=[^=])/u, /[=/]/u, /[=/_-]/u]) {
      const found = parts(text, run, separators).flatMap(({ start, end }): Decoded[] => {
        const decoded = readableText(Buffer.from(text.slice(start, end), 'base64'));
        return decoded === null ? [] : [{ how: 'Base64', start, end, text: decoded, exact: true }];
      });
      if (found.length > 0) return found;
    }
    return [];
  });

/** The parts of a run between separators that are long enough to carry a text. */
function parts(
  text: string,
  run: { start: number; end: number },
  separators: RegExp,
): { start: number; end: number }[] {
  let start = run.start;
  return text
    .slice(run.start, run.end)
    .split(separators)
    .map((part) => {
      const at = { start, end: start + part.length };
      start = at.end + 1;
      return at;
    })
    .filter(({ start: from, end }) => end - from >= shortestBase64)
    .slice(0, maxParts);
}

const hex = (text: string): Decoded[] =>
  runs(text, isHex, 24).flatMap(({ start, end }) => {
    const decoded =
      (end - start) % 2 === 0 ? readableText(Buffer.from(text.slice(start, end), 'hex')) : null;
    return decoded === null ? [] : [{ how: 'hexadecimal', start, end, text: decoded, exact: true }];
  });

/** Digits, and what separates numbers of a list. */
const isListed = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 32 || code === 44 || code === 59;

/** "82,101,97,100" and "01010010 01100101": each number is a character. */
const numbers = (text: string): Decoded[] =>
  runs(text, isListed, 48).flatMap(({ start, end }) => {
    const items = text.slice(start, end).match(/\d+/gu) ?? [];
    const inBits = items.every((item) => /^[01]{7,8}$/u.test(item));
    const codes = items.map((item) => Number.parseInt(item, inBits ? 2 : 10));
    const decoded = codes.every((code) => code < 256) ? readableText(Buffer.from(codes)) : null;
    return decoded === null
      ? []
      : [{ how: 'character codes', start, end, text: decoded, exact: true }];
  });

/** Consecutive single-character escapes: \x52, \u0052, %52, &#82; */
function escapes(
  text: string,
  how: string,
  pattern: RegExp,
  value: (match: RegExpExecArray) => number,
): Decoded[] {
  const found: Decoded[] = [];
  // The part being read: its start and end, its text so far, and its number of escapes.
  let [begun, ended, read, count] = [-1, -1, '', 0];
  const keep = () => {
    if (count >= 6) found.push({ how, start: begun, end: ended, text: read, exact: true });
    count = 0;
  };
  for (
    let match = pattern.exec(text);
    match && found.length < maxParts;
    match = pattern.exec(text)
  ) {
    const start = match.index;
    const character = String.fromCodePoint(Math.min(value(match), 0x10ffff));
    if (count > 0 && start === ended) read += character;
    else if (count > 0 && start - ended <= 12 && !text.slice(ended, start).includes('\n'))
      read += text.slice(ended, start) + character;
    else {
      keep();
      [begun, read] = [start, character];
    }
    ended = start + match[0].length;
    count += 1;
  }
  keep();
  return found;
}

/** Frequent English words after rotation; none of them is a word before. */
const turnedWords =
  /\b(?:gur|naq|lbhe?|guvf|gung|jvgu|jvyy|sebz|vagb|zhfg|fubhyq|hfre|orsber|pnyy|nyjnlf|abg|sbe|nafjre|fraq|cyrnfr|gbby|unf)\b/i;

function rot13(text: string): Decoded[] {
  if (!/rot-?13/i.test(text) && !turnedWords.test(text)) return [];
  const turned = text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)),
  );
  return [{ how: 'ROT13', start: 0, end: text.length, text: turned, exact: true }];
}

function backwards(text: string, original: string): Decoded[] {
  if (!/backwards|reverse|rückwärts|\u202e/i.test(original)) return [];
  return [
    {
      how: 'reversed text',
      start: 0,
      end: text.length,
      text: Array.from(text.slice(0, maxPart)).reverse().join(''),
    },
  ];
}

/**
 * “R e a d t h e”, “i.g.n.o.r.e”: single letters, where two gaps or a different gap separate words.
 */
function spaced(text: string): Decoded[] {
  const found: Decoded[] = [];
  for (const separator of [' ', '.', '-', '_']) {
    for (let index = 0; index < text.length && found.length < maxParts; index += 1) {
      const start = index;
      let letters = 0;
      let word = '';
      while (index < text.length) {
        const character = text.charAt(index);
        if (character === separator || character === '\n') break;
        word += character;
        letters += 1;
        index += 1;
        if (text.charAt(index) !== separator) {
          if (
            separator !== ' ' &&
            text.charAt(index) === ' ' &&
            text.charAt(index + 2) === separator
          ) {
            word += ' ';
            index += 1;
            continue;
          }
          break;
        }
        index += 1;
        if (text.charAt(index) === separator) {
          word += ' ';
          while (text.charAt(index) === separator) index += 1;
        }
      }
      if (letters >= 12)
        found.push({
          how: 'spaced-out letters',
          start,
          end: Math.min(index + 1, text.length),
          text: word,
        });
    }
  }
  return found;
}

const digitLetters: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
};

const isDigitLetter = (code: number): boolean =>
  code === 64 || code === 36 || (code >= 48 && code <= 55 && code !== 50 && code !== 54);
const isPlainLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isTokenCode = (code: number): boolean =>
  isPlainLetter(code) || isDigitLetter(code) || (code >= 48 && code <= 57);

/** One word with digits is a name, not a disguise: “id_ed25519” is not “id_ed2ssi9”. */
const minDisguised = 2;
/** Nobody writes this many words with a digit before a letter for another reason. */
const minSpelled = 5;

/** A number is a number: digits stand for letters only where they are among letters. */
function leet(text: string): Decoded[] {
  const part = text.slice(0, maxPart);
  let [read, from, disguised, spelled] = ['', 0, 0, 0];
  for (let index = 0; index < part.length; index += 1) {
    const start = index;
    let [letters, digits, within] = [false, false, false];
    for (; index < part.length; index += 1) {
      const code = part.charCodeAt(index);
      if (!isTokenCode(code)) break;
      if (isPlainLetter(code)) {
        letters = true;
        within ||= digits;
      } else if (isDigitLetter(code)) digits = true;
    }
    if (!letters || !digits) continue;
    const token = part.slice(start, index);
    read += part.slice(from, start);
    read += token.replace(/[013457@$]/g, (digit) => digitLetters[digit] ?? digit);
    from = index;
    disguised += 1;
    if (within) spelled += 1;
  }
  return disguised < minDisguised
    ? []
    : [
        {
          how: 'digits used as letters',
          start: 0,
          end: text.length,
          text: read + part.slice(from),
          aligned: true,
          exact: spelled >= minSpelled,
        },
      ];
}

/** Every text that a text may encode. The words decide which decodings are worth trying. */
export function decodingsOf(text: string, words: Words, original: string): Decoded[] {
  const found: Decoded[] = [];
  if (words.longest >= 20) found.push(...base64(text), ...hex(text));
  found.push(...numbers(text));
  if (text.includes('%'))
    found.push(
      ...escapes(text, 'percent encoding', /%([0-9a-f]{2})/gi, (match) =>
        Number.parseInt(match[1] ?? '', 16),
      ),
    );
  if (text.includes('\\'))
    found.push(
      ...escapes(text, 'escape sequences', /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/gi, (match) =>
        Number.parseInt(match[1] ?? match[2] ?? '', 16),
      ),
    );
  if (text.includes('&#'))
    found.push(
      ...escapes(text, 'character references', /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (match) =>
        match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16),
      ),
    );
  if (words.singles >= 10) found.push(...spaced(text));
  if (words.digits >= 5 || words.digits + words.singles >= 10) found.push(...leet(text));
  if (words.digits >= 2 || text !== original || (words.allHi & codedHi) !== 0)
    found.push(...rot13(text));
  found.push(...backwardsWhereSaid(text, words, original));
  return found;
}

function backwardsWhereSaid(text: string, words: Words, original: string): Decoded[] {
  return (words.allHi & codedHi) !== 0 || text !== original ? backwards(text, original) : [];
}
