import { toolId } from '../../../src-shared/domain/labels.ts';
import type {
  AnalysedTool,
  Differentiation,
  Priority,
} from '../../../src-shared/domain/similarity.ts';
import {
  parameterUniqueness,
  scopeClarity,
  terminologyOverlap,
  type Found,
  type Pair,
} from './issueRules.ts';
import { exampleDistinctiveness, namingClarity } from './nameAndExampleRules.ts';
import { countWords, pairWords, type WordCounts } from './pairWords.ts';

const rank: Record<Priority, number> = { high: 0, medium: 1, low: 2 };

export interface Differentiator {
  /**
   * What is wrong with a pair and what to do about it, most important first. There is always
   * something, and it quotes the two tools.
   */
  advise(a: AnalysedTool, b: AnalysedTool, similarityScore: number): Differentiation;
}

/**
 * Rules that need no model. `schemaKey` is the name of the input schema in the tool definition.
 * Source: docs/rules.md §4.
 */
export function createDifferentiator(
  tools: readonly AnalysedTool[],
  schemaKey = 'inputSchema',
): Differentiator {
  const counts: WordCounts = countWords(tools);
  const taken = new Set(tools.map(({ server, name }) => toolId(server, name)));
  return {
    advise(a, b, similarityScore) {
      const pair: Pair = { tools: [a, b], words: pairWords(a, b, counts), taken, schemaKey };
      const rules = [
        scopeClarity,
        terminologyOverlap,
        parameterUniqueness,
        namingClarity,
        exampleDistinctiveness,
      ];
      const found = rules.map((rule) => rule(pair)).filter((one): one is Found => one !== null);
      if (found.length === 0)
        found.push(...[scopeClarity(pair, true)].filter((one) => one !== null));
      found.sort((x, y) => rank[x.issue.priority] - rank[y.issue.priority]);
      return {
        toolPair: [toolId(a.server, a.name), toolId(b.server, b.name)],
        unrevised: [],
        similarityScore,
        issues: found.map(({ issue }) => issue),
        recommendations: found.flatMap(({ items }) => items),
      };
    },
  };
}
