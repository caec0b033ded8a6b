import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { isBroken } from './brokenTexts.ts';
import { contradictionOf } from './contradictions.ts';
import { orderIn } from './ordersAbout.ts';

/** Why a text is not offered to a tool, whoever wrote it. */
export type TextFlaw =
  /** It is no whole description. */
  | { kind: 'broken' }
  /** The tool says otherwise, or has nothing of it. */
  | { kind: 'contradiction' }
  /** A sentence tells a model what to do. */
  | { kind: 'order'; sentence: string };

/**
 * Why a text must not be offered as the description of a tool; null if it may. This is the one gate
 * for texts of other tools and for earlier ones. Of the tool's own earlier texts, those that order
 * about may be offered with the sentence that does, and those of the same call whatever it contradicts.
 */
export function flawOf(
  text: string,
  tool: Parameters<typeof contradictionOf>[1],
  tools: readonly AnalysedTool[],
): TextFlaw | null {
  if (isBroken(text, tool, tools)) return { kind: 'broken' };
  if (contradictionOf(text, tool, tools) !== null) return { kind: 'contradiction' };
  const sentence = orderIn(text, tool, tools);
  return sentence === null ? null : { kind: 'order', sentence };
}
