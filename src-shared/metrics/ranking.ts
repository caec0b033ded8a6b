/** Relevance by id: 2 = primary, 1 = acceptable, 0 = not relevant. Missing ids are not relevant. */
export type Relevance = ReadonlyMap<string, number>;

/** Values of k for which recall is reported. */
export const recallCutoffs = [1, 3, 5, 10] as const;
export type RecallCutoff = (typeof recallCutoffs)[number];

export interface LabeledRanking {
  /** Ids, best first; [] if a query got no ranking. */
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
 * recall@k = |relevant among the first k| / |relevant|, where relevant means relevance ≥ 1. Range
 * 0–1; null if nothing is relevant.
 * Source: docs/rules.md §5 (trec_eval `recall`).
 */
export function recallAt(
  ranking: readonly string[],
  relevance: Relevance,
  k: number,
): number | null {
  const total = relevantCount(relevance);
  if (total === 0) return null;
  return ranking.slice(0, k).filter((id) => isRelevant(relevance, id)).length / total;
}

/**
 * 1 / rank of the first relevant id in the full list; 0 if none is ranked. Range 0–1; null if
 * nothing is relevant.
 * Source: docs/rules.md §5 (trec_eval `recip_rank`).
 */
export function reciprocalRank(ranking: readonly string[], relevance: Relevance): number | null {
  if (relevantCount(relevance) === 0) return null;
  const at = ranking.findIndex((id) => isRelevant(relevance, id));
  return at < 0 ? 0 : 1 / (at + 1);
}

/**
 * nDCG@k = DCG / ideal DCG, both over the first k; DCG = Σ relevance / log2(rank + 1), linear gain.
 * Range 0–1; null if nothing is relevant.
 * Source: docs/rules.md §5 (trec_eval `ndcg_cut`).
 */
export function ndcgAt(ranking: readonly string[], relevance: Relevance, k: number): number | null {
  const ideal = discountedGain(
    [...relevance.values()].sort((a, b) => b - a),
    k,
  );
  if (ideal === 0) return null;
  return (
    discountedGain(
      ranking.map((id) => relevance.get(id) ?? 0),
      k,
    ) / ideal
  );
}

function discountedGain(gains: readonly number[], k: number): number {
  let sum = 0;
  gains.slice(0, k).forEach((gain, at) => (sum += Math.max(0, gain) / Math.log2(at + 2)));
  return sum;
}

/**
 * Average precision over the full list: Σ of the precision at each relevant id's rank, divided by
 * the number of relevant ids. Range 0–1; null if nothing is relevant.
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

/**
 * The first duplicate id in a ranking, or null. A ranking with a duplicate is rejected, never
 * scored.
 */
export function duplicateIn(ranking: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const id of ranking) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return null;
}

/**
 * Metrics of one query's ranking: recall at each cutoff, reciprocal rank, nDCG@10 and average
 * precision.
 */
export interface QueryMetrics {
  recallAt: Record<RecallCutoff, number>;
  reciprocalRank: number;
  ndcgAt10: number;
  averagePrecision: number;
}

/**
 * Computes all metrics of one ranking in a single pass that stops at the last relevant id; the
 * values equal those of the functions above. Null if nothing is relevant.
 * Source: docs/rules.md §5.
 */
export function scoreRanking(
  ranking: readonly string[],
  relevance: Relevance,
): QueryMetrics | null {
  const total = relevantCount(relevance);
  if (total === 0) return null;
  const recall: Record<RecallCutoff, number> = { 1: 0, 3: 0, 5: 0, 10: 0 };
  let [found, first, precision, gain] = [0, 0, 0, 0];
  for (let at = 0; at < ranking.length && found < total; at += 1) {
    const value = relevance.get(ranking[at] ?? '');
    if (value === undefined || value < 1) continue;
    found += 1;
    if (first === 0) first = at + 1;
    precision += found / (at + 1);
    if (at < 10) gain += value / Math.log2(at + 2);
    for (const k of recallCutoffs) if (at < k) recall[k] += 1;
  }
  for (const k of recallCutoffs) recall[k] /= total;
  const ideal = discountedGain(
    [...relevance.values()].sort((a, b) => b - a),
    10,
  );
  return {
    recallAt: recall,
    reciprocalRank: first === 0 ? 0 : 1 / first,
    ndcgAt10: gain / ideal,
    averagePrecision: precision / total,
  };
}

/** Means over queries with equal weights; null without queries. */
export function meanMetrics(queries: readonly QueryMetrics[]): RankingMetrics | null {
  const n = queries.length;
  if (n === 0) return null;
  const mean = (value: (query: QueryMetrics) => number): number =>
    queries.reduce((sum, query) => sum + value(query), 0) / n;
  return {
    recallAt: {
      1: mean((q) => q.recallAt[1]),
      3: mean((q) => q.recallAt[3]),
      5: mean((q) => q.recallAt[5]),
      10: mean((q) => q.recallAt[10]),
    },
    mrr: mean((q) => q.reciprocalRank),
    ndcgAt10: mean((q) => q.ndcgAt10),
    map: mean((q) => q.averagePrecision),
  };
}

/**
 * Means over queries. Queries without a relevant id are left out; null if none remains. Throws
 * RangeError for a ranking with a duplicate id.
 */
export function meanRankingMetrics(queries: readonly LabeledRanking[]): RankingMetrics | null {
  return meanMetrics(
    queries.flatMap(({ ranking, relevance }) => {
      const duplicate = duplicateIn(ranking);
      if (duplicate !== null)
        throw new RangeError(`The ranking holds "${duplicate}" twice; IDs must be unique.`);
      return scoreRanking(ranking, relevance) ?? [];
    }),
  );
}
