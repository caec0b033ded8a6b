import { Vocabulary } from './vocabulary.ts';

/** One document as an ordered list of weighted terms; a term may occur several times. */
export type WeightedTerms = ReadonlyArray<{ terms: readonly string[]; weight: number }>;

/**
 * An inverted index in flat arrays: the postings of term t are the positions `start[t]` to `start[t
 * + 1]` of `document` and `frequency`. Frequencies are sums of field weights; `length` is the
 * weighted number of terms of each document.
 */
export interface Postings {
  readonly documentCount: number;
  readonly vocabulary: Vocabulary;
  readonly start: Int32Array;
  readonly document: Int32Array;
  readonly frequency: Float64Array;
  readonly length: Float64Array;
}

/** Builds the index. Documents keep the given order; within a term they ascend. */
export function buildPostings(documents: readonly WeightedTerms[]): Postings {
  const builder = new PostingsBuilder(documents.length);
  for (const fields of documents) {
    for (const { terms, weight } of fields)
      for (const term of terms) builder.add(builder.vocabulary.add(term), weight);
    builder.endDocument();
  }
  return builder.finish();
}

/**
 * Builds the index from one document at a time, so that the words of all documents are never in
 * memory at once. It allocates no object per posting.
 */
export class PostingsBuilder {
  readonly vocabulary = new Vocabulary();
  /** Pairs of term and frequency, document by document, in arrays that grow by doubling. */
  #term = new Int32Array(1024);
  #frequency = new Float64Array(1024);
  #size = 0;
  readonly #begins: Int32Array;
  readonly #length: Float64Array;
  /**
   * The last pair written for each term. It belongs to the current document if it is at or after
   * the document's start.
   */
  #lastPair = new Int32Array(1024).fill(-1);
  #document = 0;

  constructor(documentCount: number) {
    this.#begins = new Int32Array(documentCount + 1);
    this.#length = new Float64Array(documentCount);
  }

  /** Records one occurrence of a term in the current document. */
  add(term: number, weight: number): void {
    if (term >= this.#lastPair.length) {
      const larger = new Int32Array(Math.max(term + 1, this.#lastPair.length * 2)).fill(-1);
      larger.set(this.#lastPair);
      this.#lastPair = larger;
    }
    this.#length[this.#document] = (this.#length[this.#document] ?? 0) + weight;
    const known = this.#lastPair[term] ?? -1;
    if (known >= (this.#begins[this.#document] ?? 0)) {
      this.#frequency[known] = (this.#frequency[known] ?? 0) + weight;
      return;
    }
    if (this.#size === this.#term.length) this.#widen();
    this.#term[this.#size] = term;
    this.#frequency[this.#size] = weight;
    this.#lastPair[term] = this.#size;
    this.#size += 1;
  }

  endDocument(): void {
    this.#document += 1;
    this.#begins[this.#document] = this.#size;
  }

  #widen(): void {
    const term = new Int32Array(this.#size * 2);
    term.set(this.#term);
    this.#term = term;
    const frequency = new Float64Array(this.#size * 2);
    frequency.set(this.#frequency);
    this.#frequency = frequency;
  }

  /** Sorts the pairs by term with a counting sort. */
  finish(): Postings {
    const terms = this.vocabulary.size;
    const start = new Int32Array(terms + 1);
    const source = this.#term;
    for (let at = 0; at < this.#size; at += 1) {
      const after = (source[at] ?? 0) + 1;
      start[after] = (start[after] ?? 0) + 1;
    }
    for (let id = 0; id < terms; id += 1) start[id + 1] = (start[id + 1] ?? 0) + (start[id] ?? 0);
    const document = new Int32Array(this.#size);
    const frequency = new Float64Array(this.#size);
    const next = start.slice();
    for (let index = 0; index < this.#length.length; index += 1) {
      const end = this.#begins[index + 1] ?? 0;
      for (let at = this.#begins[index] ?? 0; at < end; at += 1) {
        const id = source[at] ?? 0;
        const position = next[id] ?? 0;
        next[id] = position + 1;
        document[position] = index;
        frequency[position] = this.#frequency[at] ?? 0;
      }
    }
    return {
      documentCount: this.#length.length,
      vocabulary: this.vocabulary,
      start,
      document,
      frequency,
      length: this.#length,
    };
  }
}
