import type { Advice, AdviceEdit } from '../domain/advice.ts';
import { parsePointer } from '../domain/jsonPointer.ts';
import { dayText } from './dates.ts';
import { toolName } from './toolNames.ts';

const nameIn = ({ toolIds }: Advice, id: string): string => toolName(id, toolIds);

/** The parameter whose description a pointer leads to. */
function parameterAt(path: string): string {
  return parsePointer(path).at(-2) ?? 'the parameter';
}

/** What to do with one tool, as a heading: "Say in add_task when to use update_task". */
export function adviceTitle(advice: Advice, edit: AdviceEdit): string {
  const name = nameIn(advice, edit.toolId);
  if (edit.type === 'hide') return `Hide or remove ${name}`;
  if (edit.type === 'write') return `Add the words that requests use to the description of ${name}`;
  const other = advice.toolIds.find((id) => id !== edit.toolId);
  switch (advice.kind) {
    case 'same_name':
    case 'deprecated_twin':
      return `Rename ${name} to ${edit.newText}`;
    case 'restore':
      return `Restore the description of ${dayText(advice.listedAt ?? '', new Date(0))}`;
    case 'missing_words':
    case 'exchange':
      return `Describe ${name}`;
    case 'boundary':
      return `Say in ${name} when to use ${other === undefined ? 'another tool' : nameIn(advice, other)}`;
    case 'parameter':
      return `Describe ${parameterAt(edit.path)} in ${name}`;
    case 'unneeded_call':
      return `Say in ${name} when it should be used`;
  }
}

/** What to do with two similar tools that no rule can tell apart: either of them may change. */
export const adviceForBoth =
  'Say in one of the descriptions what it does not do, and name the other tool.';
export const noRuleFits = 'The tools are similar, and no rule has a text that is safe to paste.';

/** Whether advice has a text to insert, and not only words for the author to speak of. */
export const offersText = (advice: readonly Advice[]): boolean =>
  advice.some(({ edits }) => edits.some(({ type }) => type === 'text'));

/** One edit as plain text: what to do, and the text to add. */
export function adviceMessage(advice: Advice, edit: AdviceEdit): string {
  const title = adviceTitle(advice, edit);
  if (edit.type === 'write')
    return `${title}: ${advice.evidence.words.map((word) => `“${word}”`).join(', ')}.`;
  return edit.type === 'hide' || advice.kind === 'same_name'
    ? `${title}.`
    : `${title}: “${edit.inserted}”`;
}
