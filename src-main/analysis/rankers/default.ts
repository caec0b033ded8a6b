import type { ContentTerm } from '../tokenizer.ts';
import { groupsOf } from '../relatedWords.ts';
import { buildTfidf } from '../tfidf.ts';
import { characterNgrams } from '../tokenizer.ts';
import { buildTermTable, type TermTable } from './termTable.ts';
import { indexByScore, type Ranker } from './ranker.ts';
import { isAmount, rankTerms } from './wordForms.ts';

/** Weight of both parts. They sum to 1, so the score stays within 0–1. */
const share = { coverage: 0.5, spelling: 0.5 };
/**
 * A query word that no tool knows is mostly content (such as the title of a task). It counts
 * against every tool equally, but less than a known word counts for one.
 */
const unknownWordShare = 0.3;

const gramsOf = characterNgrams(3, 5);

/**
 * The best ranker that needs no model. Two views of query q and tool d, each 0–1:
 *
 * - coverage = Σ over distinct content words t of q of w(t) · strength(t, d) / Σ w(t), w = ln((1
 *   + N) / (1 + df)) + 1: which share of what the query says the tool covers. strength is the
 *   strongest field that holds t: name 1, first sentence of the description about 0.7, the rest of
 *   it about 0.5 (both less in a long one), server and parameter names 0.5, descriptions of
 *   parameters 0.4; a related word (`remove` for `delete`) counts 0.6 of it. A word that no tool
 *   knows has 0.3 of its weight; a number that no tool knows,
 *   alone or with its unit, has none. Abbreviations count as the words in full, and nouns of
 *   actions as their verbs.
 * - spelling = cosine of the TF-IDF vectors of character 3- to 5-grams of query and server + name +
 *   description.
 *
 * score = 0.5 · coverage + 0.5 · spelling. Range 0–1 for every query and every catalog, so that a
 * floor can stand on it; 0 = nothing in common. The strengths follow from the order of the fields'
 * meaning. The shares, the share of related words and the use of the server were chosen on the
 * golden sets v1 and v2, whose figures for this ranker flatter it by that much. No corpus under
 * src-main/testing/external was used for a choice. Source: docs/rules.md §5.
 */
export const defaultRanker: Ranker = {
  id: 'default',
  title: 'covered words and spelling',
  index(tools) {
    const table = buildTermTable(tools);
    const space = buildTfidf(
      tools.map((tool) => gramsOf(`${tool.server} ${tool.name} ${tool.description}`)),
    );
    return indexByScore(tools, (query) => {
      const terms = rankTerms(query);
      return scoreAll(tools.length, table, space.cosines(gramsOf(query)), terms);
    });
  },
};

function scoreAll(
  toolCount: number,
  table: TermTable,
  spelling: Float64Array,
  terms: readonly ContentTerm[],
): Float64Array {
  const covered = new Float64Array(toolCount);
  let whole = 0;
  for (const stem of new Set(terms.map((term) => term.stem))) {
    const weight = table.match(stem, groupsOf(stem));
    if (weight === null) {
      if (!isAmount(stem)) whole += table.unknownWeight * unknownWordShare;
      continue;
    }
    whole += weight;
    for (const toolIndex of table.touched) {
      covered[toolIndex] = (covered[toolIndex] ?? 0) + weight * (table.strength[toolIndex] ?? 0);
    }
  }
  return spelling.map(
    (cosine, toolIndex) =>
      share.coverage * (whole === 0 ? 0 : (covered[toolIndex] ?? 0) / whole) +
      share.spelling * cosine,
  );
}
