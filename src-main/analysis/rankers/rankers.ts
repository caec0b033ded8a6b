import { bm25Ranker } from './bm25.ts';
import { defaultRanker } from './default.ts';
import { indexByScore, type Ranker, type Index } from './ranker.ts';
import { tfidfRanker } from './tfidf.ts';

/**
 * The constant of reciprocal rank fusion: large enough that a single first place doesn't decide.
 */
const rankConstant = 60;

/**
 * Reciprocal rank fusion of `bm25` and `tfidf`: score(d) = Σ over both of 1 / (60 + rank(d)), ranks
 * from 1. Range 0–2/61; only the order means anything.
 * Source: docs/rules.md §5; Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
 */
const hybridRanker: Ranker = {
  id: 'hybrid',
  title: 'BM25 and TF-IDF, fused by rank',
  index(tools) {
    const parts: Index[] = [bm25Ranker.index(tools), tfidfRanker.index(tools)];
    return indexByScore(tools, (query) => {
      const scores = new Float64Array(tools.length);
      for (const part of parts) {
        part.rank(query).forEach(({ toolIndex }, at) => {
          scores[toolIndex] = (scores[toolIndex] ?? 0) + 1 / (rankConstant + at + 1);
        });
      }
      return scores;
    });
  },
};

/** Every ranker that needs neither a model nor a server, by ID. */
export const offlineRankers: ReadonlyMap<string, Ranker> = new Map(
  [defaultRanker, bm25Ranker, tfidfRanker, hybridRanker].map((ranker) => [ranker.id, ranker]),
);
