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
  const tieOrder = orderByToolId(tools);
  return {
    rank(query) {
      const scores = score(query);
      const ranked = Array.from(tools, (_, toolIndex): RankedTool => ({ toolIndex, score: scores[toolIndex] ?? 0 }));
      return ranked.sort((a, b) => b.score - a.score || (tieOrder[a.toolIndex] ?? 0) - (tieOrder[b.toolIndex] ?? 0));
    },
  };
}

function orderByToolId(tools: readonly RankableTool[]): Int32Array {
  const ids = tools.map((tool) => toolId(tool.server, tool.name));
  const order = new Int32Array(tools.length);
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  ids
    .map((id, at) => ({ id, at }))
    .sort((a, b) => compare(a.id, b.id) || a.at - b.at)
    .forEach(({ at }, place) => (order[at] = place));
  return order;
}
