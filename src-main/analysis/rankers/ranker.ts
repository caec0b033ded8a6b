import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { firstByScore, orderByScore } from '../order.ts';

/** What a ranker may read of a tool. A corpus may lack schemas. */
export interface RankableTool {
  server: string;
  name: string;
  description: string;
  inputSchema?: JsonObject;
}

interface RankedTool {
  /** Position in the indexed list. */
  toolIndex: number;
  score: number;
}

export interface Index {
  /** Every tool, best first; ties by tool id ascending (code units), then by position. */
  rank(query: string): RankedTool[];
  /** The first k of `rank`, without sorting the rest. */
  top(query: string, k: number): RankedTool[];
}

/**
 * One way of ranking tools for a query: pure and deterministic. A new one is a file next to this
 * one and a line in `rankers.ts`.
 */
export interface Ranker {
  readonly id: string;
  /** What it does, in a few words, for lists on screen. */
  readonly title: string;
  index(tools: readonly RankableTool[]): Index;
}

/**
 * Turns a function that scores all tools for a query (each ≥ 0) into an index. The order of ties is
 * fixed once, when the index is built.
 */
export function indexByScore(
  tools: readonly RankableTool[],
  score: (query: string) => Float64Array,
): Index {
  const byToolId = orderByToolId(tools);
  return {
    rank(query) {
      const scores = score(query);
      return ranked(orderByScore(scores, byToolId), scores);
    },
    top(query, k) {
      const scores = score(query);
      return ranked(firstByScore(scores, byToolId, k), scores);
    },
  };
}

function ranked(order: Int32Array, scores: Float64Array): RankedTool[] {
  const list: RankedTool[] = [];
  for (const toolIndex of order) list.push({ toolIndex, score: scores[toolIndex] ?? 0 });
  return list;
}

/** Positions by tool id ascending (code units), then by position. */
export function orderByToolId(tools: readonly RankableTool[]): Int32Array {
  const ids = tools.map((tool) => toolId(tool.server, tool.name));
  return Int32Array.from(tools.keys()).sort(
    (a, b) => compareText(ids[a] ?? '', ids[b] ?? '') || a - b,
  );
}
