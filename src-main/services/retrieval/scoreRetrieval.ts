import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  BaselineFile,
  Corpus,
  GoldenSet,
  MetricValues,
  Rankings,
  RetrievalReport,
  Tolerances,
} from '../../../src-shared/domain/retrieval.ts';
import {
  differenceFromBaseline,
  checkRetrievalGate,
  relevanceOf,
  toBaselineValues,
  toMeanValues,
} from '../../../src-shared/metrics/retrievalScore.ts';
import {
  scoreRanking,
  meanMetrics,
  type QueryMetrics,
} from '../../../src-shared/metrics/ranking.ts';
import type { RankableTool } from '../../analysis/rankers/ranker.ts';

export const rankableTools = (corpus: Corpus): RankableTool[] =>
  corpus.tools.map(({ server, tool, description, schema }) => ({
    server,
    name: tool,
    description,
    ...(schema ? { inputSchema: schema } : {}),
  }));

/**
 * Scores the rankings of a golden set, per query and as means. A query without a ranking scores 0;
 * queries without a relevant label are left out and named. Throws INVALID when no query is left.
 */
export function scoreRankings(
  golden: GoldenSet,
  corpusVersion: string,
  retriever: string,
  rankings: Rankings,
): RetrievalReport {
  const leftOut: string[] = [];
  const judged: QueryMetrics[] = [];
  const perQuery: RetrievalReport['per_query'] = [];
  for (const query of golden.queries) {
    const ranking = Object.hasOwn(rankings, query.id) ? (rankings[query.id] ?? []) : [];
    const metrics = scoreRanking(ranking, relevanceOf(query));
    if (!metrics) {
      leftOut.push(query.id);
      continue;
    }
    judged.push(metrics);
    perQuery.push({
      id: query.id,
      ranking,
      recall_at_5: metrics.recallAt[5],
      rr: metrics.reciprocalRank,
      ndcg_at_10: metrics.ndcgAt10,
      ap: metrics.averagePrecision,
    });
  }
  const mean = meanMetrics(judged);
  if (!mean)
    throw new ServiceError('INVALID', {
      thing: `Golden set ${golden.version}`,
      cause: 'None of its queries has a tool labeled 1 or 2.',
      nextStep: 'Label the queries.',
    });
  return {
    corpus_version: corpusVersion,
    golden_version: golden.version,
    retriever,
    queries: judged.length,
    left_out: leftOut,
    metrics: { recall_at: mean.recallAt, mrr: mean.mrr, ndcg_at_10: mean.ndcgAt10, map: mean.map },
    per_query: perQuery,
    baseline_delta: null,
    gate: null,
  };
}

export function valuesOfReport({ metrics }: Pick<RetrievalReport, 'metrics'>): MetricValues {
  return toMeanValues({
    recallAt: metrics.recall_at,
    mrr: metrics.mrr,
    ndcgAt10: metrics.ndcg_at_10,
    map: metrics.map,
  });
}

/**
 * Adds the difference from a baseline and the verdict of its gate. Throws INVALID when the baseline
 * is for another corpus or golden set, because such numbers can't be compared.
 */
export function compareWithBaseline(
  report: RetrievalReport,
  baseline: BaselineFile,
  name: string,
  tolerance: Tolerances = baseline.tolerance,
): RetrievalReport {
  for (const [what, own, reference] of [
    ['corpus', report.corpus_version, baseline.corpus_version],
    ['golden set', report.golden_version, baseline.golden_version],
  ] as const) {
    if (own === reference) continue;
    throw new ServiceError('INVALID', {
      thing: `Baseline ${name}`,
      cause: `It was measured on ${what} "${reference}", and the report is of "${own}".`,
      nextStep: 'Compare measurements of the same versions, or save a new baseline.',
    });
  }
  const values = valuesOfReport(report);
  const reference = toBaselineValues(baseline);
  return {
    ...report,
    baseline_delta: differenceFromBaseline(values, reference),
    gate: checkRetrievalGate(values, reference, tolerance),
  };
}

/** By how much each metric may fall below a new baseline. */
const defaultTolerance: Tolerances = { recall_at_5: 0.02, mrr: 0.02, ndcg_at_10: 0.02, map: 0.02 };

/** Makes a baseline of a report; the thresholds of all gates are kept from an earlier one. */
export function toBaseline(
  report: RetrievalReport,
  { tolerance = defaultTolerance, security }: Partial<BaselineFile> = {},
): BaselineFile {
  return {
    corpus_version: report.corpus_version,
    golden_version: report.golden_version,
    retriever: report.retriever,
    recall_at: report.metrics.recall_at,
    mrr: report.metrics.mrr,
    ndcg_at_10: report.metrics.ndcg_at_10,
    map: report.metrics.map,
    tolerance,
    ...(security === undefined ? {} : { security }),
  };
}
