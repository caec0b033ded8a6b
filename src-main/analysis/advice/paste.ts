import type { AdviceTextEdit } from '../../../src-shared/domain/advice.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';

const idOf = ({ server, name }: AnalysedTool): string => toolId(server, name);

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** Whether a name is no word of a sentence. */
export const isIdentifier = (name: string): boolean => /[_-]|\p{Ll}\p{Lu}/u.test(name);

/** True if a text names a tool, as a whole word. */
export function names(text: string, name: string): boolean {
  // Lists of thousands of tools are compared by names. Other letters fold to ASCII ones and back.
  if (isAscii(text) && isAscii(name) && !text.toLowerCase().includes(name.toLowerCase()))
    return false;
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${escaped}(?![\\p{L}\\p{N}_-])`, 'iu').test(text);
}

/** A sentence added to a text, after its first paragraph if that is plain text. */
export function withSentence(text: string, sentence: string): string {
  const trimmed = text.trimEnd();
  const end = trimmed.indexOf('\n\n');
  const [first, rest] = end < 0 ? [trimmed, ''] : [trimmed.slice(0, end), trimmed.slice(end)];
  const isPlain = !/\n\s*(?:[-*#<]|\d+\.)|\w+:\s*$/u.test(first);
  if (!isPlain) return `${trimmed}\n\n${sentence}`;
  return `${/[.!?。！？]["'”)]?$/u.test(first) ? first : `${first}.`} ${sentence}${rest}`;
}

/**
 * The edit that adds a sentence to a description. Null if the tool has no description to add it to,
 * or already has this sentence.
 */
export function addToDescription(tool: AnalysedTool, sentence: string): AdviceTextEdit | null {
  if (tool.description.trim() === '' || tool.description.includes(sentence)) return null;
  return {
    type: 'text',
    toolId: idOf(tool),
    path: '/description',
    oldText: tool.description,
    newText: withSentence(tool.description, sentence),
    inserted: sentence,
  };
}
