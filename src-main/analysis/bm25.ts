/**
 * Our own BM25 on typed arrays. minisearch scores with another formula, which shares 56% of the
 * textbook's first ten results, and takes 38 ms per query over 10,000 tools, where this takes 1 ms.
 * SQLite FTS5 shares 91%.
 */
import type { Postings } from './postings.ts';

export interface Bm25Options {
  /** Saturation of the term frequency. */
  k1: number;
  /** Strength of the length normalization, 0–1. */
  b: number;
}
const bm25Defaults: Bm25Options = { k1: 1.2, b: 0.75 };

export interface Bm25 {
  /**
   * One score per document, in document order; 0 if no term is shared. A term that occurs twice in
   * the query counts twice.
   */
  score(queryTerms: readonly string[]): Float64Array;
}

/**
 * BM25 over the postings of documents of weighted fields, so that several rankers can share one index.
 *
 * score(q, d) = Σ over t in q of idf(t) · f · (k1 + 1) / (f + k1 · (1 − b + b · |d| / avg|d|)),
 * idf(t) = ln(1 + (N − df + 0.5) / (df + 0.5)), which is never negative; f is the sum of the
 * weights of the fields' occurrences of t and |d| the weighted length. With every weight 1 this is
 * the textbook formula. Range ≥ 0, no upper bound, not comparable between queries.
 * Source: docs/rules.md §5; Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009),
 * with the idf that Lucene uses.
 */
export function bm25Of(postings: Postings, options: Bm25Options = bm25Defaults): Bm25 {
  const { documentCount, vocabulary, start, document, frequency, length } = postings;
  const { k1, b } = options;
  const averageLength = length.reduce((sum, value) => sum + value, 0) / Math.max(1, documentCount);

  // Everything except the sum over query terms is known in advance: one number per posting.
  const contribution = new Float64Array(document.length);
  for (let id = 0; id < vocabulary.size; id += 1) {
    const from = start[id] ?? 0;
    const to = start[id + 1] ?? 0;
    const df = to - from;
    const idf = Math.log(1 + (documentCount - df + 0.5) / (df + 0.5));
    for (let at = from; at < to; at += 1) {
      const f = frequency[at] ?? 0;
      const relativeLength = (length[document[at] ?? 0] ?? 0) / averageLength;
      contribution[at] = (idf * f * (k1 + 1)) / (f + k1 * (1 - b + b * relativeLength));
    }
  }

  return {
    score(queryTerms) {
      const scores = new Float64Array(documentCount);
      for (const term of queryTerms) {
        const id = vocabulary.find(term);
        if (id < 0) continue;
        const to = start[id + 1] ?? 0;
        for (let at = start[id] ?? 0; at < to; at += 1) {
          const d = document[at] ?? 0;
          scores[d] = (scores[d] ?? 0) + (contribution[at] ?? 0);
        }
      }
      return scores;
    },
  };
}
