import { decodeEscapes, foldText, holdsEscapes, type Codes } from './escapes.ts';
import { indexSecrets, type IsPublic, type SecretIndex } from './secretRuns.ts';

export const redacted = '[redacted]';

/** Nested encodings, such as JSON inside JSON inside a URL, are undone up to this depth. */
const maxLevels = 4;
/** Long texts are read in windows, so that decoding them needs little memory. */
const windowLength = 1 << 18;

export type Range = [from: number, to: number];

export interface LeakFinder {
  /** Where a text gives a secret away: disjoint ranges, ascending. */
  leaksIn(text: string): Range[];
  /** Characters that a secret can take in a text, escapes included. */
  longestWritten: number;
}

/**
 * Finds secrets by value, however they are written: as they are, in any case, as escapes of JSON,
 * URLs and HTML (also nested), in Base64 and in hexadecimal, and in parts: a run of more than 8
 * characters of a secret is a leak. A range never cuts an escape in two, so that JSON stays JSON.
 * Linear in the length of the text. Null if there is nothing to find.
 */
export function createLeakFinder(
  secrets: readonly string[],
  isPublic?: IsPublic,
): LeakFinder | null {
  const index = indexSecrets(secrets, isPublic);
  return index === null
    ? null
    : {
        leaksIn: (text) => leaksIn(text, index),
        longestWritten: index.longestWritten,
      };
}

/** The text with every range replaced. The same text where there are none. */
export function replaceRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  let cleaned = '';
  let end = 0;
  for (const [from, to] of ranges) {
    cleaned += text.slice(end, from) + redacted;
    end = to;
  }
  return cleaned + text.slice(end);
}

function leaksIn(text: string, index: SecretIndex): Range[] {
  // Most texts hold neither escapes nor anything that resembles a secret: they cost one look.
  const escaped = holdsEscapes(text, index.hasEscapable);
  if (!escaped && !index.mayHold(text)) return [];
  const ranges: Range[] = [];
  const overlap = index.longestWritten;
  for (let from = 0; ; from += windowLength) {
    const to = Math.min(text.length, from + windowLength + overlap);
    for (const [start, end] of leaksInWindow(text.slice(from, to), index))
      ranges.push([from + start, from + end]);
    if (to === text.length) return merge(ranges);
  }
}

function leaksInWindow(text: string, index: SecretIndex): Range[] {
  const ranges: Range[] = [];
  const plain = foldText(text);
  const decoded = decodeEscapes(plain);
  for (const [from, to] of index.runsIn(plain))
    ranges.push(decoded === null ? [from, to] : wholeEscapes(decoded, from, to));
  let codes = decoded;
  for (let level = 1; codes !== null && level <= maxLevels; level += 1) {
    for (const [from, to] of index.runsIn(codes)) ranges.push(placeOf(codes, from, to));
    codes = decodeEscapes(codes);
  }
  return ranges;
}

/** The place in the text of a run of decoded characters. */
const placeOf = ({ starts, ends }: Codes, from: number, to: number): Range => [
  starts?.[from] ?? from,
  ends?.[to - 1] ?? to,
];

/** The same range, widened so that it holds every escape that it touches whole. */
function wholeEscapes({ starts, ends, length }: Codes, from: number, to: number): Range {
  if (starts === null || ends === null) return [from, to];
  // Binary search for the first decoded character that ends after `from`.
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) > from) high = middle;
    else low = middle + 1;
  }
  const start = Math.min(from, starts[low] ?? from);
  let end = to;
  for (let at = low; at < length && (starts[at] ?? to) < to; at += 1)
    end = Math.max(end, ends[at] ?? to);
  return [start, end];
}

function merge(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
