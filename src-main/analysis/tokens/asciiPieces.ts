/** Class of an ASCII character: 0 sign, 1 upper-case letter, 2 lower-case letter, 3 digit, 4 white space, 5 line break. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 65 && code <= 90) return 1;
  if (code >= 97 && code <= 122) return 2;
  if (code >= 48 && code <= 57) return 3;
  if (code === 10 || code === 13) return 5;
  return code === 32 || code === 9 || code === 11 || code === 12 ? 4 : 0;
});
const [sign, digit, space, lineBreak] = [0, 3, 4, 5];
const [apostrophe, blank, slash] = [39, 32, 47];

const classAt = (text: string, at: number): number => (at < text.length ? (classes[text.charCodeAt(at)] ?? 0) : -1);
const isLetter = (kind: number): boolean => kind === 1 || kind === 2;

/** Length of 's, 't, 'm, 'd, 're, 've or 'll in any case at this place; 0 where there is none. */
function contraction(text: string, at: number): number {
  if (text.charCodeAt(at) !== apostrophe || at + 1 >= text.length) return 0;
  const first = text.charCodeAt(at + 1) | 32;
  if (!isLetter(classAt(text, at + 1))) return 0;
  if (first === 115 || first === 116 || first === 109 || first === 100) return 2;
  if (!isLetter(classAt(text, at + 2))) return 0;
  const second = text.charCodeAt(at + 2) | 32;
  return (second === 101 && (first === 114 || first === 118)) || (first === 108 && second === 108) ? 3 : 0;
}

/** End of a run of letters: all of them, or (for encodings that split at case) capitals followed by small letters and a contraction. */
function endOfLetters(text: string, from: number, splitsCase: boolean): number {
  let at = from;
  if (!splitsCase) {
    while (isLetter(classAt(text, at))) at += 1;
    return at;
  }
  while (classAt(text, at) === 1) at += 1;
  while (classAt(text, at) === 2) at += 1;
  return at + contraction(text, at);
}

function endOfSpace(text: string, from: number): number {
  let at = from;
  let afterBreak = -1;
  for (let kind = classAt(text, at); kind === space || kind === lineBreak; kind = classAt(text, at)) {
    at += 1;
    if (kind === lineBreak) afterBreak = at;
  }
  if (afterBreak >= 0) return afterBreak;
  // The last blank before a word belongs to the word.
  return at < text.length && at - from > 1 ? at - 1 : at;
}

/**
 * End of the piece that begins at `at` in an ASCII text: what the encodings' patterns match there, without a pattern. The fast path of
 * counting; a property test holds it against the patterns themselves.
 * @param splitsCase true for o200k_base, whose words end where small letters meet a capital and keep their contraction
 */
export function endOfPiece(text: string, at: number, splitsCase: boolean): number {
  const kind = classAt(text, at);
  if (!splitsCase) {
    const short = contraction(text, at);
    if (short > 0) return at + short;
  }
  if (isLetter(kind)) return endOfLetters(text, at, splitsCase);
  if (kind !== digit && kind !== lineBreak && isLetter(classAt(text, at + 1))) return endOfLetters(text, at + 1, splitsCase);
  if (kind === digit) {
    let end = at + 1;
    while (end < at + 3 && classAt(text, end) === digit) end += 1;
    return end;
  }
  if (kind === sign || (text.charCodeAt(at) === blank && classAt(text, at + 1) === sign)) {
    let end = at + 1;
    while (classAt(text, end) === sign) end += 1;
    while (classAt(text, end) === lineBreak || (splitsCase && text.charCodeAt(end) === slash)) end += 1;
    return end;
  }
  return endOfSpace(text, at);
}
