import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import {
  retrievalMetrics,
  type BaselineFile,
  type Corpus,
  type GoldenQuery,
  type GoldenSet,
  type MetricValues,
  type Rankings,
  type RetrievalMetric,
  type Tolerances,
} from '../../../src-shared/domain/retrieval.ts';
import type { RetrieverResult } from '../../../src-shared/domain/retrievalRun.ts';
import {
  scoreQuery,
  meanDifference,
  meanWithInterval,
  type MeanDifference,
} from '../../../src-shared/metrics/retrievalScore.ts';
import { compareWithBaseline, scoreRankings } from './scoreRetrieval.ts';

export interface RankedSet {
  id: string;
  title: string;
  rankings: Rankings;
  milliseconds: number;
}

/** Ids of a ranking shown next to the numbers. */
const defaultMaxRanks = 20;

/**
 * Compares several rankings of one golden set. All but the first get their difference from the
 * first, with intervals over queries.
 */
export function compareRetrievers(
  corpus: Corpus,
  golden: GoldenSet,
  ranked: readonly RankedSet[],
  baseline: { file: BaselineFile; version: string; tolerance: Tolerances } | null,
  maxRanks = defaultMaxRanks,
): RetrieverResult[] {
  const queries = golden.queries.filter((query) =>
    query.labels.some(({ relevance }) => relevance >= 1),
  );
  const judged = ranked.map(({ rankings }) =>
    queries
      .map((query) => scoreQuery(query, rankings[query.id] ?? []))
      .filter((values) => values !== null),
  );
  return ranked.map(({ id, title, rankings, milliseconds }, at) => {
    const values = judged[at] ?? [];
    const report = scoreRankings(golden, corpus.version, id, rankings);
    const gated = baseline
      ? compareWithBaseline(report, baseline.file, baseline.version, baseline.tolerance)
      : report;
    return {
      retriever: id,
      title,
      milliseconds,
      metrics: eachMetric((metric) =>
        toEstimate(meanWithInterval(values.map((each) => each[metric]))),
      ),
      differences:
        at === 0
          ? null
          : eachMetric(
              (metric) =>
                meanDifference(
                  values.map((each) => each[metric]),
                  (judged[0] ?? []).map((each) => each[metric]),
                ) ?? { value: 0, low: 0, high: 0, n: 0 },
            ),
      perQuery: queries.map((query, index) => ({
        id: query.id,
        values: values[index] ?? noValues,
        firstRelevant: firstRelevant(query, rankings[query.id] ?? []),
        top: (rankings[query.id] ?? []).slice(0, maxRanks),
        ranked: rankings[query.id]?.length ?? 0,
      })),
      baselineDelta: gated.baseline_delta,
      gate: gated.gate,
    };
  });
}

/** A query without a ranking scores 0 in every metric. */
const noValues: MetricValues = {
  recall_at_1: 0,
  recall_at_3: 0,
  recall_at_5: 0,
  recall_at_10: 0,
  mrr: 0,
  ndcg_at_10: 0,
  map: 0,
};

function eachMetric<T>(value: (metric: RetrievalMetric) => T): Record<RetrievalMetric, T> {
  return Object.fromEntries(retrievalMetrics.map((metric) => [metric, value(metric)])) as Record<
    RetrievalMetric,
    T
  >;
}

const toEstimate = (mean: MeanDifference | null): Estimate =>
  mean
    ? { value: mean.value, low: mean.low, high: mean.high, n: mean.n }
    : { value: null, low: null, high: null, n: 0 };

/** The rank of the first relevant tool, from 1; null when none was ranked. */
function firstRelevant(query: GoldenQuery, ranking: readonly string[]): number | null {
  const relevant = new Set(
    query.labels.filter(({ relevance }) => relevance >= 1).map((label) => label.tool_id),
  );
  const at = ranking.findIndex((id) => relevant.has(id));
  return at < 0 ? null : at + 1;
}
