import { ngramsOfWords, words } from '../tokenizer.ts';

/**
 * Marks whole words, so that the word `get` and the letters g-e-t inside another word are two
 * features.
 */
const wordMark = '\u0001';

/**
 * Features of a text for similarity: its words (NFKC, lower case, runs of letters and digits, `_`
 * and camelCase split) and the character 3- to 5-grams inside them, each word padded with one space
 * on either side. Duplicates are kept: they are what is counted. Source: docs/rules.md §4.
 */
export function similarityFeatures(text: string): string[] {
  const found = words(text);
  const features = ngramsOfWords(found, 3, 5);
  for (const word of found) features.push(wordMark + word);
  return features;
}
