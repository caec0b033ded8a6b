import type { Advice } from '../../../src-shared/domain/advice.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { parameterAdvice, unneededAdvice, wordsAdvice } from './failureAdvice.ts';
import { advisePair, boundary, lookAlike, structural } from './pairAdvice.ts';

/** One wrong choice or one wrong call in an evaluation. */
export interface AdvisedFailure {
  query: string;
  /** Expected argument values as one text: what the request is about, not how it is asked. */
  values: string;
  /** Tool IDs; null if no call was needed or none was made. */
  expected: string | null;
  called: string | null;
  /** Arguments with another value than expected, or left out. */
  wrongArguments: readonly { name: string; expected?: JsonValue | undefined }[];
}

export interface AdviceInput {
  /** All offered tools. */
  tools: readonly AnalysedTool[];
  /** Tools that are flagged as similar, by index. */
  pairs?: readonly { a: number; b: number }[];
  failures?: readonly AdvisedFailure[];
  /** Tools with an open security signal: nothing is advised toward them. */
  openSignals?: ReadonlySet<string>;
}

/**
 * What to change in tool definitions, each piece with text that can be pasted; empty where no rule
 * is sure. Failures come first, then similar pairs; each pair of tools gets at most one piece.
 * Source: docs/rules.md §4, Advice.
 */
export function advise(input: AdviceInput): Advice[] {
  const { tools, pairs = [], failures = [], openSignals = new Set<string>() } = input;
  const byId = new Map(tools.map((tool) => [toolId(tool.server, tool.name), tool]));
  const taken = new Set(byId.keys());
  const found = failures.length > 0 ? adviseFailures(failures, byId, tools, taken) : [];
  const paired = new Set(found.map(pairKey));
  for (const { a, b } of pairs) {
    const [one, two] = [tools[a], tools[b]];
    const piece = one && two ? advisePair(one, two, taken) : null;
    if (piece && !paired.has(pairKey(piece))) found.push(piece);
  }
  return found.filter(({ toolIds }) => toolIds.every((id) => !openSignals.has(id)));
}

const pairKey = ({ toolIds }: Advice): string => [...toolIds].sort().join(' ');

function adviseFailures(
  failures: readonly AdvisedFailure[],
  byId: ReadonlyMap<string, AnalysedTool>,
  tools: readonly AnalysedTool[],
  taken: ReadonlySet<string>,
): Advice[] {
  const causes = new Map<string, AdvisedFailure[]>();
  for (const failure of failures) {
    const key = `${failure.expected ?? ''} ${failure.called ?? ''}`;
    causes.set(key, [...(causes.get(key) ?? []), failure]);
  }
  return [...causes.values()].flatMap((alike) => {
    const [first] = alike;
    const expected = byId.get(first?.expected ?? '');
    const called = byId.get(first?.called ?? '');
    const queries = alike.map(({ query }) => query);
    if (!expected) {
      const piece = called && first?.expected === null ? unneededAdvice(called, queries) : null;
      return piece ? [piece] : [];
    }
    if (called === expected)
      return alike.flatMap(({ query, wrongArguments }) =>
        wrongArguments.flatMap(
          ({ name, expected: value }) => parameterAdvice(expected, name, value, query) ?? [],
        ),
      );
    if (called && lookAlike(expected, called)) return [];
    const certain = called && structural(expected, called, taken);
    if (certain) return [{ ...certain, evidence: { ...certain.evidence, requests: queries } }];
    const between =
      called &&
      boundary(
        [[called, expected]],
        `${called.name} was called although ${expected.name} was expected.`,
        queries,
      );
    return [between, wordsAdvice(expected, alike, tools)].filter((one) => one != null);
  });
}
