/**
 * Splits a command line like a POSIX shell: quotes and backslashes group words, and nothing is
 * expanded. The sign of a quote that is left open, in place of the words.
 */
export function splitWords(line: string): string[] | '"' | "'" {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (quote) {
      if (character === quote) quote = null;
      else if (character === '\\' && quote === '"' && /["\\$`]/.test(line[index + 1] ?? ''))
        word = (word ?? '') + (line[(index += 1)] ?? '');
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      word = (word ?? '') + (line[(index += 1)] ?? '');
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  if (quote) return quote;
  if (word !== null) words.push(word);
  return words;
}
