import { buildPostings } from './postings.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * A vector space of TF-IDF weights, stored as an inverted index. weight(t, d) = tf(t, d) · idf(t),
 * idf(t) = ln((1 + N) / (1 + df)) + 1, each document L2-normalized. Source: docs/rules.md §4 and §5
 * (smooth idf as in scikit-learn).
 */
export function buildTfidf(documents: ReadonlyArray<readonly string[]>) {
  const postings = buildPostings(documents.map((terms) => [{ terms, weight: 1 }]));
  const { documentCount, vocabulary, start, document, frequency } = postings;
  const idf = (df: number): number => Math.log((1 + documentCount) / (1 + df)) + 1;

  const idfs = new Float64Array(vocabulary.size);
  const weight = new Float64Array(frequency.length);
  for (let id = 0; id < vocabulary.size; id += 1) {
    const from = start[id] ?? 0;
    const to = start[id + 1] ?? 0;
    const value = idf(to - from);
    idfs[id] = value;
    for (let at = from; at < to; at += 1) weight[at] = (frequency[at] ?? 0) * value;
  }
  const norms = documentNorms(documents, vocabulary, idfs);
  for (let at = 0; at < weight.length; at += 1)
    weight[at] = (weight[at] ?? 0) / (norms[document[at] ?? 0] ?? 1);
  const unknownIdf = idf(0);

  return {
    /**
     * Cosine of a text's features with every document, clamped to 0–1; 0 if either side is empty.
     * Features that no document contains count in the text's length with df = 0, so that cosines of
     * different texts are comparable.
     */
    cosines(features: readonly string[]): Float64Array {
      const cosines = new Float64Array(documentCount);
      const counts = countFeatures(features);
      let squares = 0;
      for (const [feature, count] of counts) {
        const id = vocabulary.find(feature);
        const value = count * (id < 0 ? unknownIdf : (idfs[id] ?? 0));
        squares += value * value;
        if (id < 0) continue;
        const to = start[id + 1] ?? 0;
        for (let at = start[id] ?? 0; at < to; at += 1) {
          const d = document[at] ?? 0;
          cosines[d] = (cosines[d] ?? 0) + value * (weight[at] ?? 0);
        }
      }
      const norm = Math.sqrt(squares);
      return norm === 0 ? cosines : cosines.map((sum) => Math.min(1, sum / norm));
    },
  };
}

function countFeatures(features: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

/**
 * Summed in the order of the document's own features, so that a norm doesn't depend on the
 * document's position.
 */
function documentNorms(
  documents: ReadonlyArray<readonly string[]>,
  vocabulary: Vocabulary,
  idfs: Float64Array,
): Float64Array {
  return Float64Array.from(documents, (terms) => {
    let squares = 0;
    for (const [term, count] of countFeatures(terms)) {
      const value = count * (idfs[vocabulary.find(term)] ?? 0);
      squares += value * value;
    }
    return Math.sqrt(squares);
  });
}
