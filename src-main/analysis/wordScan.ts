import { asciiClasses, isAscii, upper, lower, words } from './tokenizer.ts';
import { hashOn, hashStart, type Vocabulary } from './vocabulary.ts';

let buffer = new Uint16Array(1024);

/**
 * Numbers of the words of a text, as `words` finds them, in order. Creates no string for a word of
 * an ASCII text.
 */
export function numberWords(
  text: string,
  vocabulary: Vocabulary,
  note: (term: number) => void,
): void {
  if (!isAscii(text)) {
    for (const word of words(text)) note(vocabulary.add(word));
    return;
  }
  if (text.length > buffer.length) buffer = new Uint16Array(text.length * 2);
  const units = buffer;
  let size = 0;
  let hash = hashStart;
  let before = 0;
  const end = text.length;
  let unit = end > 0 ? text.charCodeAt(0) : 0;
  for (let at = 0; at < end; at += 1) {
    const following = at + 1 < end ? text.charCodeAt(at + 1) : 0;
    const kind = asciiClasses[unit] ?? 0;
    const edge =
      kind === upper && before !== 0 && (before !== upper || asciiClasses[following] === lower);
    if (size > 0 && (kind === 0 || edge)) {
      note(vocabulary.addUnits(units, 0, size, hash));
      size = 0;
      hash = hashStart;
    }
    if (kind !== 0) {
      const lowered = kind === upper ? unit + 32 : unit;
      units[size] = lowered;
      size += 1;
      hash = hashOn(hash, lowered);
    }
    before = kind;
    unit = following;
  }
  if (size > 0) note(vocabulary.addUnits(units, 0, size, hash));
}
