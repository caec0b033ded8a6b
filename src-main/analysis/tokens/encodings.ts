import { createRequire } from 'node:module';
import type { TiktokenBPE } from 'js-tiktoken/lite';
import { finish, finishInTurns, type Steps } from '../../runtime/steps.ts';
import { type YieldIfDue } from '../../runtime/yieldToEventLoop.ts';
import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import { codePointAt } from '../codePointAt.ts';
import { endMark, endOfPiece } from './asciiPieces.ts';
import { countMerged, visitTokens, type Ranks } from './bytePairs.ts';
import { PieceCounts } from './pieceCounts.ts';

interface Encoding extends Ranks {
  pieces: RegExp;
  splitsCase: boolean;
  ascii: PieceCounts;
  /** Token counts of pieces with non-ASCII characters. */
  counted: Map<string, number>;
}

/**
 * A table is 1 to 2 MB of text, several times that in memory: it is loaded when a text is first
 * counted, which most commands never do.
 */
const loadTable = createRequire(import.meta.url);
const sources: Readonly<Record<EncodingName, { table: () => TiktokenBPE; splitsCase: boolean }>> = {
  cl100k_base: {
    table: () => loadTable('js-tiktoken/ranks/cl100k_base') as TiktokenBPE,
    splitsCase: false,
  },
  o200k_base: {
    table: () => loadTable('js-tiktoken/ranks/o200k_base') as TiktokenBPE,
    splitsCase: true,
  },
};
const loaded = new Map<EncodingName, Encoding>();
const maxCached = 50_000;
const maxCachedLength = 64;

/** Tokens read between two yields to the event loop. */
const readAtOnce = 2_000;

/**
 * Reads js-tiktoken's rank table: lines of `! <first rank> <base64 token>…`. Yields regularly so
 * that other work can proceed.
 */
function* read(name: EncodingName): Steps<Encoding> {
  const rankOf = new Map<string, number>();
  let longest = 0;
  const { table, splitsCase } = sources[name];
  const { bpe_ranks: lines, pat_str: pattern } = table();
  yield;
  for (const line of lines.split('\n')) {
    const [, offset, ...tokens] = line.split(' ');
    const first = Number(offset);
    for (let index = 0; index < tokens.length; index += 1) {
      const bytes = atob(tokens[index] ?? '');
      rankOf.set(bytes, first + index);
      if (bytes.length > longest) longest = bytes.length;
      if (rankOf.size % readAtOnce === 0) yield;
    }
  }
  const encoding = {
    rankOf,
    longest,
    pieces: new RegExp(pattern, 'gu'),
    splitsCase,
    ascii: new PieceCounts(),
    counted: new Map<string, number>(),
  };
  loaded.set(name, encoding);
  return encoding;
}

function load(name: EncodingName): Encoding {
  return loaded.get(name) ?? finish(read(name));
}

/**
 * Reads a rank table in small steps before it is needed, so that the first count doesn't block the
 * event loop.
 */
export async function loadEncoding(name: EncodingName, yieldIfDue: YieldIfDue): Promise<void> {
  if (!loaded.has(name)) await finishInTurns(read(name), undefined, yieldIfDue);
}

/**
 * Bytes of the text being counted. The buffer grows with the longest text, and one that is much
 * larger than usual is not kept.
 */
let scratch = Buffer.alloc(1 << 16);
const maxScratch = 1 << 22;

/** The bytes of an ASCII text followed by the end marker; null if any character is not ASCII. */
function asciiBytes(text: string): Buffer | null {
  let bytes = scratch;
  if (text.length + 4 > bytes.length) {
    bytes = Buffer.allocUnsafe(text.length * 2 + 4);
    if (bytes.length <= maxScratch) scratch = bytes;
  }
  // A non-ASCII character takes more bytes than UTF-16 units, so the number of written bytes
  // exceeds the length of the text, whether or not all of it fits.
  if (bytes.write(text, 0, text.length + 4, 'utf8') !== text.length) return null;
  bytes[text.length] = endMark;
  return bytes;
}

function countPiece(piece: string, encoding: Encoding): number {
  const known = encoding.counted.get(piece);
  if (known !== undefined) return known;
  const bytes = Buffer.from(piece, 'utf8').toString('latin1');
  const count = encoding.rankOf.has(bytes) ? 1 : countMerged(bytes, encoding);
  if (piece.length <= maxCachedLength && encoding.counted.size < maxCached)
    encoding.counted.set(piece, count);
  return count;
}

