import { hashStep, ideographicTerms, isIdeographic, slotOf, wordTable } from '../lexicon.ts';
import { letterOf } from '../letters.ts';

/** Number of weights: every feature is hashed to one of them. */
export const buckets = 1 << 19;

/** What a name in a text can refer to, by the hash of the name in lower case. */
export interface Names {
  /** Tools of other servers that the own server doesn't have. */
  foreign: ReadonlySet<number>;
  /** Tools of the own server. */
  own: ReadonlySet<number>;
  /** Parameters. */
  keys: ReadonlySet<number>;
}

export interface ScoredSentence {
  start: number;
  end: number;
  /** Logarithm of the odds that the sentence is an attack. */
  score: number;
}

/** Called once for each sentence; the features are valid until it returns. */
export type Visit = (start: number, end: number, features: Int32Array, count: number) => void;

const token = {
  url: 1,
  query: 2,
  foreign: 3,
  own: 4,
  key: 5,
  identifier: 6,
  number: 7,
  path: 8,
  mail: 9,
  image: 10,
  tag: 11,
  colon: 12,
  edge: 13,
} as const;
const seed = {
  word: 11,
  pair: 12,
  skip: 13,
  class: 14,
  classPair: 15,
  first: 17,
  place: 18,
  length: 19,
  /** How a word ends tells an order from a description: "delete", "deletes"; „sende“, „sendet“. */
  form: 21,
  firstForm: 23,
} as const;

/** A longer run of words without a full stop is read in parts. */
const maxTokens = 60;
const perToken = 8;
const stemLength = 5;

