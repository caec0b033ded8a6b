import { bm25Of, type Bm25 } from '../bm25.ts';
import { PostingsBuilder } from '../postings.ts';
import { words } from '../tokenizer.ts';
import { numberWords } from '../wordScan.ts';
import { indexByScore, type RankableTool, type Ranker } from './ranker.ts';

/**
 * Textbook BM25 over name and description, weight 1 each, k1 1.2, b 0.75. Score ≥ 0, not comparable
 * between queries. Source: docs/rules.md §5.
 */
export const bm25Ranker: Ranker = {
  id: 'bm25',
  title: 'BM25 over name and description',
  index(tools) {
    const bm25 = build(tools);
    return indexByScore(tools, (query) => bm25.score(words(query)));
  },
};

/** A separate function, so that temporary data is released once the index is built. */
function build(tools: readonly RankableTool[]): Bm25 {
  const builder = new PostingsBuilder(tools.length);
  const note = (term: number): void => builder.add(term, 1);
  for (const { name, description } of tools) {
    numberWords(name, builder.vocabulary, note);
    numberWords(description, builder.vocabulary, note);
    builder.endDocument();
  }
  return bm25Of(builder.finish());
}
