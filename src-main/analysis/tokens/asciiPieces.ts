/**
 * Class of a byte: 0 symbol, 1 upper-case letter, 2 lower-case letter, 3 digit, 4 white space, 5
 * line break, 6 not ASCII. A byte of class 6 must follow the text, so that no step has to check for
 * the end.
 */
const classes = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 128) return 6;
  if (code >= 65 && code <= 90) return 1;
  if (code >= 97 && code <= 122) return 2;
  if (code >= 48 && code <= 57) return 3;
  if (code === 10 || code === 13) return 5;
  return code === 32 || code === 9 || code === 11 || code === 12 ? 4 : 0;
});
const [sign, upper, lower, digit, space, lineBreak] = [0, 1, 2, 3, 4, 5];
const [apostrophe, blank, slash] = [39, 32, 47];

/** Follows the text as its end marker. */
export const endMark = 255;

const classAt = (bytes: Uint8Array, at: number): number => classes[bytes[at] ?? endMark] ?? 6;

/**
 * Length of 's, 't, 'm, 'd, 're, 've or 'll, in any case, after the apostrophe at this position; 0
 * if there is none.
 */
function contraction(bytes: Uint8Array, at: number): number {
  const kind = classAt(bytes, at + 1);
  if (kind !== lower && kind !== upper) return 0;
  const first = (bytes[at + 1] ?? 0) | 32;
  if (first === 115 || first === 116 || first === 109 || first === 100) return 2;
  const next = classAt(bytes, at + 2);
  if (next !== lower && next !== upper) return 0;
  const second = (bytes[at + 2] ?? 0) | 32;
  return (second === 101 && (first === 114 || first === 118)) || (first === 108 && second === 108)
    ? 3
    : 0;
}

/**
 * End of a run of letters: all of them, or (for encodings that split at case) capitals followed by
 * lower-case letters and a contraction.
 */
function endOfLetters(bytes: Uint8Array, from: number, splitsCase: boolean): number {
  let at = from;
  if (!splitsCase) {
    for (let kind = classAt(bytes, at); kind === lower || kind === upper; kind = classAt(bytes, at))
      at += 1;
    return at;
  }
  while (classAt(bytes, at) === upper) at += 1;
  while (classAt(bytes, at) === lower) at += 1;
  return bytes[at] === apostrophe ? at + contraction(bytes, at) : at;
}

function endOfSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  let afterBreak = -1;
  let kind = classAt(bytes, at);
  for (; kind === space || kind === lineBreak; kind = classAt(bytes, at)) {
    at += 1;
    if (kind === lineBreak) afterBreak = at;
  }
  if (afterBreak >= 0) return afterBreak;
  // The last blank before a word belongs to the word.
  return kind !== 6 && at - from > 1 ? at - 1 : at;
}

/**
 * End of the piece that begins at `at` in an ASCII text: what the encodings' patterns match there,
 * without running a pattern. This is the fast path of counting. A property test compares it with
 * the patterns.
 *
 * @param bytes the text followed by `endMark`
 * @param splitsCase true for o200k_base, whose words end where lower-case letters meet a capital
 * and keep their contraction
 */
export function endOfPiece(bytes: Uint8Array, at: number, splitsCase: boolean): number {
  const kind = classAt(bytes, at);
  if (kind === lower || kind === upper) return endOfLetters(bytes, at, splitsCase);
  if (!splitsCase && bytes[at] === apostrophe) {
    const short = contraction(bytes, at);
    if (short > 0) return at + short;
  }
  const next = classAt(bytes, at + 1);
  if ((next === lower || next === upper) && kind !== digit && kind !== lineBreak)
    return endOfLetters(bytes, at + 1, splitsCase);
  if (kind === digit)
    return next !== digit ? at + 1 : classAt(bytes, at + 2) !== digit ? at + 2 : at + 3;
  if (kind === sign || (next === sign && bytes[at] === blank)) {
    let end = at + 1;
    while (classAt(bytes, end) === sign) end += 1;
    while (classAt(bytes, end) === lineBreak || (splitsCase && bytes[end] === slash)) end += 1;
    return end;
  }
  return endOfSpace(bytes, at);
}
