import { z } from 'zod';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import {
  gateVerdict,
  difficulty,
  goldenLabel,
  retrievalMetric,
  type GoldenQuery,
  type RetrievalMetric,
} from '../../../../src-shared/domain/retrieval.ts';
import {
  metricDifference,
  type RetrievalComparison,
  type RetrieverResult,
} from '../../../../src-shared/domain/retrievalRun.ts';
import { documentHead } from './documentHead.ts';
import { published } from './published.ts';

/** Metrics are from 0 to 1. */
const share = z.number().min(0).max(1);

type Values = RetrieverResult['metrics'];

/** A mean as a number; the schema has no null here, and an empty set of queries scores 0. */
const mean = (metric: RetrievalMetric) =>
  [share, (metrics: Values): number => metrics[metric].value ?? 0] as const;

type Query = RetrieverResult['perQuery'][number] &
  Partial<Pick<GoldenQuery, 'labels' | 'difficulty'>>;
const valueOf = (metric: RetrievalMetric) =>
  [share, ({ values }: Query): number => values[metric]] as const;

type Ranked = RetrieverResult & Pick<RetrievalComparison, 'queries'>;

/** The numbers of one retriever. */
const ranked = {
  retriever: z.string(),
  title: z.string(),
  metrics: published<Values>()({
    recall_at: [
      published<Values>()({
        1: mean('recall_at_1'),
        3: mean('recall_at_3'),
        5: mean('recall_at_5'),
        10: mean('recall_at_10'),
      }),
      (metrics) => metrics,
    ],
    mrr: mean('mrr'),
    ndcg_at_10: mean('ndcg_at_10'),
    map: mean('map'),
  }),
  intervals: [
    z
      .record(retrievalMetric, estimate)
      .describe('The same means with their 95% intervals and the number of queries.'),
    'metrics',
  ],
  differences: z
    .record(retrievalMetric, metricDifference)
    .nullable()
    .describe('To the first retriever; null for it.'),
  per_query: [
    z.array(
      published<Query>()(
        {
          id: z.string(),
          labels: [z.array(goldenLabel), ({ labels = [] }) => labels],
          ranking: [z.array(z.string()).describe('Its first tools; `ranked` counts all.'), 'top'],
          ranked: z.int(),
          difficulty: [difficulty.nullable().optional(), (query) => query.difficulty ?? null],
          first_relevant: z.int().nullable(),
          recall_at_1: valueOf('recall_at_1'),
          recall_at_3: valueOf('recall_at_3'),
          recall_at_5: valueOf('recall_at_5'),
          recall_at_10: valueOf('recall_at_10'),
          rr: valueOf('mrr'),
          ndcg_at_10: valueOf('ndcg_at_10'),
          ap: valueOf('map'),
        },
        ['difficulty', 'ranking', 'ranked'],
      ),
    ),
    ({ perQuery, queries }: Ranked): Query[] => {
      const asked = new Map(queries.map((query) => [query.id, query]));
      return perQuery.map((query) => ({ ...asked.get(query.id), ...query }));
    },
  ],
  baseline_delta: z.partialRecord(retrievalMetric, z.number()).nullable(),
  gate: gateVerdict.nullable(),
} as const;

/** The JSON report of a retrieval comparison; the first retriever is at the top level. */
export const retrievalDocument = published<RetrievalComparison & Ranked>()({
  ...documentHead('retrieval'),
  corpus_version: z.string(),
  golden_version: z.string(),
  queries: [z.int(), ({ perQuery }) => perQuery.length],
  left_out: z.array(z.string()),
  ...ranked,
  compared: [
    z.array(published<Ranked>()(ranked)).describe('The other retrievers, compared with the first.'),
    ({ results, queries }) => results.slice(1).map((result) => ({ ...result, queries })),
  ],
});
