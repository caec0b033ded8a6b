import { arabicWords, hindiWords } from './lexiconArabicHindi.ts';
import { lexiconWords, wordClasses, type WordClass } from './lexiconWords.ts';

/** A set of word classes as two masks of 30 bits. */
export interface Mask {
  lo: number;
  hi: number;
}

const bitOf = new Map<WordClass, number>(wordClasses.map((name, index) => [name, index]));

export function mask(...classes: readonly WordClass[]): Mask {
  let lo = 0;
  let hi = 0;
  for (const name of classes) {
    const bit = bitOf.get(name) ?? 0;
    if (bit < 30) lo |= 1 << bit;
    else hi |= 1 << (bit - 30);
  }
  return { lo, hi };
}

/** One step of the hash that the scanner keeps of the current word. */
export const hashStep = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

function hashWord(word: string): number {
  let hash = 0;
  for (let index = 0; index < word.length; index += 1)
    hash = hashStep(hash, word.charCodeAt(index));
  return hash;
}

const size = 8192;

/** An open-addressing hash table of words; a slot whose masks are both 0 is empty. */
export interface WordTable {
  hashes: Int32Array;
  lo: Int32Array;
  hi: Int32Array;
}

/** With the article, and with the one-letter words that Arabic joins to the next word. */
const arabicForms = (word: string): string[] => [
  word,
  ...['ال', 'و', 'ف', 'ب', 'ل', 'وال', 'بال', 'لل', 'كال'].map((prefix) => prefix + word),
];

function build(): WordTable {
  const words = new Map<string, Mask>();
  const add = (name: WordClass, list: string, formsOf: (word: string) => readonly string[]) => {
    const own = mask(name);
    for (const word of list.trim().split(/\s+/).flatMap(formsOf)) {
      if (word === '' || isIdeographic(word.charCodeAt(0))) continue;
      const known = words.get(word);
      words.set(word, { lo: (known?.lo ?? 0) | own.lo, hi: (known?.hi ?? 0) | own.hi });
    }
  };
  for (const name of wordClasses) {
    add(name, lexiconWords[name], (word) => [word]);
    add(name, hindiWords[name] ?? '', (word) => [word]);
    add(name, arabicWords[name] ?? '', arabicForms);
  }
  return tableOf(words);
}

/** A table of up to a few thousand words in lower case. */
export function tableOf(words: ReadonlyMap<string, Mask>): WordTable {
  const table = {
    hashes: new Int32Array(size),
    lo: new Int32Array(size),
    hi: new Int32Array(size),
  };
  for (const [word, each] of words) {
    const hash = hashWord(word);
    let slot = hash & (size - 1);
    while (((table.lo[slot] ?? 0) | (table.hi[slot] ?? 0)) !== 0) slot = (slot + 1) & (size - 1);
    table.hashes[slot] = hash;
    table.lo[slot] = each.lo;
    table.hi[slot] = each.hi;
  }
  return table;
}

/** The slot of a word by its hash, or -1. */
export function slotOf(table: WordTable, hash: number): number {
  let slot = hash & (size - 1);
  while (((table.lo[slot] ?? 0) | (table.hi[slot] ?? 0)) !== 0) {
    if (table.hashes[slot] === hash) return slot;
    slot = (slot + 1) & (size - 1);
  }
  return -1;
}

/**
 * Chinese, Japanese and Korean are written without spaces: their terms are found by their first
 * character.
 */
export const isIdeographic = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7af);

function buildTerms(): Map<number, { term: string; mask: Mask }[]> {
  const terms = new Map<number, { term: string; mask: Mask }[]>();
  for (const [name, list] of Object.entries(lexiconWords) as [WordClass, string][]) {
    for (const term of list.trim().split(/\s+/)) {
      const first = term.charCodeAt(0);
      if (!isIdeographic(first)) continue;
      const same = terms.get(first) ?? [];
      const known = same.find((each) => each.term === term);
      const own = mask(name);
      if (known) known.mask = { lo: known.mask.lo | own.lo, hi: known.mask.hi | own.hi };
      else same.push({ term, mask: own });
      terms.set(
        first,
        same.sort((a, b) => b.term.length - a.term.length),
      );
    }
  }
  return terms;
}

export const wordTable = build();
export const ideographicTerms = buildTerms();
