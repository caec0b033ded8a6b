/** The words of a text that mean something to a rule, in order; everything else is left out. */
export interface Words {
  readonly count: number;
  /** Offsets in the text; end exclusive. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly lo: Int32Array;
  readonly hi: Int32Array;
  /** Number of the sentence that the word stands in. */
  readonly sentence: Int32Array;
  /** How many sentences came to an end. */
  readonly ended: number;
  /** Union of all masks: what a rule needs and is not here need not be looked for. */
  readonly allLo: number;
  readonly allHi: number;
  /**
   * Length of the longest run without a space, words of one letter, digits within words: what hints
   * at an encoding.
   */
  readonly longest: number;
  readonly singles: number;
  readonly digits: number;
}

/** What is known of a text besides its words. */
export type Hints = Pick<Words, 'ended' | 'longest' | 'singles' | 'digits'>;

const nothing = new Int32Array(0);
const usualSize = 1 << 10;
const maxKept = 1 << 14;

/**
 * Where words are written while a text is read. It is used again for each text and grows by
 * doubling, so that a text costs no more than the words that it has: `take` copies them out at
 * their exact number.
 */
export class WordWriter {
  count = 0;
  start = new Int32Array(usualSize);
  end = new Int32Array(usualSize);
  lo = new Int32Array(usualSize);
  hi = new Int32Array(usualSize);
  sentence = new Int32Array(usualSize);
  #allLo = 0;
  #allHi = 0;

  push(start: number, end: number, lo: number, hi: number, sentence: number): void {
    const at = this.count;
    if (at === this.start.length) this.#resize(at * 2);
    this.start[at] = start;
    this.end[at] = end;
    this.lo[at] = lo;
    this.hi[at] = hi;
    this.sentence[at] = sentence;
    this.count = at + 1;
    this.#allLo |= lo;
    this.#allHi |= hi;
  }

  /** The words written so far; the next text begins anew. */
  take(hints: Hints): Words {
    const { count } = this;
    const cut = (column: Int32Array): Int32Array =>
      count === 0 ? nothing : column.slice(0, count);
    const words = {
      ...hints,
      count,
      start: cut(this.start),
      end: cut(this.end),
      lo: cut(this.lo),
      hi: cut(this.hi),
      sentence: cut(this.sentence),
      allLo: this.#allLo,
      allHi: this.#allHi,
    };
    this.count = 0;
    this.#allLo = 0;
    this.#allHi = 0;
    if (this.start.length > maxKept) this.#resize(usualSize);
    return words;
  }

  #resize(size: number): void {
    const resized = (column: Int32Array): Int32Array<ArrayBuffer> => {
      const next = new Int32Array(size);
      if (this.count > 0) next.set(column);
      return next;
    };
    this.start = resized(this.start);
    this.end = resized(this.end);
    this.lo = resized(this.lo);
    this.hi = resized(this.hi);
    this.sentence = resized(this.sentence);
  }
}
