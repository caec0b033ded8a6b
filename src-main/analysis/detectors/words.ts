/** The words of a text that are in the lexicon, in order; all others are left out. */
export interface Words {
  readonly count: number;
  /** Offsets in the text; the end is exclusive. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly lo: Int32Array;
  readonly hi: Int32Array;
  /** Number of the sentence that contains the word. */
  readonly sentence: Int32Array;
  /** How many sentences ended. */
  readonly ended: number;
  /** Union of all masks: a rule whose classes are missing here can be skipped. */
  readonly allLo: number;
  readonly allHi: number;
  /**
   * Length of the longest run without a space, words of one letter, digits within words: hints of
   * an encoding.
   */
  readonly longest: number;
  readonly singles: number;
  readonly digits: number;
}

/** What is known about a text besides its words. */
export type Hints = Pick<Words, 'ended' | 'longest' | 'singles' | 'digits'>;

const nothing = new Int32Array(0);
const usualSize = 1 << 10;
const maxKept = 1 << 14;

/**
 * The buffer that words are written to while a text is read. It is reused for each text and grows
 * by doubling; `take` copies the words out, so that a text costs no more than its words.
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

  /** The words written so far; the next text starts empty. */
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
