import { z } from 'zod';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import {
  gateVerdict,
  difficulty,
  goldenLabel,
  retrievalMetric,
} from '../../../../src-shared/domain/retrieval.ts';
import { metricDifference } from '../../../../src-shared/domain/retrievalRun.ts';
import { documentHead } from './documentHead.ts';

/** Metrics are from 0 to 1. */
const share = z.number().min(0).max(1);

/** The numbers of one retriever. */
const ranked = {
  retriever: z.string(),
  title: z.string(),
  metrics: z.strictObject({
    recall_at: z.strictObject({ 1: share, 3: share, 5: share, 10: share }),
    mrr: share,
    ndcg_at_10: share,
    map: share,
  }),
  intervals: z
    .record(retrievalMetric, estimate)
    .describe('The same means with their 95% intervals and the number of queries.'),
  differences: z
    .record(retrievalMetric, metricDifference)
    .nullable()
    .describe('To the first retriever; null for it.'),
  per_query: z.array(
    z.strictObject({
      id: z.string(),
      labels: z.array(goldenLabel),
      ranking: z.array(z.string()).describe('Its first tools; `ranked` counts all.'),
      ranked: z.int(),
      difficulty: difficulty.nullable().optional(),
      first_relevant: z.int().nullable(),
      recall_at_1: share,
      recall_at_3: share,
      recall_at_5: share,
      recall_at_10: share,
      rr: share,
      ndcg_at_10: share,
      ap: share,
    }),
  ),
  baseline_delta: z.partialRecord(retrievalMetric, z.number()).nullable(),
  gate: gateVerdict.nullable(),
};

/** The JSON report of a retrieval comparison; the first retriever is at the top level. */
export const retrievalDocument = z.strictObject({
  ...documentHead('retrieval'),
  corpus_version: z.string(),
  golden_version: z.string(),
  queries: z.int(),
  left_out: z.array(z.string()),
  ...ranked,
  compared: z
    .array(z.strictObject(ranked))
    .describe('The other retrievers, compared with the first.'),
});
