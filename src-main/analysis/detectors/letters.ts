/**
 * Letters beyond ASCII in lower case where the lexicon needs it; 0 for everything else. Marks that
 * belong to a letter (vowel signs of Hindi and Arabic) count as letters.
 */
export function foldLetter(code: number): number {
  if (code >= 0xc0 && code <= 0xde && code !== 0xd7) return code + 32;
  if (code >= 0x410 && code <= 0x42f) return code + 32;
  if (code >= 0xdf && code <= 0x24f && code !== 0xf7) return code;
  if (code >= 0x370 && code <= 0x5ff) return code;
  if (code >= 0x620 && code <= 0x6d3 && code !== 0x66a && code !== 0x6d4) return code;
  if (code >= 0x900 && code <= 0x963) return code;
  return 0;
}
