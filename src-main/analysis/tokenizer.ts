const camelCaseEdge = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const run = /[\p{L}\p{N}]+/gu;
const outsideAscii = /[^\u0000-\u007f]/;

/**
 * Words of a text: runs of letters and digits after NFKC, in lower case. `_` and all other
 * characters separate words, and so does a camelCase boundary (`getHTTPStatus` → get, http,
 * status). No stop words, no stemming. In order, duplicates kept; [] if there are none. Source:
 * docs/rules.md §5.
 */
export function words(text: string): string[] {
  if (isAscii(text)) return asciiWords(text);
  return text.normalize('NFKC').replace(camelCaseEdge, ' ').toLowerCase().match(run) ?? [];
}

/** Class of an ASCII character: 0 separates, 1 upper-case letter, 2 lower-case letter, 3 digit. */
export const asciiClasses = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 65 && code <= 90 ? 1 : code >= 97 && code <= 122 ? 2 : code >= 48 && code <= 57 ? 3 : 0,
);
export const upper = 1;
export const lower = 2;
export const isAscii = (text: string): boolean => !outsideAscii.test(text);

/**
 * The same in one pass over the characters: almost every tool text is ASCII, and a pattern with
 * look-around is many times slower.
 */
function asciiWords(text: string): string[] {
  const lowered = text.toLowerCase();
  const found: string[] = [];
  let start = -1;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const kind = asciiClasses[text.charCodeAt(at)] ?? 0;
    if (kind === 0) {
      if (start >= 0) found.push(lowered.slice(start, at));
      start = -1;
    } else if (start < 0) start = at;
    else if (
      kind === upper &&
      (before !== upper ||
        (at + 1 < text.length && asciiClasses[text.charCodeAt(at + 1)] === lower))
    ) {
      found.push(lowered.slice(start, at));
      start = at;
    }
    before = kind;
  }
  if (start >= 0) found.push(lowered.slice(start));
  return found;
}

/** Turns a text into the features that an index or a vector space counts. */
export type Analyser = (text: string) => string[];

/**
 * Character n-grams inside words: each word of `words` is padded with one space on either side and
 * cut into every run of `min` to `max` characters (code points); a padded word shorter than n gives
 * itself once. Grams never span two words, so word order has no influence.
 *
 * @param min smallest n, at least 1
 * @param max largest n, at least `min`
 */
export function characterNgrams(min: number, max: number): Analyser {
  return (text) => ngramsOfWords(words(text), min, max);
}

/** Like `characterNgrams`, for words that have already been split. */
export function ngramsOfWords(list: readonly string[], min: number, max: number): string[] {
  const grams: string[] = [];
  for (const word of list) appendNgrams(grams, ` ${word} `, min, max);
  return grams;
}

function appendNgrams(grams: string[], padded: string, min: number, max: number): void {
  // Almost every word is in the basic plane, where code units are code points and slicing is cheap.
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
