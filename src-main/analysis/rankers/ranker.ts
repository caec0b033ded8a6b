import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';

/** What a ranker may read of a tool. A corpus may know no schema. */
export interface RankableTool {
  server: string;
  name: string;
  description: string;
  inputSchema?: JsonObject;
}

export interface RankedTool {
  /** Position in the list that was indexed. */
  toolIndex: number;
  score: number;
}

export interface Index {
  /** Every tool, best first; ties by tool id ascending (code units), then by position. */
  rank(query: string): RankedTool[];
}

/** One way of ranking tools for a query: pure and deterministic. A new one is a file beside this and a line in `rankers.ts`. */
export interface Ranker {
  readonly id: string;
  index(tools: readonly RankableTool[]): Index;
}

/** Makes an index out of a function that scores all tools for a query. The order of equals is settled once, when the index is built. */
export function indexByScore(tools: readonly RankableTool[], score: (query: string) => Float64Array): Index {
  const byToolId = orderByToolId(tools);
  return {
    rank(query) {
      const scores = score(query);
      // The sort is stable: what scores the same stays in the order of ids.
      return byToolId.map((toolIndex): RankedTool => ({ toolIndex, score: scores[toolIndex] ?? 0 })).sort((a, b) => b.score - a.score);
    },
  };
}

function orderByToolId(tools: readonly RankableTool[]): number[] {
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return tools
    .map((tool, at) => ({ id: toolId(tool.server, tool.name), at }))
    .sort((a, b) => compare(a.id, b.id) || a.at - b.at)
    .map(({ at }) => at);
}
