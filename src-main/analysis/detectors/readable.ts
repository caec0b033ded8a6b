import { codePointAt } from '../codePointAt.ts';
import {
  hasCyrillicOrKin,
  isCyrillicOrKin,
  isInvisible,
  isPlain,
  isVariationSelector,
  latinLookalike,
} from './characters.ts';

/** A text as a model would read it, with the position of each character in the original. */
export interface Readable {
  text: string;
  /** Null if nothing was changed. Otherwise one offset for each character, and one for the end. */
  origin: Int32Array | null;
}

const isLatin = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isLetter = (code: number) =>
  isLatin(code) || isCyrillicOrKin(code) || (code >= 0xc0 && code <= 0x24f);
const isStyled = (code: number) =>
  (code >= 0xff01 && code <= 0xff5e) || (code >= 0x1d400 && code <= 0x1d7ff);

/**
 * What a model reads instead of a character, or null if it reads the character. NFKC writes a wide
 * letter at a fixed distance.
 */
function readAs(code: number): string | null {
  if (isInvisible(code) || isVariationSelector(code)) return '';
  if (!isStyled(code)) return null;
  return code <= 0xff5e
    ? String.fromCharCode(code - 0xfee0)
    : String.fromCodePoint(code).normalize('NFKC');
}

/** The first halves of styled letters, and of tags and variation selectors. */
const deceptiveSurrogates = [0xd835, 0xdb40];

/** Whether the text contains anything deceptive; decided without copying it. */
function needsReading(text: string): boolean {
  if (isPlain(text)) return false;
  let latin = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) {
      if (isInvisible(code) || isVariationSelector(code) || isStyled(code)) return true;
      if (deceptiveSurrogates.includes(code)) return true;
      if (isCyrillicOrKin(code) && (latin || isLatin(text.charCodeAt(index + 1)))) return true;
    }
    latin = isLatin(code);
  }
  return false;
}

/**
 * The text without invisible characters, with styled letters normalized (Unicode NFKC) and, in
 * words that mix alphabets, letters replaced by the Latin ones that they resemble.
 */
export function readableOf(text: string): Readable {
  if (!needsReading(text)) return { text, origin: null };
  const origin: number[] = [];
  let read = '';
  let from = 0;
  for (let index = 0; index < text.length;) {
    const code = codePointAt(text, index);
    const next = index + (code > 0xffff ? 2 : 1);
    const instead = readAs(code);
    if (instead !== null) {
      read += text.slice(from, index) + instead;
      from = next;
    }
    const length = instead === null ? next - index : instead.length;
    for (let at = 0; at < length; at += 1) origin.push(index);
    index = next;
  }
  read += text.slice(from);
  origin.push(text.length);
  return { text: foldMixedWords(read), origin: Int32Array.from(origin) };
}

function foldMixedWords(text: string): string {
  if (!hasCyrillicOrKin(text)) return text;
  const characters = text.split('');
  const mixed: [number, number][] = [];
  const foreign: [number, number][] = [];
  for (let start = 0; start < characters.length; start += 1) {
    let end = start;
    let latins = 0;
    let foreigners = 0;
    for (; end < characters.length; end += 1) {
      const code = (characters[end] ?? '').charCodeAt(0);
      if (!isLetter(code)) break;
      if (isCyrillicOrKin(code)) foreigners += 1;
      else latins += 1;
    }
    if (foreigners > 0) (latins > 0 ? mixed : foreign).push([start, end]);
    if (end > start) start = end;
  }
  // If one word hides letters, a short word made entirely of lookalikes is hiding too.
  for (const [start, end] of mixed.length > 0 ? [...mixed, ...foreign] : []) {
    for (let index = start; index < end; index += 1) {
      const plain = latinLookalike((characters[index] ?? '').charCodeAt(0));
      if (plain !== null) characters[index] = plain;
    }
  }
  return characters.join('');
}

/** The span in the original of a span in the readable text. */
export function originalSpan({ origin }: Readable, start: number, end: number): [number, number] {
  if (!origin) return [start, end];
  const from = origin[start] ?? 0;
  const to = end <= start ? from : (origin[end] ?? from);
  return [from, Math.max(to, from)];
}
