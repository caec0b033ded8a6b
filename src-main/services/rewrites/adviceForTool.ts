import type { Advice } from '../../../src-shared/domain/advice.ts';

/**
 * The advice that concerns a tool: what changes the tool itself comes first, and words are added
 * once, for the cause with the most requests.
 */
export function adviceForTool(advice: readonly Advice[], toolId: string): Advice[] {
  const own = ({ edits }: Advice): number => Number(edits.some((edit) => edit.toolId === toolId));
  const sorted = advice
    .filter(({ toolIds }) => toolIds.includes(toolId))
    .sort((a, b) => own(b) - own(a) || b.evidence.requests.length - a.evidence.requests.length);
  const words = sorted.find(({ kind }) => kind === 'missing_words');
  return sorted.filter((piece) => piece.kind !== 'missing_words' || piece === words);
}
