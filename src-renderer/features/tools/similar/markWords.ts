export interface TextPart {
  text: string;
  marked: boolean;
}

/** Splits a text into occurrences of the words, in any case, and the text between them. */
export function markWords(text: string, words: readonly string[]): TextPart[] {
  const known = new Set(words.map((word) => word.toLowerCase()));
  const parts: TextPart[] = [];
  for (const [part] of text.matchAll(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu)) {
    const marked = known.has(part.toLowerCase());
    const last = parts.at(-1);
    if (last?.marked === marked && !marked) last.text += part;
    else parts.push({ text: part, marked });
  }
  return parts;
}
