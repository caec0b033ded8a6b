import { buildBm25 } from '../bm25.ts';
import { words } from '../tokenizer.ts';
import { indexByScore, type Ranker } from './ranker.ts';

/** Textbook BM25 over name and description, weight 1 each, k1 1.2, b 0.75. Score ≥ 0, not comparable between queries. Source: docs/rules.md §5. */
export const bm25Ranker: Ranker = {
  id: 'bm25',
  index(tools) {
    const bm25 = buildBm25(tools.map((tool) => [{ terms: words(`${tool.name} ${tool.description}`), weight: 1 }]));
    return indexByScore(tools, (query) => bm25.score(words(query)));
  },
};
