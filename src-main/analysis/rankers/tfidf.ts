import { buildTfidf } from '../tfidf.ts';
import { characterNgrams } from '../tokenizer.ts';
import { indexByScore, type Ranker } from './ranker.ts';

const grams = characterNgrams(3, 5);

/**
 * Cosine of character 3- to 5-grams (inside words) of name and description. Score 0–1. Source:
 * docs/rules.md §5.
 */
export const tfidfRanker: Ranker = {
  id: 'tfidf',
  title: 'TF-IDF over character n-grams',
  index(tools) {
    const space = buildTfidf(tools.map((tool) => grams(`${tool.name} ${tool.description}`)));
    return indexByScore(tools, (query) => space.cosines(grams(query)));
  },
};