/** Called for each piece of a text in order, with its position and number of tokens. */
type Visit = (from: number, to: number, tokens: number) => void;

function walk(text: string, encoding: Encoding, visit: Visit): void {
  const bytes = asciiBytes(text);
  if (bytes === null) {
    for (const match of text.matchAll(encoding.pieces))
      visit(match.index, match.index + match[0].length, countPiece(match[0], encoding));
    return;
  }
  const { ascii, splitsCase } = encoding;
  const count = countIn(bytes, encoding);
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(bytes, at, splitsCase);
    visit(at, end, ascii.get(bytes, at, end, count));
    at = end;
  }
}

/** Counts a piece of ASCII text that isn't in the cache yet. */
const countIn =
  (bytes: Buffer, encoding: Encoding) =>
  (from: number, to: number): number => {
    const piece = bytes.toString('latin1', from, to);
    return encoding.rankOf.has(piece) ? 1 : countMerged(piece, encoding);
  };

/**
 * Number of tokens of a text. What looks like a special token is ordinary text. Equal to
 * js-tiktoken's `encode(text, [], []).length` for every text, in time linear in the text
 * (docs/rules.md §6).
 * @param text any text
 * @param name the encoding; `cl100k_base` is the one that budgets are stated in
 * @returns tokens, ≥ 0
 */
export function countTokens(text: string, name: EncodingName = 'cl100k_base'): number {
  const encoding = load(name);
  const bytes = asciiBytes(text);
  let sum = 0;
  if (bytes === null) {
    for (const [piece] of text.matchAll(encoding.pieces)) sum += countPiece(piece, encoding);
    return sum;
  }
  // The same steps as `walk`, without a call per piece: entire catalogs are counted here.
  const { ascii, splitsCase } = encoding;
  const count = countIn(bytes, encoding);
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(bytes, at, splitsCase);
    sum += ascii.get(bytes, at, end, count);
    at = end;
  }
  return sum;
}

/**
 * Tokens by range: a token belongs to the range that contains its first byte, and to `rest` if none
 * does. Ranges ascend, don't overlap, and are given in UTF-16 units. All counts sum to
 * `countTokens` (docs/rules.md §6).
 *
 * @param ranges [from, to) of each range
 * @returns one count per range, in order, and the rest
 */
export function countTokensByRange(
  text: string,
  ranges: readonly (readonly [number, number])[],
  name: EncodingName = 'cl100k_base',
): { counts: number[]; rest: number } {
  const encoding = load(name);
  const counts = ranges.map(() => 0);
  let rest = 0;
  let next = 0;
  const add = (range: number, tokens: number): void => {
    if (range < 0) rest += tokens;
    else counts[range] = (counts[range] ?? 0) + tokens;
  };
  const rangeAt = (place: number): number => {
    while (next < ranges.length && (ranges[next]?.[1] ?? 0) <= place) next += 1;
    return next < ranges.length && (ranges[next]?.[0] ?? 0) <= place ? next : -1;
  };
  walk(text, encoding, (from, to, tokens) => {
    const range = rangeAt(from);
    const edge = range < 0 ? (ranges[next]?.[0] ?? Infinity) : (ranges[range]?.[1] ?? Infinity);
    if (to <= edge || tokens === 1) {
      add(range, tokens);
      return;
    }
    visitPlaces(text.slice(from, to), encoding, (place) => add(rangeAt(from + place), 1));
  });
  return { counts, rest };
}

/**
 * Visits where each token of a piece begins: the position of the character that contains its first
 * byte.
 */
function visitPlaces(piece: string, encoding: Encoding, visit: (place: number) => void): void {
  const bytes = Buffer.from(piece, 'utf8').toString('latin1');
  if (encoding.rankOf.has(bytes)) {
    visit(0);
    return;
  }
  if (bytes.length === piece.length) {
    visitTokens(bytes, encoding, visit);
    return;
  }
  let [place, byte] = [0, 0];
  let character = piece.codePointAt(0) ?? 0;
  visitTokens(bytes, encoding, (start) => {
    for (let after = byte + bytesOf(character); after <= start; after = byte + bytesOf(character)) {
      byte = after;
      place += character > 0xffff ? 2 : 1;
      character = place < piece.length ? codePointAt(piece, place) : 0;
    }
    visit(place);
  });
}

/**
 * A lone surrogate is written as the replacement character, three bytes like any other of its
 * plane.
 */
const bytesOf = (character: number): number =>
  character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
