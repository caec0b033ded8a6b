import { dayText } from '../../../src-shared/display/dates.ts';
import type { Advice } from '../../../src-shared/domain/advice.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { claimOf } from '../orderTexts.ts';
import { describedAs } from './misplaced.ts';
import { flawOf } from './offeredTexts.ts';
import { orderIn } from './ordersAbout.ts';
import { saysNothing } from './saysNothing.ts';

/** A description that the server listed for a tool before the one it has. */
export interface EarlierText {
  description: string;
  /** When the server last listed it. */
  until: string;
  /** Whether the tool had the schemas and annotations of today then, apart from their texts. */
  isSameCall: boolean;
}

/** A day that reads the same in any year. */
const never = new Date(0);

/**
 * The last earlier description of a tool that says something and makes no new claim over other tools,
 * as its author wrote it: a text that stood there before is the first to try where the present one
 * fails. It is passed over where the tool contradicts it and was another one then. What it tells a
 * model to do is named with it. Null if there is none.
 */
export function restoreAdvice(
  tool: AnalysedTool,
  tools: readonly AnalysedTool[],
  earlier: readonly EarlierText[],
): Advice | null {
  for (const { description, until, isSameCall } of earlier) {
    if (description === tool.description) continue;
    if (claimOf(description, tool, tool.description) !== null) continue;
    if (saysNothing({ ...tool, description }, tools) !== null) continue;
    const flaw = flawOf(description, tool, tools);
    if (flaw?.kind === 'broken' || (flaw?.kind === 'contradiction' && !isSameCall)) continue;
    const sentence = flaw === null ? null : orderIn(description, tool, tools);
    const why = `Until ${dayText(until, never)}, ${tool.server} described ${tool.name} with this text.`;
    return {
      kind: 'restore',
      ...describedAs(tool, description),
      why: sentence === null ? why : `${why} It tells a model what to do: “${sentence}”`,
      evidence: { requests: [], words: [] },
      listedAt: until,
    };
  }
  return null;
}
