import { counted } from '../../../../src-shared/display/numbers.ts';
import type { TextProblem } from './notations.ts';

/**
 * Whether a text in JSON ends before its values do: inside a text without a line break, or with
 * brackets open. A text that goes on over lines lacks a quotation mark somewhere before.
 */
export function isCutOff(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  let textFrom = -1;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (textFrom >= 0) {
      if (sign === '\\') at += 1;
      else if (sign === '"') textFrom = -1;
    } else if (sign === '"') textFrom = at;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return textFrom >= 0 ? !text.slice(textFrom).trimEnd().includes('\n') : depth > 0;
}

/**
 * The one problem of a document that can’t be parsed: what a parser says after the first often
 * follows from it.
 */
export function explainBroken(text: string, problems: readonly TextProblem[]): TextProblem[] {
  const [first, ...more] = problems;
  if (first === undefined) return [];
  if (isCutOff(text)) {
    const lines = text.trimEnd().split('\n');
    return [
      {
        line: lines.length,
        column: lines.at(-1)?.length ?? 1,
        message:
          'The file ends inside a value, as if it were cut off. Get the whole file, or close the lists and objects that are open.',
      },
    ];
  }
  return more.length === 0
    ? [first]
    : [
        {
          ...first,
          message: `${first.message} Correct this first: ${counted(more.length, 'more problem')} may follow from it.`,
        },
      ];
}
