import { z } from 'zod';
import { estimate } from '../../../src-shared/domain/metrics.ts';
import { classification } from '../../../src-shared/domain/score.ts';

const plainNumbers = {
  counts: z.looseObject({ failed: z.int(), open: z.int(), total: z.int() }),
  metrics: z.record(z.string(), estimate),
  latency_ms: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
  tokens: z.object({ input: z.number().nullable(), output: z.number().nullable() }),
  cost_usd: z.number().nullable(),
};

const reportedRun = z.looseObject({
  run_id: z.string(),
  case_id: z.string(),
  case_hash: z.string(),
  name: z.string(),
  query: z.string(),
  model_id: z.string(),
  repetition: z.int(),
  classification: classification.nullable(),
  passed: z.boolean().nullable(),
  called: z.array(z.string()),
});
export type ReportedRun = z.infer<typeof reportedRun>;

/**
 * What a comparison needs of the JSON report of an evaluation. Loose, so that the report of a newer
 * version with more fields can be read.
 */
const evaluationReportFile = z.looseObject({
  format: z.literal('touchstone-evaluation'),
  version: z.literal(2),
  evaluation_id: z.string(),
  number: z.int(),
  suite: z.string(),
  snapshot_id: z.string().nullable(),
  tools: z.array(z.object({ tool_id: z.string(), hash: z.string() })),
  created_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  settings: z.looseObject({ repetitions: z.int(), top_k: z.int().nullable() }),
  ...plainNumbers,
  models: z
    .array(
      z.looseObject({
        id: z.string(),
        label: z.string(),
        provider: z.string(),
        model: z.string(),
        base_url: z.string().nullable(),
        ...plainNumbers,
      }),
    )
    .min(1),
  runs: z.array(reportedRun),
});
export type EvaluationReportFile = z.infer<typeof evaluationReportFile>;
export type ReportedModel = EvaluationReportFile['models'][number];

const reportHead = z.looseObject({ format: z.literal('touchstone-evaluation') });

/**
 * Reads the JSON report of an evaluation; null if the document is something else. Throws ZodError if
 * the report lacks what a comparison needs, such as one of an earlier version.
 */
export function readReportFile(document: unknown): EvaluationReportFile | null {
  return reportHead.safeParse(document).success ? evaluationReportFile.parse(document) : null;
}
