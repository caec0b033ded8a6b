import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  averagePrecision,
  duplicateIn,
  scoreRanking,
  meanRankingMetrics,
  ndcgAt,
  recallAt,
  reciprocalRank,
} from './ranking.ts';

const relevance = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 1],
  ['z', 0],
]);
const ranking = ['x', 'b', 'z', 'a', 'y'];

describe('ranking metrics, computed by hand', () => {
  it('recallAt divides by all relevant ids', () => {
    expect(recallAt(ranking, relevance, 1)).toBe(0);
    expect(recallAt(ranking, relevance, 3)).toBeCloseTo(1 / 3, 12);
    expect(recallAt(ranking, relevance, 10)).toBeCloseTo(2 / 3, 12);
  });

  it('reciprocalRank ignores relevance 0', () => {
    expect(reciprocalRank(ranking, relevance)).toBe(1 / 2);
    expect(reciprocalRank(['z', 'x'], relevance)).toBe(0);
  });

  it('ndcgAt uses linear gain and the ideal of all relevant ids', () => {
    const dcg = 1 / Math.log2(3) + 2 / Math.log2(5);
    const ideal = 2 + 1 / Math.log2(3) + 1 / 2;
    expect(ndcgAt(ranking, relevance, 10)).toBeCloseTo(dcg / ideal, 12);
    expect(ndcgAt(ranking, relevance, 10)).toBeCloseTo(0.4766261, 6);
    expect(ndcgAt(ranking, relevance, 2)).toBeCloseTo(
      1 / Math.log2(3) / (2 + 1 / Math.log2(3)),
      12,
    );
  });

  it('averagePrecision counts relevant ids that were not found', () => {
    expect(averagePrecision(ranking, relevance)).toBeCloseTo((1 / 2 + 2 / 4) / 3, 12);
  });

  it('return null when nothing is relevant', () => {
    for (const metric of [reciprocalRank, averagePrecision])
      expect(metric(ranking, new Map([['z', 0]]))).toBeNull();
    expect(recallAt(ranking, new Map(), 5)).toBeNull();
    expect(ndcgAt(ranking, new Map(), 10)).toBeNull();
    expect(meanRankingMetrics([{ ranking, relevance: new Map() }])).toBeNull();
  });

  it('meanRankingMetrics scores 0 for a query without a ranking', () => {
    const perfect = { ranking: ['a'], relevance: new Map([['a', 1]]) };
    const missing = { ranking: [], relevance: new Map([['a', 1]]) };
    expect(meanRankingMetrics([perfect, missing])).toEqual({
      recallAt: { 1: 0.5, 3: 0.5, 5: 0.5, 10: 0.5 },
      mrr: 0.5,
      ndcgAt10: 0.5,
      map: 0.5,
    });
  });

  it('rejects a duplicate id', () => {
    expect(duplicateIn(['a', 'b', 'a'])).toBe('a');
    expect(duplicateIn(ranking)).toBeNull();
    expect(() => meanRankingMetrics([{ ranking: ['a', 'a'], relevance }])).toThrow(/"a" twice/);
  });
});

describe('scoreRanking', () => {
  it('agrees with the single metrics', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')), {
      maxLength: 26,
    });
    fc.assert(
      fc.property(
        ids,
        fc.dictionary(
          fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')),
          fc.constantFrom(0, 1, 2),
          { maxKeys: 20 },
        ),
        (order, labels) => {
          const graded = new Map(Object.entries(labels));
          const judged = scoreRanking(order, graded);
          if (averagePrecision(order, graded) === null) {
            expect(judged).toBeNull();
            return;
          }
          for (const k of [1, 3, 5, 10] as const)
            expect(judged?.recallAt[k]).toBeCloseTo(recallAt(order, graded, k) ?? NaN, 12);
          expect(judged?.reciprocalRank).toBe(reciprocalRank(order, graded));
          expect(judged?.ndcgAt10).toBeCloseTo(ndcgAt(order, graded, 10) ?? NaN, 12);
          expect(judged?.averagePrecision).toBeCloseTo(averagePrecision(order, graded) ?? NaN, 12);
        },
      ),
    );
  });

  it('cuts the ideal at ten and divides recall@10 by all 12 relevant ids', () => {
    const twelve = 'abcdefghijkl'.split('');
    const judged = scoreRanking(
      [...twelve.slice(0, 10), 'x'],
      new Map(twelve.map((id) => [id, 1])),
    );
    expect(judged?.recallAt[10]).toBeCloseTo(10 / 12, 12);
    expect(judged?.ndcgAt10).toBeCloseTo(1, 12);
    expect(judged?.averagePrecision).toBeCloseTo(10 / 12, 12);
  });

  it('scores 0 for an empty ranking', () => {
    expect(scoreRanking([], new Map([['a', 1]]))).toEqual({
      recallAt: { 1: 0, 3: 0, 5: 0, 10: 0 },
      reciprocalRank: 0,
      ndcgAt10: 0,
      averagePrecision: 0,
    });
  });
});
