import { Choices } from './random.ts';

/** Words that may stand for `<name>` in a pattern, separated by `|`. */
export type Words = Readonly<Record<string, string>>;

/** A bracket after an exclamation mark is the one of a Markdown image. */
const blank = /<([a-z]+)>|(?<!!)\[([^[\]]*)\]/;

/** One sentence of a pattern: `<name>` and `[a|b]` are replaced by one of their words. */
function sentenceOf(pattern: string, words: Words, choices: Choices): string {
  let text = pattern;
  for (let match = blank.exec(text); match; match = blank.exec(text)) {
    const [whole, name, own] = match;
    const alternatives = name === undefined ? own : words[name];
    if (alternatives === undefined) throw new Error(`Unknown word <${name ?? ''}> in ${pattern}`);
    const chosen = choices.of(alternatives.split('|'));
    text = text.slice(0, match.index) + chosen + text.slice(match.index + whole.length);
  }
  const tidy = text
    .replace(/\s+([,;:?]|[.!](?=\s|$))/g, '$1')
    .replace(/\s{2,}/g, ' ')
    .trim();
  return tidy.charAt(0).toUpperCase() + tidy.slice(1);
}

/** Up to `count` different sentences of a pattern, the same ones each time. */
export function sentencesOfPattern(pattern: string, words: Words, count: number): string[] {
  const choices = new Choices(`pattern ${pattern}`);
  return [...new Set(Array.from({ length: count }, () => sentenceOf(pattern, words, choices)))];
}
