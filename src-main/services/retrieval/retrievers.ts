import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { Corpus, GoldenSet, Rankings } from '../../../src-shared/domain/retrieval.ts';
import { offlineRankers } from '../../analysis/rankers/rankers.ts';
import { rankableTools } from './scoreRetrieval.ts';

/**
 * Orders a corpus by a query, in this program or outside of it. The caller that opens one closes
 * it.
 */
export interface OpenRetriever {
  /** The name shown in reports. */
  readonly id: string;
  /** Called once before many queries are ranked, for retrievers that can batch them. */
  prepare?(queries: readonly string[], signal: AbortSignal): Promise<void>;
  /** Tool ids of the corpus, best first. */
  rank(query: string, signal: AbortSignal): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens one of the program's own rankers over a corpus; null when there is none of this id. */
export function openOffline(id: string, corpus: Corpus): OpenRetriever | null {
  const ranker = offlineRankers.get(id);
  if (!ranker) return null;
  const index = ranker.index(rankableTools(corpus));
  const ids = corpus.tools.map((tool) => toolId(tool.server, tool.tool));
  return {
    id,
    rank: async (query) => index.rank(query).map(({ toolIndex }) => ids[toolIndex] ?? ''),
    close: async () => undefined,
  };
}

/** Ranks every query of a golden set, one after the other. */
export async function rankAll(
  retriever: OpenRetriever,
  golden: GoldenSet,
  signal: AbortSignal,
  progress?: (done: number) => void,
): Promise<Rankings> {
  // Without a prototype: a query may be called "__proto__".
  await retriever.prepare?.(
    golden.queries.map(({ query }) => query),
    signal,
  );
  const rankings = Object.create(null) as Rankings;
  const yieldIfDue = createYielder();
  for (const [at, query] of golden.queries.entries()) {
    signal.throwIfAborted();
    rankings[query.id] = await retriever.rank(query.query, signal);
    progress?.(at + 1);
    await yieldIfDue();
  }
  return rankings;
}
