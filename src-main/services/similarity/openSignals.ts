import { toolId } from '../../../src-shared/domain/labels.ts';
import type { ToolFinding } from '../../../src-shared/domain/security.ts';
import {
  isFlagged,
  type AnalysedTool,
  type Differentiation,
  type SimilarityPair,
} from '../../../src-shared/domain/similarity.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { createDifferentiator } from '../../analysis/differentiate/differentiate.ts';

/** Examines tools and returns the findings of each, those marked as safe included. */
export type ExamineTools = (
  tools: readonly AnalysedTool[],
  signal: AbortSignal,
) => Promise<readonly ToolFinding[]>;

/** More pairs than a person would read. */
const maxAdvisedPairs = 500;

/** The ids of tools with a finding that nobody marked as safe. */
export const openSignalsIn = (findings: readonly ToolFinding[]): ReadonlySet<string> =>
  new Set(
    findings.flatMap(({ server, tool, accepted }) =>
      accepted === null && tool !== '' ? [toolId(server, tool)] : [],
    ),
  );

/**
 * Issues and recommendations for flagged pairs, at most `maxAdvisedPairs`. Only tools of these pairs are
 * examined. Pairs with an open security signal keep their issues, without recommendations.
 */
export async function adviseFlaggedPairs(
  tools: readonly AnalysedTool[],
  pairs: readonly SimilarityPair[],
  threshold: number,
  examine: ExamineTools,
  signal: AbortSignal,
): Promise<Differentiation[]> {
  const flagged = pairs.filter((pair) => isFlagged(pair, threshold)).slice(0, maxAdvisedPairs);
  const concerned = [...new Set(flagged.flatMap(({ a, b }) => [a, b]))].flatMap(
    (at) => tools[at] ?? [],
  );
  const openSignals =
    concerned.length === 0 ? new Set<string>() : openSignalsIn(await examine(concerned, signal));
  const differentiator = createDifferentiator(tools, openSignals);
  const yieldIfDue = createYielder();
  const advised: Differentiation[] = [];
  for (const { a, b, similarityScore } of flagged) {
    const [first, second] = [tools[a], tools[b]];
    if (first && second) advised.push(differentiator.advise(first, second, similarityScore));
    await yieldIfDue();
    signal.throwIfAborted();
  }
  return advised;
}
