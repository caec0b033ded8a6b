import { letterOf } from './letters.ts';
import { hashStep, ideographicTerms, isIdeographic, mask, slotOf, wordTable } from './lexicon.ts';
import { WordWriter, type Words } from './words.ts';

const link = mask('LINK');
const path = mask('PATH');
const negative = mask('NEG');
const secret = mask('SECRET');
const mention = mask('MENTION');
const keyword = mask('KEYWORD');
const keyed = mask('KEYED');
const acts = mask('READ', 'SEND', 'PUT', 'RUN');

/** Names that make a file a secret after a dot, slash or tilde. */
const hiddenNames = new Set(
  (
    'ssh aws env netrc gnupg kube npmrc pypirc git-credentials bash_history zsh_history id_rsa ' +
    'id_ed25519 id_dsa authorized_keys passwd shadow pem p12 docker cursor credentials kdbx'
  ).split(' '),
);

const isSmall = (code: number) => code >= 97 && code <= 122;
const isDigit = (code: number) => code >= 48 && code <= 57;

const writer = new WordWriter();

/**
 * One pass over a text, one step per character: words are hashed while they are read and looked up
 * in the lexicon once. Links and names of secret files are recognized on the way. Cost: linear in
 * the text, whatever it contains.
 */
export function scanWords(text: string): Words {
  const words = writer;
  const { length } = text;
  let [longest, singles, digits] = [0, 0, 0];
  let hash = 0;
  let begun = -1;
  let quote = -1;
  let run = 0;
  let sentence = 0;
  for (let index = 0; index <= length; index += 1) {
    const code = index < length ? text.charCodeAt(index) : 32;
    const letter = letterOf(code);
    if (letter !== 0) {
      if (begun < 0) begun = index;
      hash = hashStep(hash, letter);
      continue;
    }
    if (code === 39 || code === 0x2019) {
      // Within a word an apostrophe belongs to it: don't, l'utilisateur.
      if (
        begun >= 0 &&
        index - begun > 1 &&
        index + 1 < length &&
        isSmall(text.charCodeAt(index + 1))
      ) {
        hash = hashStep(hash, 39);
        if (quote < 0) quote = index;
        continue;
      }
    } else if (isDigit(code)) {
      if (begun >= 0) {
        hash = hashStep(hash, code);
        digits += 1;
        continue;
      }
    }
    if (begun >= 0) {
      if (index - begun === 1) singles += 1;
      endWord(words, text, begun, index, hash, sentence, quote);
      begun = -1;
      quote = -1;
      hash = 0;
    }
    if (code <= 32) {
      if (index - run > longest) longest = index - run;
      run = index + 1;
      if (code === 10 && index + 1 < length && text.charCodeAt(index + 1) <= 32) sentence += 1;
      continue;
    }
    if (code === 46 || code === 33 || code === 63) {
      const next = index + 1 < length ? text.charCodeAt(index + 1) : 32;
      if (next <= 32 || next === 34 || next === 39 || next === 41 || next === 60) sentence += 1;
    } else if (code === 58) {
      if (text.charCodeAt(index + 1) === 47 && text.charCodeAt(index + 2) === 47)
        words.push(Math.max(0, index - 5), index + 3, link.lo, link.hi, sentence);
    } else if (code === 64) {
      if (
        index > 0 &&
        index + 2 < length &&
        text.charCodeAt(index - 1) > 45 &&
        text.charCodeAt(index + 1) > 45
      )
        words.push(index - 1, index + 2, link.lo, link.hi, sentence);
    } else if (code === 0x964 || code === 0x61f) sentence += 1;
    else if (code > 0x2fff) {
      if (code === 0x3002 || code === 0xff01 || code === 0xff1f) sentence += 1;
      else if (isIdeographic(code)) index += pushTerm(words, text, index, code, sentence);
    }
  }
  return words.take({ ended: sentence, longest, singles, digits });
}

function endWord(
  words: WordWriter,
  text: string,
  start: number,
  end: number,
  hash: number,
  sentence: number,
  quote: number,
): void {
  const before = start > 0 ? text.charCodeAt(start - 1) : 32;
  if (before === 46 || before === 47 || before === 126) {
    if (hiddenNames.has(text.slice(start, Math.min(end, start + 20)).toLowerCase()))
      words.push(start - 1, end, path.lo, path.hi, sentence);
  } else if (before === 95 && (hash === rsa || hash === ed25519))
    words.push(start, end, path.lo, path.hi, sentence);
  let slot = slotOf(wordTable, hash);
  // l'utilisateur, dell'utente, user's: the word is what follows the apostrophe, or what precedes
  // it.
  if (slot < 0 && quote > 0) {
    slot = slotOf(wordTable, hashLower(text, quote + 1, end));
    if (slot < 0) slot = slotOf(wordTable, hashLower(text, start, quote));
  }
  if (slot < 0) return;
  let lo = wordTable.lo[slot] ?? 0;
  // The parts of an address aren't words: evil.example contains no "example".
  if (before === 46 || before === 47 || before === 64 || before === 45) lo &= ~mention.lo;
  const hi = wordTable.hi[slot] ?? 0;
  const last = words.count - 1;
  const apart = last < 0 ? 99 : start - (words.end[last] ?? 0);
  if ((hi & keyword.hi) !== 0 && apart <= 1 && ((words.hi[last] ?? 0) & keyed.hi) !== 0)
    lo |= secret.lo;
  // "never pass", "don't send": what is forbidden isn't requested.
  if ((lo & acts.lo) !== 0 && apart <= 4 && ((words.lo[last] ?? 0) & negative.lo) !== 0)
    lo &= ~acts.lo;
  words.push(start, end, lo, hi, sentence);
}

function hashLower(text: string, start: number, end: number): number {
  let hash = 0;
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    hash = hashStep(hash, letterOf(code) || code);
  }
  return hash;
}

const rsa = hashLower('rsa', 0, 3);
const ed25519 = hashLower('ed25519', 0, 7);

/** Adds the longest term that starts here. Returns how many characters the scan may skip. */
function pushTerm(
  words: WordWriter,
  text: string,
  index: number,
  code: number,
  sentence: number,
): number {
  for (const { term, mask: own } of ideographicTerms.get(code) ?? []) {
    if (!text.startsWith(term, index)) continue;
    words.push(index, index + term.length, own.lo, own.hi, sentence);
    return term.length - 1;
  }
  return 0;
}
