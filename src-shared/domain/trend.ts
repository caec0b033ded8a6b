import { z } from 'zod';
import { toolChanges } from './comparison.ts';
import { evaluationUnits } from './gate.ts';
import { estimate, runNumbers } from './metrics.ts';
import { outcomeCounts } from './outcomeSchema.ts';
import { executionModes } from './task.ts';
import { previousChange } from './verdict.ts';

/** The rates that a trend can show, the first of them by default. */
export const trendMetrics = {
  case: [
    'passRate',
    'selectionF1',
    'selectionPrecision',
    'selectionRecall',
    'parameterAccuracy',
    'accuracy',
  ],
  task: ['successRate', 'callEfficiency', 'recovery', 'attackSuccess'],
} as const;
export type TrendMetric = (typeof trendMetrics)['case' | 'task'][number];

/** One evaluation in the trend of a suite, of cases or of tasks. */
export const trendPoint = z.object({
  unit: z.enum(evaluationUnits),
  /** What the runs of tasks could execute; null for cases. */
  mode: z.enum(executionModes).nullable(),
  evaluationId: z.string(),
  number: z.number().int(),
  createdAt: z.string(),
  modelSettingsId: z.string(),
  model: z.string(),
  runs: z.number().int(),
  /** Only those of its kind. */
  metrics: z.partialRecord(z.enum([...trendMetrics.case, ...trendMetrics.task]), estimate),
  snapshotId: z.string().nullable(),
  /**
   * Compared with the previous evaluation of the same model; null if the tools are unchanged or it
   * is the first.
   */
  tools: toolChanges.nullable(),
  /**
   * The change of the last point of each model, as the verdict says it: over the cases that both
   * share. Null for other points, and if nothing can be compared.
   */
  change: previousChange.nullable(),
  /** True if its cases or tasks differ from those of the previous one. */
  casesChanged: z.boolean(),
});
export type TrendPoint = z.infer<typeof trendPoint>;

/** Selects the runs of a summary; missing members do not restrict it. */
export const metricsFilter = z.strictObject({
  /** Of these, by id or number, whatever they were derived from. */
  evaluationIds: z.array(z.string()).min(1).max(500).optional(),
  /** Id or name. */
  suite: z.string().optional(),
  tag: z.string().optional(),
  /** Runs that expect or call a tool of this server. */
  server: z.string().optional(),
  /** Runs that expect or call this tool: `server:tool`. */
  tool: z.string().optional(),
  /** Name of a model, `provider/model`, or the id of its settings. */
  model: z.string().optional(),
  /** Evaluations started at or after `from` and before `to` (ISO 8601). */
  from: z.string().optional(),
  to: z.string().optional(),
  /** True: also derived evaluations (what-if runs, reruns of cases, proofs, accuracy steps). */
  derived: z.boolean().optional(),
});
export type MetricsFilter = z.infer<typeof metricsFilter>;

/** What occurs in stored evaluations, to choose a filter from. */
export const metricsChoices = z.object({
  tags: z.array(z.string()),
  servers: z.array(z.string()),
  /** `server:tool` of every tool that was offered. */
  tools: z.array(z.string()),
});
export type MetricsChoices = z.infer<typeof metricsChoices>;

/** The numbers of an evaluation's summary over any set of runs. */
export const metricsSummary = z.object({
  filter: metricsFilter,
  evaluations: z.number().int(),
  outcomes: outcomeCounts,
  ...runNumbers.shape,
});
export type MetricsSummary = z.infer<typeof metricsSummary>;
