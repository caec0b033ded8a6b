import { describe, expect, it } from 'vitest';
import { bm25Of } from './bm25.ts';
import { buildTfidf } from './tfidf.ts';
import { buildPostings, type WeightedTerms } from './postings.ts';

const bm25Over = (documents: readonly WeightedTerms[]) => bm25Of(buildPostings(documents));

const plain = (...documents: string[]) =>
  documents.map((text) => [{ terms: text.split(' '), weight: 1 }]);

describe('bm25Of', () => {
  // Three documents of 2, 4 and 3 words: average length 3. "cat" stands in two of them, "dog" in
  // one.
  const bm25 = bm25Over(plain('cat sat', 'cat cat dog ran', 'bird flew away'));

  it('follows the textbook formula, worked by hand', () => {
    const idfCat = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
    const idfDog = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5));
    // Length factors: 1.2 · (0.25 + 0.75 · 2/3) = 0.9 and 1.2 · (0.25 + 0.75 · 4/3) = 1.5.
    const [first, second, third] = bm25.score(['cat', 'dog']);
    expect(first).toBeCloseTo((idfCat * 2.2) / 1.9, 12);
    expect(second).toBeCloseTo((idfCat * 2 * 2.2) / 3.5 + (idfDog * 2.2) / 2.5, 12);
    expect(third).toBe(0);
    expect(first).toBeCloseTo(0.5442151, 6);
  });

  it('counts repeated query words and ignores unknown ones', () => {
    const once = bm25.score(['cat'])[0] ?? 0;
    expect(bm25.score(['cat', 'cat', 'unknown'])[0]).toBeCloseTo(2 * once, 12);
  });

  it('weights a field like repeating its terms', () => {
    const weighted = bm25Over([
      [
        { terms: ['cat'], weight: 2 },
        { terms: ['sat'], weight: 1 },
      ],
      [{ terms: ['dog'], weight: 1 }],
    ]);
    const written = bm25Over(plain('cat cat sat', 'dog'));
    expect([...weighted.score(['cat', 'dog'])]).toEqual([...written.score(['cat', 'dog'])]);
  });

  it('scores 0 for no documents or no terms, never NaN', () => {
    expect([...bm25Over([]).score(['cat'])]).toEqual([]);
    expect([...bm25Over([[{ terms: [], weight: 1 }]]).score(['cat'])]).toEqual([0]);
  });
});

describe('buildPostings', () => {
  it('counts documents, not occurrences', () => {
    const { vocabulary, start } = buildPostings(plain('a b a', 'b'));
    const documentsWith = (term: string) => {
      const id = vocabulary.find(term);
      return (start[id + 1] ?? 0) - (start[id] ?? 0);
    };
    expect(documentsWith('a')).toBe(1);
    expect(documentsWith('b')).toBe(2);
    expect(vocabulary.find('c')).toBe(-1);
  });
});

describe('buildTfidf', () => {
  const space = buildTfidf([['a', 'b'], ['a', 'a', 'c'], []]);

  it('follows the smoothed idf with L2 normalization, worked by hand', () => {
    const idfA = Math.log(4 / 3) + 1;
    const idfB = Math.log(4 / 2) + 1;
    const cosine = space.cosines(['a'])[0];
    expect(cosine).toBeCloseTo(idfA / Math.hypot(idfA, idfB), 12);
    expect(cosine).toBeCloseTo(0.6053485, 6);
  });

  it('gives a document cosine 1 with itself and an empty one 0 with everything', () => {
    expect(space.cosines(['a', 'a', 'c'])[1]).toBeCloseTo(1, 12);
    for (const value of space.cosines(['a', 'a', 'c'])) expect(value).toBeLessThanOrEqual(1);
    expect(space.cosines(['a'])[2]).toBe(0);
    expect([...space.cosines([])]).toEqual([0, 0, 0]);
  });

  it('lowers the cosine for unknown query words', () => {
    expect(space.cosines(['a', 'z'])[0]).toBeLessThan(space.cosines(['a'])[0] ?? 0);
  });
});
