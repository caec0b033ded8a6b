import { words } from './tokenizer.ts';

/** English function words: they structure a sentence without saying what it is about. */
const functionWords = new Set(
  `
    a an the this that these those and or but if then else so than as of in on at by to from into
    onto for with without about over under i me my mine we us our you your yours he him his she her
    hers it its they them their theirs who whom whose which what when where why how is am are was
    were be been being do does did doing done have has had having will would shall should can could
    may might must not no nor only own same too very just also please kindly thanks thank hi hey
    hello ok okay want wants wanted need needs needed like let lets there here some any all each
    every both more most other such up out off again further once use using used via per s t d ll m
    re ve don one
  `
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== 'done'),
);

/** Whether a text has a word that is no function word. */
export const hasContent = (text: string): boolean =>
  words(text).some((word) => !functionWords.has(word));

export interface ContentTerm {
  word: string;
  stem: string;
}

/**
 * The words of a text that carry its subject, in order with duplicates: `words` without English
 * function words, each with its stem. If only function words remain, they are kept, so that this
 * list never leaves a text without terms.
 */
export function contentTerms(text: string): ContentTerm[] {
  const found = words(text);
  const kept = found.filter((word) => !functionWords.has(word));
  return (kept.length > 0 ? kept : found).map((word) => ({ word, stem: stem(word) }));
}

const vowel = /[aeiouy]/;

/**
 * A light English stemmer: removes the plural, `-ing`, `-ed`, `-ion` after t, and a final `e`, and
 * undoes a doubled consonant. It maps the forms of a word onto each other (`tasks` and `task`,
 * `completed` and `complete`); the result need not be a word. Words shorter than four letters and
 * words with a digit stay unchanged.
 */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  return withoutFinalE(withoutEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  if (word.endsWith('tion') && word.length > 6) return word.slice(0, -3);
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  const rest = word.slice(0, word.length - ending);
  if (ending === 0 || rest.length < 3 || !vowel.test(rest)) return word;
  return rest.length > 3 && /([^aeioulsz])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function withoutFinalE(word: string): string {
  return word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word;
}