const mix = (a: number, b: number, kind: number): number => {
  let hash = Math.imul(a ^ Math.imul(b + kind, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 13;
  return (Math.imul(hash, 0xc2b2ae35) >>> 4) & (buckets - 1);
};

const buffer = new Int32Array(maxTokens * perToken + 2);

/** Class number of a lexicon entry, 1 to 60; 0 if it has none. */
const classOf = (lo: number, hi: number): number =>
  lo !== 0 ? 32 - Math.clz32(lo & -lo) : hi !== 0 ? 62 - Math.clz32(hi & -hi) : 0;

/** Collects the features of one sentence token by token. */
class Sentence {
  count = 0;
  tokens = 0;
  #last = token.edge as number;
  #beforeLast = token.edge as number;
  #lastClass = 0;

  add(id: number, wordClass: number, form = 0): void {
    let { count } = this;
    if (this.tokens === 0) {
      buffer[count++] = mix(id, wordClass, seed.first);
      if (form !== 0) buffer[count++] = mix(form, 0, seed.firstForm);
    }
    if (form !== 0) buffer[count++] = mix(form, 0, seed.form);
    buffer[count++] = mix(id, 0, seed.word);
    buffer[count++] = mix(this.#last, id, seed.pair);
    buffer[count++] = mix(this.#beforeLast, id, seed.skip);
    this.#beforeLast = this.#last;
    this.#last = id;
    if (wordClass !== 0) {
      buffer[count++] = mix(wordClass, 0, seed.class);
      buffer[count++] = mix(this.#lastClass, wordClass, seed.classPair);
      this.#lastClass = wordClass;
    }
    this.count = count;
    this.tokens += 1;
  }

  close(place: number): void {
    buffer[this.count++] = mix(place, 0, seed.place);
    buffer[this.count++] = mix(place, Math.min(6, this.tokens >> 2), seed.length);
  }

  clear(): void {
    this.count = 0;
    this.tokens = 0;
    this.#last = token.edge;
    this.#beforeLast = token.edge;
    this.#lastClass = 0;
  }
}

const sentence = new Sentence();
const minTokens = 3;

/** Names, addresses and structure have the classes after those of the lexicon. */
const structure = 61;

const isWordCode = (code: number): boolean => letterOf(code) !== 0;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isCapital = (code: number): boolean => code >= 65 && code <= 90;

/**
 * Reads a text sentence by sentence, one step per character. Features are hashes of word stems,
 * pairs and pairs over one word, of the endings of words, of the classes of the lexicon and their
 * pairs, and of the place and length: the same in training and in use. Cost: linear in the text.
 */
export function readSentences(text: string, place: number, names: Names, visit: Visit): void {
  const { length } = text;
  let begun = 0;
  // Most words take two of them.
  let ideographs = 0;
  sentence.clear();
  const end = (at: number) => {
    if (sentence.tokens - (ideographs >> 1) >= minTokens) {
      sentence.close(place);
      visit(begun, at, buffer, sentence.count);
    }
    sentence.clear();
    ideographs = 0;
    begun = at;
  };
  for (let index = 0; index < length;) {
    const code = text.charCodeAt(index);
    if (code > 0x2fff && isIdeographic(code)) {
      sentence.add(code, 0);
      ideographs += 1;
      index += pushTerm(text, index, code);
    } else if (isWordCode(code)) index = readWord(text, index, names);
    else if (isDigit(code)) {
      while (index < length && isDigit(text.charCodeAt(index))) index += 1;
      sentence.add(token.number, 0);
    } else {
      if (isEnd(text, index, code)) end(index + 1);
      else readSign(text, index, code);
      index += 1;
    }
    if (sentence.tokens >= maxTokens) end(index);
  }
  end(length);
}

/** A term of the lexicon counts once, at its first character. Returns 1. */
function pushTerm(text: string, index: number, code: number): number {
  for (const { term, mask } of ideographicTerms.get(code) ?? [])
    if (text.startsWith(term, index)) {
      if (sentence.tokens < maxTokens) sentence.add(seed.class, classOf(mask.lo, mask.hi));
      break;
    }
  return 1;
}

const arabicPrefix = (code: number): boolean =>
  code === 0x648 || code === 0x628 || code === 0x644 || code === 0x641 || code === 0x643;

/** Reads a word, a name or an address. Returns the index after it. */
function readWord(text: string, start: number, names: Names): number {
  const { length } = text;
  let index = start;
  let hash = 0;
  let stem = 0;
  let letters = 0;
  let compound = false;
  let joined = false;
  let separators = 0;
  // The whole name with its separators, for names of tools and parameters.
  let whole = 0;
  for (; index < length; index += 1) {
    const code = text.charCodeAt(index);
    const folded = letterOf(code) || (letters > 0 && isDigit(code) ? code : 0);
    if (folded !== 0) {
      if (isCapital(code) && index > start && text.charCodeAt(index - 1) >= 97) compound = true;
      whole = hashStep(whole, folded);
      if (separators === 0) hash = hashStep(hash, folded);
      if (letters < stemLength) stem = hash;
      letters += 1;
      continue;
    }
    const next = index + 1 < length ? text.charCodeAt(index + 1) : 32;
    if ((code === 95 || code === 45) && (isWordCode(next) || isDigit(next))) {
      if (code === 95) compound = true;
      joined = true;
      separators += 1;
      whole = hashStep(whole, code);
      continue;
    }
    break;
  }
  if (text.charCodeAt(index) === 58 && text.startsWith('://', index))
    return readAddress(text, index);
  if (
    text.charCodeAt(index) === 64 &&
    index + 1 < length &&
    isWordCode(text.charCodeAt(index + 1))
  ) {
    sentence.add(token.mail, structure + 1);
    return skipTo(text, index);
  }
  const isName = compound || joined;
  if (isName && names.foreign.has(whole)) sentence.add(token.foreign, structure + 2);
  else if (isName && names.own.has(whole)) sentence.add(token.own, structure + 3);
  else if (names.keys.size > 0 && names.keys.has(whole)) sentence.add(token.key, structure + 4);
  else if (compound) sentence.add(token.identifier, 0);
  else {
    const slot = slotOf(wordTable, hash);
    const wordClass = slot < 0 ? 0 : classOf(wordTable.lo[slot] ?? 0, wordTable.hi[slot] ?? 0);
    if (isArabic(text, start))
      sentence.add(arabicStem(text, start, index), wordClass, text.charCodeAt(start));
    else sentence.add(stem, wordClass, formOf(text, start, index));
  }
  return index;
}

/** The last two letters of a word in lower case; for shorter words there is nothing to tell. */
function formOf(text: string, start: number, end: number): number {
  if (end - start < 3) return 0;
  return ((text.charCodeAt(end - 2) | 32) << 16) | (text.charCodeAt(end - 1) | 32);
}

const isArabic = (text: string, start: number): boolean => {
  const code = text.charCodeAt(start);
  return code >= 0x600 && code <= 0x6ff;
};

/** Without the conjunctions, prepositions and the article that Arabic writes with the word. */
function arabicStem(text: string, start: number, end: number): number {
  let from = start;
  if (end - from > 4 && arabicPrefix(text.charCodeAt(from))) from += 1;
  if (end - from > 3 && text.charCodeAt(from) === 0x627 && text.charCodeAt(from + 1) === 0x644)
    from += 2;
  else if (end - from > 3 && text.charCodeAt(from) === 0x644) from += 1;
  let hash = 0;
  for (let index = from; index < Math.min(end, from + 4); index += 1)
    hash = hashStep(hash, text.charCodeAt(index));
  return hash;
}

const endsAddress = (code: number): boolean =>
  code <= 32 || code === 34 || code === 41 || code === 62 || code === 93 || code > 0x2fff;

function skipTo(text: string, from: number): number {
  let index = from;
  while (index < text.length && !endsAddress(text.charCodeAt(index))) index += 1;
  return index;
}

function readAddress(text: string, from: number): number {
  const end = skipTo(text, from);
  let asks = false;
  for (let index = from; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 63 || code === 61) asks = true;
  }
  sentence.add(token.url, structure + 5);
  if (asks) sentence.add(token.query, structure + 6);
  // A full stop that ends the sentence isn't part of the address.
  return text.charCodeAt(end - 1) === 46 && end - 1 > from ? end - 1 : end;
}

function isEnd(text: string, index: number, code: number): boolean {
  if (code === 46 || code === 33 || code === 63 || code === 59) {
    const next = index + 1 < text.length ? text.charCodeAt(index + 1) : 32;
    if (next <= 32 || next === 60 || next > 0x2fff) return true;
    return (next === 34 || next === 39 || next === 41) && !continues(text, index + 2);
  }
  if (code === 10) return startsAnew(text, index + 1);
  return code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x964 || code === 0x61f;
}

/** Whether a lower-case word follows, so that the quotation or the parenthesis ended, not the sentence. */
function continues(text: string, index: number): boolean {
  const next = text.charCodeAt(text.charCodeAt(index) === 32 ? index + 1 : index);
  return next >= 97 && next <= 122;
}

/** Whether a line break separates two sentences, rather than wrapping one. */
function startsAnew(text: string, index: number): boolean {
  const next = index < text.length ? text.charCodeAt(index) : 10;
  return !((next >= 97 && next <= 122) || isDigit(next) || next === 40 || next === 96);
}

function readSign(text: string, index: number, code: number): void {
  const before = index > 0 ? text.charCodeAt(index - 1) : 32;
  const next = index + 1 < text.length ? text.charCodeAt(index + 1) : 32;
  if (code === 33 && next === 91) sentence.add(token.image, structure + 7);
  else if (code === 60 && (isWordCode(next) || next === 47)) sentence.add(token.tag, 0);
  else if (code === 58 && next <= 32) sentence.add(token.colon, 0);
  else if ((code === 126 || code === 46 || code === 47) && before <= 32 && next > 32)
    sentence.add(token.path, structure + 8);
}
