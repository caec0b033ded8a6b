import { contentTerms } from '../analysis/tokenizer.ts';
import { sentencesOf } from './sentences.ts';

/**
 * Words by which a sentence binds the caller, or says where a tool ends. A closed class of English:
 * modal verbs, limits, negations, units, and words about the form of values.
 */
const binding =
  /\b(?:must|shall|should|requires?d?|optional|when(?:ever)?|if|used?|only|exactly|exact|at (?:least|most)|up to|max(?:imum)?|min(?:imum)?|between|unless|until|except|without|instead|not|never|no|none|can(?:no|')?t|don['’]?t|doesn['’]?t|won['’]?t|before|after|first|defaults?|formats?|case[- ]?(?:in)?sensitive|unique|valid|allowed|supported|supports|limit(?:ed|s)?|one of|either|both|comma[- ]separated|iso|utc|utf|regex|json|xml|csv|yaml|html|markdown|base64|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|bytes?|characters?|pixels?|percent|meters?|celsius|fahrenheit|irreversibl[ey]|permanent(?:ly)?|warning|caution|deprecated)\b/iu;
/** Numbers, quotations, code, constants and placeholders of formats. */
const literal = /\d|\w_\w|[a-z][A-Z]|(?<!\w)'\w|[`"“«<{[]|\b[A-Z][A-Z_-]+[A-Z]\b|%[a-z]\b/u;
/** A list: "A, B, or C", "the title, the description or both". */
const enumeration = /,[^,.;]+(?:,| (?:or|and|and\/or) )|\b(?:or|and\/or)\b|\w\/\w/u;

/**
 * Whether a sentence says something that a caller must keep to: a duty, a limit, a number, a unit, a
 * format, a value, or a list. Rather too often than not, because what is no contract may be cut.
 */
export const isContract = (sentence: string): boolean =>
  binding.test(sentence) || literal.test(sentence) || enumeration.test(sentence);

const duties: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a duty', /\b(?:must|shall|required?|requires|mandatory)\b/iu],
  [
    'a limit',
    /\b(?:only|exactly|exact|at (?:least|most)|up to|max(?:imum)?|min(?:imum)?|between)\b/iu,
  ],
  [
    'a negation',
    /\b(?:not|never|no|none|cannot|can['’]t|don['’]t|doesn['’]t|without|except|unless)\b/iu,
  ],
  ['a default', /\bdefaults?\b/iu],
];
/** Whether a sentence has a duty, a limit, a negation, a default, or a value that a caller must keep to. */
export const binds = (sentence: string): boolean =>
  duties.some(([, pattern]) => pattern.test(sentence)) || sentence.search(literals) >= 0;

const literals = /\d+(?:[.,:/-]\d+)*|`[^`]+`|"[^"]+"|“[^”]+”|\b[A-Z][A-Z_-]+[A-Z]\b/gu;
const plain = (text: string): string => text.toLowerCase().replaceAll(/[`"“”]/gu, '');

/**
 * What a shorter text no longer says of the contract of a longer one; null if nothing. Numbers,
 * quoted values, constants, and the items of lists must be found in it, and a word for each kind of
 * duty that the longer one has. Other words may change.
 */
export function lostContract(longer: string, shorter: string): string | null {
  const kept = plain(shorter);
  for (const [value] of longer.matchAll(literals))
    if (!kept.includes(plain(value))) return `“${value}”`;
  for (const [what, pattern] of duties) {
    const found = pattern.exec(longer)?.[0];
    if (found !== undefined && !pattern.test(shorter)) return `${what} (“${found}”)`;
  }
  const known = new Set(contentTerms(shorter).map(({ stem }) => stem));
  for (const sentence of sentencesOf(longer)) {
    if (!enumeration.test(sentence)) continue;
    // The words around the last two commas or the "or" are the items.
    const items = sentence.split(/,| or | and | and\/or |\//u);
    for (const item of items.slice(1)) {
      const [last] = contentTerms(item);
      if (last && !known.has(last.stem)) return `“${last.word}” of a list`;
    }
  }
  return null;
}
