import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePiece, visitTokens, type Ranks } from './bytePairs.ts';

function readRanks(table: string): Ranks {
  const rankOf = new Map<string, number>();
  for (const line of table.split('\n')) {
    const [, offset, ...tokens] = line.split(' ');
    for (const [index, token] of tokens.entries()) rankOf.set(atob(token), Number(offset) + index);
  }
  const longest = [...rankOf.keys()].reduce((most, { length }) => Math.max(most, length), 0);
  return { rankOf, longest };
}
const tables = {
  cl100k_base: readRanks(cl100k.bpe_ranks),
  o200k_base: readRanks(o200k.bpe_ranks),
};

function inBlocks(bytes: string, ranks: Ranks, block: number): number[] {
  const starts: number[] = [];
  visitTokens(bytes, ranks, (start) => starts.push(start), block);
  return starts;
}

describe('visitTokens', () => {
  it.each(['cl100k_base', 'o200k_base'] as const)(
    '%s: finds the same tokens block by block as in one merge',
    (name) => {
      const ranks = tables[name];
      const word = fc.constantFrom(
        'a',
        'aa',
        'ab',
        'the',
        'ing',
        'token',
        '  ',
        '\t',
        '==',
        '\xc3',
      );
      fc.assert(
        fc.property(
          fc.oneof(
            fc.array(word, { minLength: 20, maxLength: 300 }).map((parts) => parts.join('')),
            fc.stringMatching(/^[ab]{50,400}$/),
            fc.stringMatching(/^[a-z]{50,400}$/),
            fc
              .tuple(fc.constantFrom('a', ' ', '"', '\xf0\x9f\x98\x80'), fc.nat(400))
              .map(([unit, times]) => unit.repeat(times)),
          ),
          fc.constantFrom(16, 37, 64),
          (bytes, block) => {
            expect(inBlocks(bytes, ranks, block)).toEqual(mergePiece(bytes, ranks));
          },
        ),
        { numRuns: 1000 },
      );
    },
  );

  it('visits nothing in an empty piece', () => {
    expect(inBlocks('', tables.cl100k_base, 16)).toEqual([]);
  });
});
