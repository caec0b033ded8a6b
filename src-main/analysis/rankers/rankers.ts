import { bm25Ranker } from './bm25.ts';
import { defaultRanker } from './default.ts';
import { hybridRanker } from './hybrid.ts';
import type { Ranker } from './ranker.ts';
import { tfidfRanker } from './tfidf.ts';

/** Every ranker that needs neither a model nor a server, by ID. */
export const offlineRankers: ReadonlyMap<string, Ranker> = new Map(
  [defaultRanker, bm25Ranker, tfidfRanker, hybridRanker].map((ranker) => [ranker.id, ranker]),
);
