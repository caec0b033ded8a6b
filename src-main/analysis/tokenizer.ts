/**
 * Abbreviations that names of tools and parameters use, with the words in full: general English. None
 * that is often another word or stands for two ("min", "temp", "doc").
 */
const inFull = new Map(
  `
    acct account, addr address, amt amount, auth authentication, calc calculate, cfg configuration,
    cm centimeter, cmd command, config configuration, cust customer, db database, del delete,
    desc description, dest destination, dir directory, env environment, exec execute, fn function,
    ft foot, func function, gen generate, grp group, hr hour, hrs hours, img image, info information,
    kg kilogram, km kilometer, kw keyword, lang language, lat latitude, lbs pounds, lng longitude,
    lon longitude, mgmt management, mm millimeter, msg message, msgs messages, notif notification,
    num number, org organization, orgs organizations, param parameter, params parameters,
    perm permission, perms permissions, pkg package, pkgs packages, pref preference,
    prefs preferences, prev previous, pwd password, qty quantity, ref reference, refs references,
    repo repository, repos repositories, src source, stat statistic, stats statistics,
    txn transaction, txns transactions, usr user, val value, var variable, vars variables
  `
    .trim()
    .split(/,\s+/u)
    .map((pair) => pair.split(' ') as [string, string]),
);

/** A word in full: "db" → "database"; other words as they are. */
export const wordInFull = (word: string): string => inFull.get(word) ?? word;

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
type Analyser = (text: string) => string[];

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
