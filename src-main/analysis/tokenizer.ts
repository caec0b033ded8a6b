const camelCaseEdge = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const run = /[\p{L}\p{N}]+/gu;

/**
 * Words of a text: runs of letters and digits after NFKC, lower-cased; `_` and every other sign separates, and so does a
 * camelCase edge (`getHTTPStatus` → get, http, status). No stop words, no stemming. In order, duplicates kept; [] where there are none.
 * Source: docs/rules.md §5.
 */
export function words(text: string): string[] {
  return text.normalize('NFKC').replace(camelCaseEdge, ' ').toLowerCase().match(run) ?? [];
}

/** Turns a text into the features that an index or a vector space counts. */
export type Analyser = (text: string) => string[];

/**
 * Character n-grams inside words: each word of `words` is padded with one space on either side and cut into every run of
 * `min` to `max` characters (code points); a padded word shorter than n gives itself once. Grams never span two words, so word order has no influence.
 *
 * @param min smallest n, at least 1
 * @param max largest n, at least `min`
 */
export function characterNgrams(min: number, max: number): Analyser {
  return (text) => ngramsOfWords(words(text), min, max);
}

/** As `characterNgrams`, for words that are already at hand. */
export function ngramsOfWords(list: readonly string[], min: number, max: number): string[] {
  const grams: string[] = [];
  for (const word of list) appendNgrams(grams, ` ${word} `, min, max);
  return grams;
}

function appendNgrams(grams: string[], padded: string, min: number, max: number): void {
  // Almost every word lies in the basic plane, where code units are code points and slicing is cheap.
  const points = /[\uD800-\uDFFF]/.test(padded) ? Array.from(padded) : null;
  const length = points ? points.length : padded.length;
  for (let n = min; n <= max; n += 1) {
    if (length <= n) {
      grams.push(padded);
      return;
    }
    for (let at = 0; at + n <= length; at += 1) {
      grams.push(points ? points.slice(at, at + n).join('') : padded.slice(at, at + n));
    }
  }
}

/** Word n-grams: every run of `min` to `max` neighbouring words, joined by one space. */
export function wordNgrams(min: number, max: number): Analyser {
  return (text) => {
    const found = words(text);
    const grams: string[] = [];
    for (let n = min; n <= max; n += 1) {
      for (let at = 0; at + n <= found.length; at += 1) grams.push(found.slice(at, at + n).join(' '));
    }
    return grams;
  };
}
