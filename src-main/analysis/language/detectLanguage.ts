import type { Language } from '../../../src-shared/domain/languages.ts';
import { languagesOfWord, type ByWords } from './functionWords.ts';

/** More of a text is not read. */
const maxLength = 20_000;

/** The share of letters that the main script needs. A sign of Chinese or Korean is about 3 letters. */
const minShare = 0.7;
const lettersPerSign = 3;

/** Scripts of one language each (`null`: of several, which words tell apart). */
const scripts: readonly [RegExp, Language | null, weight: number][] = [
  [/\p{Script=Latin}/gu, null, 1],
  [/\p{Script=Cyrillic}/gu, null, 1],
  [/\p{Script=Arabic}/gu, null, 1],
  [/\p{Script=Devanagari}/gu, null, 1],
  [/\p{Script=Greek}/gu, 'el', 1],
  [/\p{Script=Hebrew}/gu, 'he', 1],
  [/\p{Script=Thai}/gu, 'th', 1],
  [/\p{Script=Hangul}/gu, 'ko', lettersPerSign],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'zh', lettersPerSign],
];
/** Fewer letters (of Chinese: a third as many signs) say too little. */
const minLetters = 6;

/** Signs of everyday Chinese that Japanese doesn't write: without one, Han signs may be either. */
const onlyChinese =
  /[你您们們这這吗嗎吧么麼沒请她很它说还让为务对时个间单现经过认样应实发无电给开关问找查历团议约适]/u;

/** Names, code, addresses and quotations are in the language of what they name. */
const withoutNames = (text: string): string =>
  text
    .slice(0, maxLength)
    .normalize('NFC')
    .replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/gu, ' ')
    .replaceAll(/\b(?:https?:\/\/|www\.)\S+|\S+@\S+/giu, ' ')
    .replaceAll(/"[^"\n]{0,300}"|“[^”\n]{0,300}”|„[^“”\n]{0,300}[“”]|«[^»\n]{0,300}»/gu, ' ')
    .replaceAll(/「[^」\n]{0,300}」|《[^》\n]{0,300}》|『[^』\n]{0,300}』/gu, ' ');

/** The least sum of word weights, different words, lead over the second language, and share of words. */
const minWeight = 1.5;
const minWords = 3;
const minLead = 1.5;
const minCovered = 0.2;

/**
 * The language by its function words: w(l) = Σ over words of l of 1 / (languages that have the word).
 * Null if none has at least three different words, a sum of 1.5, 1.5 times that of the second, and a fifth of all words.
 */
function byWords(text: string): ByWords | null {
  const sums = new Map<ByWords, { weight: number; count: number; words: Set<string> }>();
  const known = languagesOfWord();
  const all = text.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  for (const word of all) {
    const having = known.get(word) ?? [];
    for (const language of having) {
      const sum = sums.get(language) ?? { weight: 0, count: 0, words: new Set<string>() };
      sum.weight += 1 / having.length;
      sum.count += 1;
      sum.words.add(word);
      sums.set(language, sum);
    }
  }
  const [best, second] = [...sums].sort(([, a], [, b]) => b.weight - a.weight);
  if (best === undefined) return null;
  const [language, { weight, count, words }] = best;
  const isClear = weight >= minLead * (second?.[1].weight ?? 0);
  const isEnough = weight >= minWeight && words.size >= minWords;
  return isClear && isEnough && count >= minCovered * all.length ? language : null;
}

/** Japanese by its own signs, Chinese by those that Japanese doesn't write. */
function bySigns(text: string): Language | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  return onlyChinese.test(text) ? 'zh' : null;
}

/** Where a sentence ends, or a line of a list. */
const sentenceEnd = /(?<=[.!?…;。！？\n])/u;
/** Sentences are read one by one, and some together, because one may say too little. */
const sentencesTogether = [1, 2, 4];

/**
 * Whether sentences that are clearly of other languages have more than 30% of the letters: what
 * tells one of them more often would outweigh the other one.
 */
function isMixed(
  text: string,
  language: Language,
  read: (part: string) => Language | null,
): boolean {
  const sentences = text.split(sentenceEnd);
  const lettersOf = (part: string): number => part.match(/\p{L}/gu)?.length ?? 0;
  const all = lettersOf(text);
  return sentencesTogether.some((count) => {
    let others = 0;
    for (let at = 0; at < sentences.length; at += count) {
      const part = sentences.slice(at, at + count).join('');
      const own = read(part);
      if (own !== null && own !== language) others += lettersOf(part);
    }
    return others > (1 - minShare) * all;
  });
}

/**
 * The language of a text as an ISO 639-1 code, by its script and its function words; null where that
 * isn't clear: in a short text, one of two languages, or one of a language that is not known. Code,
 * addresses and quotations are not read. Pure, without a model: the same text gives the same answer.
 */
export function detectLanguage(text: string): Language | null {
  const plain = withoutNames(text);
  const letters = plain.match(/\p{L}/gu) ?? [];
  const counts = scripts.map(([pattern, language, weight]) => {
    const signs = plain.match(pattern)?.length ?? 0;
    return { language, letters: signs * weight, more: signs * (weight - 1) };
  });
  const all = letters.length + counts.reduce((sum, { more }) => sum + more, 0);
  const main = counts.find((each) => each.letters >= minShare * all);
  if (main === undefined || main.letters < minLetters) return null;
  const read =
    main.language === null ? byWords : main.language === 'zh' ? bySigns : () => main.language;
  const language = read(plain);
  return language === null || isMixed(plain, language, read) ? null : language;
}

/**
 * Whether a text has function words, and none of them is of a language: however short it is, it is
 * written in another one. False for a text without any.
 */
export function isOfAnother(text: string, language: Language): boolean {
  const known = languagesOfWord();
  const having = (
    withoutNames(text)
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}]*/gu) ?? []
  ).flatMap((word) => known.get(word) ?? []);
  return having.length > 0 && having.every((each) => each !== language);
}
