function folded(code: number): number {
  if (code >= 97 && code <= 122) return code;
  if (code >= 65 && code <= 90) return code + 32;
  if (code >= 0xc0 && code <= 0xde && code !== 0xd7) return code + 32;
  if (code >= 0x410 && code <= 0x42f) return code + 32;
  if (code >= 0xdf && code <= 0x24f && code !== 0xf7) return code;
  if (code >= 0x370 && code <= 0x5ff) return code;
  if (code >= 0x620 && code <= 0x6d3 && code !== 0x66a && code !== 0x6d4) return code;
  if (code >= 0x900 && code <= 0x963) return code;
  return 0;
}

/**
 * Every letter of an alphabet in lower case where the lexicon needs it; 0 for everything else.
 * Marks that belong to a letter (vowel signs of Hindi and Arabic) count as letters. A table,
 * because it is read for each character of a text.
 */
const letters = Uint16Array.from({ length: 0x10000 }, (_, code) => folded(code));

export const letterOf = (code: number): number => letters[code] ?? 0;
