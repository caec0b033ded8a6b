import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { FoundTools } from '../../../src-shared/domain/tokenReport.ts';
import { offlineRankers } from '../../analysis/rankers/rankers.ts';
import { savings } from '../../analysis/tokens/toolTokens.ts';
import { limitSchemaDepth } from '../servers/limitSchemaDepth.ts';
import type { CountedList } from '../tokenCounts/countTools.ts';

/**
 * Searches a fixed list of tools with a ranker; the baseline is the whole list (docs/rules.md §6).
 * `excluded` says which servers are not in it. Throws INVALID for an unknown ranker.
 */
export function createToolFinder(
  list: CountedList['list'],
  retriever: string,
  excluded: FoundTools['excluded'] = [],
) {
  const ranker = offlineRankers.get(retriever);
  if (ranker === undefined)
    throw new ServiceError('INVALID', {
      thing: `Retriever ${retriever}`,
      cause: "It doesn't exist.",
      nextStep: `Choose one of ${[...offlineRankers.keys()].join(', ')}.`,
      field: 'retriever',
    });
  const index = ranker.index(list.map(({ tool }) => tool));
  const baseline = list.reduce((sum, { counted }) => sum + counted.tokenCount, 0);
  return {
    /**
     * Returns the best k tools with any relevance to the words, and the tokens saved by not showing
     * the rest.
     */
    find(description: string, keywords: string, k: number): FoundTools {
      const tools = index
        .top(`${description} ${keywords}`.trim(), k)
        .flatMap(({ toolIndex, score }) => {
          const entry = list[toolIndex];
          if (!entry || score <= 0) return [];
          return [
            {
              toolId: toolId(entry.tool.server, entry.tool.name),
              score,
              tokenCount: entry.counted.tokenCount,
              tool: limitSchemaDepth(entry.tool),
            },
          ];
        });
      return {
        tools,
        offered: list.length,
        excluded,
        tokenMetrics: savings(
          baseline,
          tools.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
        ),
      };
    },
  };
}
