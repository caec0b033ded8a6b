import { dayText } from '../../../src-shared/display/dates.ts';
import type { Advice } from '../../../src-shared/domain/advice.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { contradictionOf } from './contradictions.ts';
import { describedAs } from './draft.ts';
import { saysNothing } from './saysNothing.ts';

/** A description that the server listed for a tool before the one it has. */
export interface EarlierText {
  description: string;
  /** When the server last listed it. */
  until: string;
}

/** A day that reads the same in any year. */
const never = new Date(0);

/**
 * The last earlier description of a tool that says something and that the tool doesn't contradict, as
 * its author wrote it: a text that stood there before is the first to try where the present one
 * fails. Null if there is none.
 */
export function restoreAdvice(
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
  earlier: readonly EarlierText[],
): Advice | null {
  const found = earlier.find(
    ({ description }) =>
      description !== tool.description &&
      contradictionOf(description, tool, tools) === null &&
      saysNothing({ ...tool, description }, tools) === null,
  );
  if (found === undefined) return null;
  return {
    kind: 'restore',
    ...describedAs(tool, found.description),
    why: `Until ${dayText(found.until, never)}, ${tool.server} described ${tool.name} with this text.`,
    evidence: { requests: [], words: [] },
    listedAt: found.until,
  };
}
