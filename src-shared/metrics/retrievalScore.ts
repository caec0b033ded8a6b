import type {
  BaselineFile,
  Difficulty,
  GateVerdict,
  GoldenQuery,
  MetricValues,
  RetrievalMetric,
  RetrievalReport,
  Tolerances,
} from '../domain/retrieval.ts';
import { difficulties, retrievalMetrics } from '../domain/retrieval.ts';
import { bootstrapRatio } from './bootstrap.ts';
import { wilson, type Interval } from './intervals.ts';
import { scoreRanking, type QueryMetrics, type RankingMetrics } from './ranking.ts';

export const relevanceOf = (query: Pick<GoldenQuery, 'labels'>): ReadonlyMap<string, number> =>
  new Map(query.labels.map((label) => [label.tool_id, label.relevance]));

/** Metrics of one query by name; rr and ap are the query's contributions to MRR and MAP. */
function toQueryValues({
  recallAt,
  reciprocalRank,
  ndcgAt10,
  averagePrecision,
}: QueryMetrics): MetricValues {
  return {
    recall_at_1: recallAt[1],
    recall_at_3: recallAt[3],
    recall_at_5: recallAt[5],
    recall_at_10: recallAt[10],
    mrr: reciprocalRank,
    ndcg_at_10: ndcgAt10,
    map: averagePrecision,
  };
}

export function toMeanValues({ recallAt, mrr, ndcgAt10, map }: RankingMetrics): MetricValues {
  return {
    recall_at_1: recallAt[1],
    recall_at_3: recallAt[3],
    recall_at_5: recallAt[5],
    recall_at_10: recallAt[10],
    mrr,
    ndcg_at_10: ndcgAt10,
    map,
  };
}

/** What a retriever finds for the queries of one difficulty. */
export interface DifficultyScore {
  difficulty: Difficulty;
  /** Scored queries. */
  queries: number;
  recallAt5: number;
  mrr: number;
}

/**
 * Means of recall@5 and reciprocal rank by difficulty, from the easiest. Range 0–1. A difficulty
 * without a scored query is left out. Source: docs/rules.md §5.
 */
export function scoresByDifficulty(
  queries: readonly Pick<GoldenQuery, 'id' | 'difficulty'>[],
  perQuery: readonly { id: string; values: MetricValues }[],
): DifficultyScore[] {
  const difficultyOf = new Map(queries.map((query) => [query.id, query.difficulty]));
  return difficulties.flatMap((difficulty): DifficultyScore[] => {
    const scored = perQuery.filter(({ id }) => difficultyOf.get(id) === difficulty);
    const mean = (metric: RetrievalMetric): number =>
      scored.reduce((sum, { values }) => sum + values[metric], 0) / scored.length;
    return scored.length === 0
      ? []
      : [
          {
            difficulty,
            queries: scored.length,
            recallAt5: mean('recall_at_5'),
            mrr: mean('mrr'),
          },
        ];
  });
}

export interface MeanDifference extends Interval {
  /** Mean of value − reference over the queries. */
  value: number;
  n: number;
}

/**
 * Mean difference of two rankings of the same queries, with a 95% percentile interval of a
 * bootstrap over queries (10,000 resamples, seeded). Pairs are resampled, so queries that are hard
 * for both do not widen it. If every query differs by the same d, the interval is [d − u(d + 1), d
 * + u(1 − d)] with Wilson's upper bound u for 0 of n. Null without queries. Throws RangeError if
 * the lengths differ. Source: docs/rules.md §5.
 * @param values and @param reference one value per query, in the same order
 */
export function meanDifference(
  values: readonly number[],
  reference: readonly number[],
): MeanDifference | null {
  if (values.length !== reference.length)
    throw new RangeError(
      `${values.length} values are compared with ${reference.length}: they are not of the ` +
        'same queries.',
    );
  const differences = values.map((value, at) => value - (reference[at] ?? 0));
  const [first] = differences;
  if (first === undefined) return null;
  const value = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  const interval = differences.every((difference) => Math.abs(difference - first) < 1e-12)
    ? constantInterval(first, differences.length)
    : bootstrapRatio(differences.map((difference) => ({ numerator: difference, denominator: 1 })));
  return interval && { ...interval, value, n: differences.length };
}

/**
 * No query of n differs from d: by Wilson at most a share u = z² ÷ (n + z²) of all queries would,
 * each at most to −1 or 1.
 */
function constantInterval(d: number, n: number): Interval {
  const share = wilson(0, n)?.high ?? 1;
  return { low: d - share * (d + 1), high: d + share * (1 - d) };
}

/**
 * Mean of one metric with a 95% percentile interval of a bootstrap over queries; null without
 * queries. Source: docs/rules.md §5.
 */
export function meanWithInterval(values: readonly number[]): MeanDifference | null {
  const interval = bootstrapRatio(values.map((value) => ({ numerator: value, denominator: 1 })));
  return (
    interval && {
      ...interval,
      value: values.reduce((sum, value) => sum + value, 0) / values.length,
      n: values.length,
    }
  );
}

/** Intervals of the metrics that a report has per query. */
export function reportIntervals({
  per_query,
}: Pick<RetrievalReport, 'per_query'>): Partial<Record<RetrievalMetric, MeanDifference>> {
  const columns = {
    recall_at_5: 'recall_at_5',
    mrr: 'rr',
    ndcg_at_10: 'ndcg_at_10',
    map: 'ap',
  } as const;
  return Object.fromEntries(
    Object.entries(columns).flatMap(([metric, column]) => {
      const interval = meanWithInterval(per_query.map((row) => row[column]));
      return interval ? [[metric, interval]] : [];
    }),
  );
}

export type BaselineValues = Partial<MetricValues>;

/** The reference values of a baseline file by metric name. */
export function toBaselineValues({
  recall_at,
  mrr,
  ndcg_at_10,
  map,
}: BaselineFile): BaselineValues {
  const values: Record<RetrievalMetric, number | undefined> = {
    recall_at_1: recall_at[1],
    recall_at_3: recall_at[3],
    recall_at_5: recall_at[5],
    recall_at_10: recall_at[10],
    mrr,
    ndcg_at_10,
    map,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Value − reference for each metric in the baseline. */
export function differenceFromBaseline(
  values: MetricValues,
  baseline: BaselineValues,
): BaselineValues {
  return Object.fromEntries(
    retrievalMetrics.flatMap((metric) =>
      baseline[metric] === undefined ? [] : [[metric, values[metric] - baseline[metric]]],
    ),
  );
}

const roundingTolerance = 1e-9;

/**
 * A metric fails if baseline − value > its tolerance + 1e-9. Metrics without a tolerance are
 * reported but not gated; those missing in the baseline cannot be. Source: docs/rules.md §5.
 */
export function checkRetrievalGate(
  values: MetricValues,
  baseline: BaselineValues,
  tolerance: Tolerances,
): GateVerdict {
  const failed = retrievalMetrics.filter((metric) => {
    const [reference, allowed] = [baseline[metric], tolerance[metric]];
    return (
      reference !== undefined &&
      allowed !== undefined &&
      reference - values[metric] > allowed + roundingTolerance
    );
  });
  return { passed: failed.length === 0, tolerance, failed };
}

/** Metrics of one query; null if no label is relevant. */
export function scoreQuery(
  query: Pick<GoldenQuery, 'labels'>,
  ranking: readonly string[],
): MetricValues | null {
  const judged = scoreRanking(ranking, relevanceOf(query));
  return judged && toQueryValues(judged);
}
