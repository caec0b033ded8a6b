import { z } from 'zod';
import { runDifference } from '../../../src-shared/domain/callDifference.ts';
import type { BaselinePoint } from '../../../src-shared/domain/judgement.ts';
import { estimate } from '../../../src-shared/domain/metrics.ts';
import { outcome } from '../../../src-shared/domain/outcomeSchema.ts';
import { outcomeTexts } from '../../../src-shared/display/outcomeTexts.ts';
import { classification } from '../../../src-shared/domain/score.ts';
import { readConditions, type Conditions } from '../runs/conditions.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ExecutionMode } from '../../../src-shared/domain/task.ts';

const plainNumbers = {
  counts: z.looseObject({ failed: z.int(), open: z.int(), total: z.int() }),
  metrics: z.record(z.string(), estimate),
  latency_ms: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
  tokens: z.object({ input: z.number().nullable(), output: z.number().nullable() }),
  cost_usd: z.number().nullable(),
};

export const sharedRun = z.looseObject({
  run_id: z.string(),
  name: z.string(),
  model_id: z.string(),
  repetition: z.int(),
  failure: z.string().nullable().default(null),
});

const reportedRun = sharedRun.extend({
  case_id: z.string(),
  case_hash: z.string(),
  query: z.string(),
  classification: classification.nullable(),
  passed: z.boolean().nullable(),
  outcome,
  expected: z.array(z.string()).default([]),
  called: z.array(z.string()),
  differences: z.array(runDifference),
});

const reportedTools = z.array(
  z.object({ tool_id: z.string(), hash: z.string(), text_hash: z.string() }),
);

/** What a client does to the tools; absent without one. */
const reportedSent = z
  .array(
    z.looseObject({
      model_id: z.string(),
      by_client: z.object({ hidden: z.array(z.string()), cut: z.array(z.string()) }).optional(),
    }),
  )
  .default([]);

/** The series of baselines that a check continued; absent in reports without one. */
const reportedCheck = z
  .looseObject({
    trend: z
      .array(
        z.object({
          created_at: z.string().nullable(),
          cases_hash: z.string(),
          cases: z.int(),
          models: z.array(
            z.object({ model: z.string(), pass_rate: z.number().nullable(), n: z.int() }),
          ),
        }),
      )
      .default([]),
  })
  .nullish();

/** What a check asked again; absent in reports of other commands. */
const reportedAgain = z
  .object({
    up_to: z.int(),
    runs: z.array(
      z.object({
        run_id: z.string(),
        case_id: z.string(),
        model_id: z.string(),
        repetition: z.int(),
        passed: z.boolean().nullable(),
        failure: z.string().nullable(),
        called: z.array(z.string()),
        differences: z.array(runDifference),
      }),
    ),
  })
  .nullish()
  .transform((again) => again ?? null);

export const trendOf = (check: z.infer<typeof reportedCheck>): BaselinePoint[] =>
  (check?.trend ?? []).map(({ created_at: createdAt, cases_hash: casesHash, cases, models }) => ({
    createdAt,
    casesHash,
    cases,
    models: models.map(({ model, pass_rate: passRate, n }) => ({ model, passRate, n })),
  }));

export const sharedReport = z.looseObject({
  suite: z.string(),
  snapshot_id: z.string().nullable(),
  tools: reportedTools,
  sent_tools: reportedSent,
  check: reportedCheck,
  asked_again: reportedAgain,
});
export const sharedModel = z.looseObject({
  id: z.string(),
  label: z.string(),
  provider: z.string(),
  model: z.string(),
  conditions: z.record(z.string(), z.unknown()),
});

/**
 * What a comparison needs of the JSON report of an evaluation. Loose, so that the report of a newer
 * version with more fields can be read.
 */
const evaluationReportFile = sharedReport.extend({
  format: z.literal('touchstone-evaluation'),
  version: z.literal(2),
  evaluation_id: z.string(),
  number: z.int(),
  created_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  settings: z.looseObject({ repetitions: z.int(), top_k: z.int().nullable() }),
  ...plainNumbers,
  models: z
    .array(
      sharedModel.extend({
        ...plainNumbers,
      }),
    )
    .min(1),
  runs: z.array(reportedRun),
});
type ParsedReport = z.infer<typeof evaluationReportFile>;

export interface ReportedRun extends Pick<
  ParsedReport['runs'][number],
  | 'run_id'
  | 'case_id'
  | 'case_hash'
  | 'name'
  | 'query'
  | 'model_id'
  | 'repetition'
  | 'classification'
  | 'passed'
  | 'failure'
  | 'differences'
> {
  /** What it should call: tools, rows of alternatives, or "(no tool)". */
  expected: string[];
  /** Why it failed, where it did: in words, and the tools that should have been and were called. */
  cause: { problem: string; expected: string; called: string } | null;
  /** What a comparison shows of it: the tools that were called, or how the task ended. */
  shown: string[];
}

export type ReportedModel = { conditions: Conditions } & Pick<
  ParsedReport['models'][number],
  | 'id'
  | 'label'
  | 'provider'
  | 'model'
  | 'counts'
  | 'metrics'
  | 'latency_ms'
  | 'tokens'
  | 'cost_usd'
>;

/** What a comparison needs of a report, of cases or of tasks. */
export interface EvaluationReportFile
  extends
    Pick<
      ParsedReport,
      | 'evaluation_id'
      | 'number'
      | 'suite'
      | 'snapshot_id'
      | 'tools'
      | 'sent_tools'
      | 'created_at'
      | 'duration_ms'
      | 'settings'
    >,
    Omit<ReportedModel, 'id' | 'label' | 'provider' | 'model' | 'conditions'> {
  unit: EvaluationUnit;
  /** What the runs of tasks could execute; null for cases. */
  mode: ExecutionMode | null;
  /** The model that played simulated users; null: none. */
  user: string | null;
  models: ReportedModel[];
  runs: ReportedRun[];
  /** Further repetitions of cases that disagree with a baseline; null: none were to be asked. */
  askedAgain: z.infer<typeof reportedAgain>;
  /** The baselines before it, the oldest first. */
  trend: BaselinePoint[];
}

/** Reads the JSON report of an evaluation of cases. Throws ZodError if something is missing. */
export function readCasesReport(document: unknown): EvaluationReportFile {
  const report = evaluationReportFile.parse(document);
  return {
    ...report,
    unit: 'case',
    mode: null,
    user: null,
    models: report.models.map((model) => ({
      ...model,
      conditions: readConditions(model.conditions),
    })),
    runs: report.runs.map((run) => ({
      ...run,
      cause:
        run.passed === false
          ? {
              problem: outcomeTexts[run.outcome].label,
              expected: run.expected.join(', '),
              called: run.called.join(', '),
            }
          : null,
      shown: run.called,
    })),
    askedAgain: report.asked_again,
    trend: trendOf(report.check),
  };
}
