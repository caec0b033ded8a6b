import { NO_TOOL, PHANTOM, rowLabel, toolId } from '../../src-shared/domain/labels.ts';
import type { Classification, ConfusionUnit } from '../../src-shared/domain/score.ts';
import { alternatives, type ExpectedCall } from '../../src-shared/domain/testCase.ts';
import type { Matching } from './matchCalls.ts';

/**
 * The class of a run (docs/rules.md §3). With an expected call: TP if every expected call is paired
 * and nothing is left over, otherwise FN. Without one: TN if there is no call, otherwise FP.
 */
export function classify(expectedCalls: number, matching: Matching): Classification {
  const clean = matching.unmatched.length === 0 && matching.leftOver.length === 0;
  if (expectedCalls > 0) return clean ? 'TP' : 'FN';
  return clean ? 'TN' : 'FP';
}

/** The row of an expected call: its tool, or all tools that satisfy it. */
export function labelOf(call: ExpectedCall): string {
  return rowLabel(alternatives(call).map(({ server, tool }) => toolId(server, tool)));
}

/**
 * The units that a run adds to the confusion matrix (docs/rules.md §3). Each expected call adds one
 * in its row: in the column of its match, otherwise of the next unmatched actual call in order,
 * otherwise in "no tool". Several equally right tools share a row. Each remaining actual call adds one in row "no tool". A run without any
 * adds (no tool, no tool). So row sums are expected calls and column sums are calls made, except
 * for allowed calls.
 */
export function confusionUnits(
  expectedCalls: readonly ExpectedCall[],
  ids: readonly (string | null)[],
  matching: Matching,
): ConfusionUnit[] {
  const matched = new Map(matching.pairs.map((pair) => [pair.expectedIndex, pair.toolId]));
  const left = matching.leftOver.map((index) => ids[index] ?? PHANTOM);
  let next = 0;
  const units = expectedCalls.map((call, index): ConfusionUnit => {
    const tool = matched.get(index);
    if (tool !== undefined) return { expected: labelOf(call), selected: tool };
    const selected = left[next] ?? NO_TOOL;
    next += 1;
    return { expected: labelOf(call), selected };
  });
  for (const selected of left.slice(next)) units.push({ expected: NO_TOOL, selected });
  return units.length > 0 ? units : [{ expected: NO_TOOL, selected: NO_TOOL }];
}
