/** One document as an ordered list of weighted terms; a term may occur several times. */
export type WeightedTerms = ReadonlyArray<{ terms: readonly string[]; weight: number }>;

/**
 * An inverted index in flat arrays: the postings of term t are the positions `start[t]` to `start[t + 1]` of `document` and `frequency`.
 * Frequencies are sums of field weights; `length` is the weighted number of terms of each document.
 */
export interface Postings {
  readonly documentCount: number;
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly start: Int32Array;
  readonly document: Int32Array;
  readonly frequency: Float64Array;
  readonly length: Float64Array;
}

/** Builds the index. Documents come out in the order they were given; within a term they ascend. */
export function buildPostings(documents: readonly WeightedTerms[]): Postings {
  const vocabulary = new Map<string, number>();
  const termLists: number[][] = [];
  const weightLists: number[][] = [];
  const length = new Float64Array(documents.length);
  documents.forEach((fields, documentIndex) => {
    const frequencies = new Map<number, number>();
    for (const { terms, weight } of fields) {
      length[documentIndex] = (length[documentIndex] ?? 0) + weight * terms.length;
      for (const term of terms) {
        let id = vocabulary.get(term);
        if (id === undefined) vocabulary.set(term, (id = vocabulary.size));
        frequencies.set(id, (frequencies.get(id) ?? 0) + weight);
      }
    }
    termLists.push([...frequencies.keys()]);
    weightLists.push([...frequencies.values()]);
  });
  return flatten(vocabulary, termLists, weightLists, length);
}

function flatten(vocabulary: Map<string, number>, termLists: number[][], weightLists: number[][], length: Float64Array): Postings {
  const start = new Int32Array(vocabulary.size + 1);
  for (const list of termLists) for (const id of list) start[id + 1] = (start[id + 1] ?? 0) + 1;
  for (let id = 0; id < vocabulary.size; id += 1) start[id + 1] = (start[id + 1] ?? 0) + (start[id] ?? 0);
  const total = start[vocabulary.size] ?? 0;
  const document = new Int32Array(total);
  const frequency = new Float64Array(total);
  const next = start.slice();
  termLists.forEach((list, documentIndex) => {
    list.forEach((id, at) => {
      const position = next[id] ?? 0;
      next[id] = position + 1;
      document[position] = documentIndex;
      frequency[position] = weightLists[documentIndex]?.[at] ?? 0;
    });
  });
  return { documentCount: termLists.length, vocabulary, start, document, frequency, length };
}

/** Number of documents that hold the term; 0 for an unknown one. */
export function documentFrequency(postings: Postings, term: string): number {
  const id = postings.vocabulary.get(term);
  return id === undefined ? 0 : (postings.start[id + 1] ?? 0) - (postings.start[id] ?? 0);
}
