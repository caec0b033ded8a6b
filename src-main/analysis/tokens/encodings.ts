import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { mergePiece, type Ranks } from './bytePairs.ts';

export const encodingNames = ['cl100k_base', 'o200k_base'] as const;
export type EncodingName = (typeof encodingNames)[number];

interface Encoding extends Ranks {
  pieces: RegExp;
  /** Tokens of pieces met before: words repeat, and most are short. */
  counted: Map<string, number>;
}

const sources = { cl100k_base: cl100k, o200k_base: o200k };
const loaded = new Map<EncodingName, Encoding>();
const maximumCached = 50_000;
const longestCached = 64;

/** Reads js-tiktoken's rank table: lines of `! <first rank> <base64 token>…`. */
function load(name: EncodingName): Encoding {
  const known = loaded.get(name);
  if (known) return known;
  const rankOf = new Map<string, number>();
  let longest = 0;
  for (const line of sources[name].bpe_ranks.split('\n')) {
    const [, offset, ...tokens] = line.split(' ');
    tokens.forEach((token, index) => {
      const bytes = Buffer.from(token, 'base64').toString('latin1');
      rankOf.set(bytes, Number(offset) + index);
      if (bytes.length > longest) longest = bytes.length;
    });
  }
  const encoding = { rankOf, longest, pieces: new RegExp(sources[name].pat_str, 'gu'), counted: new Map<string, number>() };
  loaded.set(name, encoding);
  return encoding;
}

function countPiece(piece: string, encoding: Encoding): number {
  const known = encoding.counted.get(piece);
  if (known !== undefined) return known;
  const bytes = Buffer.from(piece, 'utf8').toString('latin1');
  const count = encoding.rankOf.has(bytes) ? 1 : mergePiece(bytes, encoding).length;
  if (piece.length <= longestCached && encoding.counted.size < maximumCached) encoding.counted.set(piece, count);
  return count;
}

/**
 * Number of tokens of a text. What looks like a special token is ordinary text. Equal to js-tiktoken's
 * `encode(text, [], []).length` for every text, in time linear in the text (docs/rules.md §6).
 * @param text any text
 * @param name the encoding; `cl100k_base` is the one that budgets are stated in
 * @returns tokens, ≥ 0
 */
export function countTokens(text: string, name: EncodingName = 'cl100k_base'): number {
  const encoding = load(name);
  let count = 0;
  for (const [piece] of text.matchAll(encoding.pieces)) count += countPiece(piece, encoding);
  return count;
}
