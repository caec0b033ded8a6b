import { z } from 'zod';
import { toolChanges } from './comparison.ts';
import { counts, metrics, runNumbers } from './metrics.ts';

/** One evaluation in the course of a suite. */
export const trendPoint = z.object({
  evaluationId: z.string(),
  number: z.number().int(),
  createdAt: z.string(),
  modelSettingsId: z.string(),
  model: z.string(),
  counts,
  metrics,
  snapshotId: z.string().nullable(),
  /**
   * Against the evaluation before it of the same model; null where the tools are the same, or it is
   * the first.
   */
  tools: toolChanges.nullable(),
  /** True where its cases are not those of the one before. */
  casesChanged: z.boolean(),
});
export type TrendPoint = z.infer<typeof trendPoint>;

/** Which runs a summary goes over; what is absent does not narrow. */
export const metricsFilter = z.strictObject({
  evaluationId: z.string().optional(),
  /** Id or name. */
  suite: z.string().optional(),
  tag: z.string().optional(),
  /** Runs that expect or call a tool of this server. */
  server: z.string().optional(),
  /** Runs that expect or call this tool: `server:tool`. */
  tool: z.string().optional(),
  /** Name of a model, `provider/model`, or the id of its settings. */
  model: z.string().optional(),
  /** Evaluations begun at or after this moment, and before that one (ISO 8601). */
  from: z.string().optional(),
  to: z.string().optional(),
});
export type MetricsFilter = z.infer<typeof metricsFilter>;

/** The fields of an evaluation's summary over any choice of runs. */
export const metricsSummary = z.object({
  filter: metricsFilter,
  evaluations: z.number().int(),
  ...runNumbers.shape,
});
export type MetricsSummary = z.infer<typeof metricsSummary>;
