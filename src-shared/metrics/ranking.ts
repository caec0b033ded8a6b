/** Relevance per id: 2 = primary, 1 = acceptable, 0 = not relevant. An id without an entry is not relevant. */
export type Relevance = ReadonlyMap<string, number>;

/** The k at which recall is reported. */
export const recallCutoffs = [1, 3, 5, 10] as const;
export type RecallCutoff = (typeof recallCutoffs)[number];

export interface JudgedRanking {
  /** Ids, best first; [] where a query got no ranking. */
  ranking: readonly string[];
  relevance: Relevance;
}

export interface RankingMetrics {
  recallAt: Record<RecallCutoff, number>;
  mrr: number;
  ndcgAt10: number;
  map: number;
}

const isRelevant = (relevance: Relevance, id: string): boolean => (relevance.get(id) ?? 0) >= 1;

function relevantCount(relevance: Relevance): number {
  let count = 0;
  for (const value of relevance.values()) if (value >= 1) count += 1;
  return count;
}

/**
 * recall@k = |relevant among the first k| / |relevant|, relevant = relevance ≥ 1. Range 0–1; null where nothing is relevant.
 * Source: docs/rules.md §5 (trec_eval `recall`).
 */
export function recallAt(ranking: readonly string[], relevance: Relevance, k: number): number | null {
  const total = relevantCount(relevance);
  if (total === 0) return null;
  return ranking.slice(0, k).filter((id) => isRelevant(relevance, id)).length / total;
}

/**
 * 1 / rank of the first relevant id over the full list, 0 where none is ranked. Range 0–1; null where nothing is relevant.
 * Source: docs/rules.md §5 (trec_eval `recip_rank`).
 */
export function reciprocalRank(ranking: readonly string[], relevance: Relevance): number | null {
  if (relevantCount(relevance) === 0) return null;
  const at = ranking.findIndex((id) => isRelevant(relevance, id));
  return at < 0 ? 0 : 1 / (at + 1);
}

/**
 * nDCG@k = DCG / ideal DCG, both over the first k; DCG = Σ relevance / log2(rank + 1), linear gain. Range 0–1; null where nothing is relevant.
 * Source: docs/rules.md §5 (trec_eval `ndcg_cut`).
 */
export function ndcgAt(ranking: readonly string[], relevance: Relevance, k: number): number | null {
  const ideal = discountedGain([...relevance.values()].sort((a, b) => b - a), k);
  if (ideal === 0) return null;
  return discountedGain(ranking.map((id) => relevance.get(id) ?? 0), k) / ideal;
}

function discountedGain(gains: readonly number[], k: number): number {
  let sum = 0;
  gains.slice(0, k).forEach((gain, at) => (sum += Math.max(0, gain) / Math.log2(at + 2)));
  return sum;
}

/**
 * Average precision over the full list: Σ over relevant ranked ids of precision at their rank, divided by all relevant. Range 0–1; null where nothing is relevant.
 * Source: docs/rules.md §5 (trec_eval `map`).
 */
export function averagePrecision(ranking: readonly string[], relevance: Relevance): number | null {
  const total = relevantCount(relevance);
  if (total === 0) return null;
  let hits = 0;
  let sum = 0;
  ranking.forEach((id, at) => {
    if (!isRelevant(relevance, id)) return;
    hits += 1;
    sum += hits / (at + 1);
  });
  return sum / total;
}

/** The first id that stands twice in a ranking, or null. A ranking with a duplicate is refused, never scored. */
export function duplicateIn(ranking: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const id of ranking) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return null;
}

/**
 * Means over queries. Queries without a relevant id are left out; null where none is left.
 * Throws RangeError on a ranking that holds an id twice.
 */
export function meanRankingMetrics(queries: readonly JudgedRanking[]): RankingMetrics | null {
  const recallSums: Record<RecallCutoff, number> = { 1: 0, 3: 0, 5: 0, 10: 0 };
  let rr = 0;
  let ndcg = 0;
  let ap = 0;
  let n = 0;
  for (const { ranking, relevance } of queries) {
    const duplicate = duplicateIn(ranking);
    if (duplicate !== null) throw new RangeError(`The ranking holds "${duplicate}" twice; an id may stand in it once.`);
    const precision = averagePrecision(ranking, relevance);
    if (precision === null) continue;
    n += 1;
    ap += precision;
    rr += reciprocalRank(ranking, relevance) ?? 0;
    ndcg += ndcgAt(ranking, relevance, 10) ?? 0;
    for (const k of recallCutoffs) recallSums[k] += recallAt(ranking, relevance, k) ?? 0;
  }
  if (n === 0) return null;
  const mean = (k: RecallCutoff): number => recallSums[k] / n;
  return { recallAt: { 1: mean(1), 3: mean(3), 5: mean(5), 10: mean(10) }, mrr: rr / n, ndcgAt10: ndcg / n, map: ap / n };
}
