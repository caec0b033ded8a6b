import type { Difficulty, RetrievalMetric } from '../domain/retrieval.ts';
import { formatPercent } from './numbers.ts';

export const retrievalMetricTexts: Record<RetrievalMetric, { label: string; meaning: string }> = {
  recall_at_1: {
    label: 'Recall@1',
    meaning:
      'Share of a query’s relevant tools ranked first, mean over queries. Relevant is ' +
      'relevance 1 or 2.',
  },
  recall_at_3: {
    label: 'Recall@3',
    meaning: 'Share of a query’s relevant tools among the first 3, mean over queries.',
  },
  recall_at_5: {
    label: 'Recall@5',
    meaning: 'Share of a query’s relevant tools among the first 5, mean over queries.',
  },
  recall_at_10: {
    label: 'Recall@10',
    meaning: 'Share of a query’s relevant tools among the first 10, mean over queries.',
  },
  mrr: {
    label: 'MRR',
    meaning:
      'Mean reciprocal rank: 1 ÷ rank of the first relevant tool over the whole list, 0 if none is ranked.',
  },
  ndcg_at_10: {
    label: 'nDCG@10',
    meaning:
      'Gain of the first 10, discounted by log2 of the rank, over that of the best order. ' +
      'Gain is the relevance.',
  },
  map: {
    label: 'MAP',
    meaning:
      'Mean average precision: precision at each relevant tool’s rank, over all relevant ' +
      'tools of the query.',
  },
};

export const difficultyTexts: Record<Difficulty, { label: string; meaning: string }> = {
  direct: { label: 'direct', meaning: 'The query uses the words of the tool.' },
  paraphrase: { label: 'paraphrase', meaning: 'The query asks for the same in other words.' },
  situation: {
    label: 'situation',
    meaning: 'The query says what somebody is up to, not the operation.',
  },
};

/** From this recall on, a model has nearly every tool that it needs. */
const enoughRecall = 0.95;

/**
 * What the recall of a retriever means for a model that is offered what it finds, and what to do with
 * it. Null if nothing was measured.
 */
export function recallMeaning(
  retriever: string,
  recallAt: (k: 1 | 3 | 5 | 10) => number | null | undefined,
): string | null {
  const [five, ten] = [recallAt(5) ?? null, recallAt(10) ?? null];
  if (five === null || ten === null) return null;
  const enough = ([1, 3, 5, 10] as const).find((k) => (recallAt(k) ?? 0) >= enoughRecall);
  if (enough !== undefined)
    return `Offer a model the first ${enough} tools that the ${retriever} retriever finds: they have ${formatPercent(recallAt(enough) ?? 0)} of the tools that it needs.`;
  return (
    `The ${retriever} retriever finds ${formatPercent(five)} of the tools that a request needs among ` +
    `its first 5, and ${formatPercent(ten)} among its first 10. A model that is offered only these ` +
    'can’t call the rest: offer more, or improve the descriptions of tools that are missed.'
  );
}
