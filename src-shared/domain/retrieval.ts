import { z } from 'zod';
import { jsonObject } from './json.ts';

/** Version names. The content of a version never changes. */
const version = z.string().min(1).max(200);
const source = z.unknown().optional();

/**
 * A tool of a corpus, the frozen list that retrieval is measured on. Other members (license,
 * source) are ignored.
 */
export const corpusTool = z.object({
  tool_id: z.string(),
  server: z.string(),
  tool: z.string().min(1),
  description: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  schema: jsonObject.nullish(),
});

/** 2 = primary, 1 = acceptable, 0 = judged not relevant. */
export const relevance = z.union([z.literal(0), z.literal(1), z.literal(2)]);
export const goldenLabel = z.object({ tool_id: z.string(), relevance });
/**
 * How far the words of a query are from those of the tools: `direct` uses them, `paraphrase` asks
 * for the same in other words, `situation` says what somebody is up to without the operation.
 */
export const difficulties = ['direct', 'paraphrase', 'situation'] as const;
export const difficulty = z.enum(difficulties);
export type Difficulty = z.infer<typeof difficulty>;
export const goldenQuery = z.object({
  id: z.string().min(1).max(200),
  query: z.string().max(20_000),
  labels: z.array(goldenLabel).max(10_000),
  notes: z.string().max(2_000).optional(),
  difficulty: difficulty.optional(),
});
export type GoldenQuery = z.infer<typeof goldenQuery>;

/** Notes with this prefix mark a query whose words also fit another tool. */
export const hardNegativePrefix = 'hard-negative:';
export const isHardNegative = (query: Pick<GoldenQuery, 'notes'>): boolean =>
  query.notes?.trimStart().toLowerCase().startsWith(hardNegativePrefix) ?? false;

const corpus = z.object({ version, tools: z.array(corpusTool) });
export type Corpus = z.infer<typeof corpus>;
const goldenSet = z.object({
  version,
  corpusVersion: version,
  queries: z.array(goldenQuery),
});
export type GoldenSet = z.infer<typeof goldenSet>;

/** The metrics in display order, by the names that reports, gates and baselines use. */
export const retrievalMetrics = [
  'recall_at_1',
  'recall_at_3',
  'recall_at_5',
  'recall_at_10',
  'mrr',
  'ndcg_at_10',
  'map',
] as const;
export const retrievalMetric = z.enum(retrievalMetrics);
export type RetrievalMetric = z.infer<typeof retrievalMetric>;
export type MetricValues = Record<RetrievalMetric, number>;
export const metricValues = z.record(retrievalMetric, z.number());

const recalls = z.object({ 1: z.number(), 3: z.number(), 5: z.number(), 10: z.number() });

/**
 * How far each metric may fall below its reference. A metric that is not listed is reported but not
 * gated.
 */
export const tolerances = z.partialRecord(retrievalMetric, z.number().min(0));
export type Tolerances = z.infer<typeof tolerances>;

export const baselineFile = z.object({
  corpus_version: version,
  golden_version: version,
  retriever: z.string().optional(),
  generated_from: source,
  recall_at: recalls.partial(),
  mrr: z.number().optional(),
  ndcg_at_10: z.number().optional(),
  map: z.number().optional(),
  tolerance: tolerances.default({}),
  /** Limits of detectors, which `security` reads: one file has the thresholds of all gates. */
  security: jsonObject.optional(),
});
export type BaselineFile = z.infer<typeof baselineFile>;

export const gateVerdict = z.object({
  passed: z.boolean(),
  tolerance: tolerances,
  failed: z.array(retrievalMetric),
});
export type GateVerdict = z.infer<typeof gateVerdict>;

/** The document that `retrieval` writes and `gate` reads. */
const retrievalReport = z.object({
  corpus_version: version,
  golden_version: version,
  retriever: z.string(),
  /**
   * Number of scored queries; `left_out` lists those without a relevant label, in lenient mode
   * only.
   */
  queries: z.number().int(),
  left_out: z.array(z.string()),
  metrics: z.object({
    recall_at: recalls,
    mrr: z.number(),
    ndcg_at_10: z.number(),
    map: z.number(),
  }),
  per_query: z.array(
    z.object({
      id: z.string(),
      ranking: z.array(z.string()),
      recall_at_5: z.number(),
      rr: z.number(),
      ndcg_at_10: z.number(),
      ap: z.number(),
    }),
  ),
  baseline_delta: z.partialRecord(retrievalMetric, z.number()).nullable(),
  gate: gateVerdict.nullable(),
});
export type RetrievalReport = z.infer<typeof retrievalReport>;

/** An external ranking: ids by query id. */
export const rankingFile = z.object({ rankings: z.record(z.string(), z.array(z.string())) });
export type Rankings = z.infer<typeof rankingFile>['rankings'];
