import { z } from 'zod';
import { callDifference } from '../../../../src-shared/domain/callDifference.ts';
import { failureKind, runStatus } from '../../../../src-shared/domain/evaluation.ts';
import { tokenUsage } from '../../../../src-shared/domain/observation.ts';
import { outcome } from '../../../../src-shared/domain/outcomeSchema.ts';
import { costOf } from '../../../../src-shared/domain/price.ts';
import { runColumns, runShape } from '../../../../src-shared/domain/runColumns.ts';
import { classification } from '../../../../src-shared/domain/score.ts';
import { argumentsMode } from '../../../../src-shared/domain/testCase.ts';
import type { MeasuredRun, ReportSource } from '../subjects/reportSource.ts';
import { columnFields, published } from './published.ts';

export type CaseRun = MeasuredRun & { source: ReportSource };

const count = z.int().nullable();

/**
 * What only exports hold of a run, because somebody may count everything again. Values of runs that
 * were not scored, or not measured, are null.
 */
const recountFields = {
  case_hash: z
    .string()
    .describe('SHA-256 of query and expectation. A case with another hash is another question.'),
  matched_parameters: count,
  expected_parameters: count,
  parameter_completeness: z.number().nullable(),
  conforming: z.boolean().nullable().describe('Null also where the schema can not decide.'),
  hallucinated_parameters: z.array(z.string()),
  arguments_mode: argumentsMode.describe('Of the case, else of its suite, else of the evaluation.'),
  extra_parameters: z
    .array(z.string())
    .describe('Sent, but not listed: each counts in expected_parameters. Only with mode exact.'),
  call_notes: z
    .array(z.string())
    .describe('What of its calls was read otherwise than the endpoint wrote it.'),
  answered: z.boolean().describe('The model answered, whether it could be scored or not.'),
  cached: z.boolean().describe('The answer came from a cache, and was not paid again.'),
  input_tokens: count,
  output_tokens: count,
  token_source: tokenUsage.shape.source.nullable(),
  follow_up_input_tokens: z
    .int()
    .describe('Of the question after the choice: paid for, not in input_tokens.'),
  follow_up_output_tokens: z.int(),
  unreported_input_tokens: z
    .int()
    .describe('Of replies that could not be used: paid for, in no other count.'),
  unreported_output_tokens: z.int(),
  unanswered_requests: z
    .int()
    .describe('Canceled, timed out or unreadable: they may have been billed.'),
  cost_usd: [
    z.number().nullable().describe('Of everything that is known to be billed.'),
    (run: CaseRun) => costOfRun(run),
  ],
  snapshot_id: [
    z.string().nullable().describe('The frozen tools that it was scored with.'),
    ({ source }: CaseRun) => source.evaluation.snapshotId,
  ],
} as const;
export const recountNames = Object.keys(recountFields) as (keyof typeof recountFields)[];

/** One run; gates and dashboards read these names, which are also those of its columns in CSV. */
export const caseRunDocument = published<CaseRun>()({
  run_id: z.string(),
  case_id: [z.string().describe('As the suite file names the case.'), 'caseKey'],
  name: [z.string(), 'caseName'],
  query: z.string(),
  tags: z.array(z.string()),
  model_id: [z.string().describe('One of `models`.'), 'modelSettingsId'],
  repetition: z.int(),
  attempt: z.int(),
  status: runStatus,
  outcome: outcome.describe(
    'What became of the run; the same nine as in `verdict.outcomes`. Errors are not_scored, ' +
      'never a failure.',
  ),
  classification: classification.nullable(),
  passed: z.boolean().nullable().describe('Null if it was not scored, or the schema can’t decide.'),
  expected: z.array(z.string()),
  called: [z.array(z.string()), 'selected'],
  units: z
    .array(
      published<CaseRun['units'][number]>()({
        expected: z.string(),
        called: [z.string(), 'selected'],
      }),
    )
    .describe('The cells of the matrix that it counts in.'),
  differences: z
    .array(callDifference)
    .describe('Of a failed run: each call that is wrong, as expected and as made.'),
  ...columnFields(runColumns, runShape, (run: CaseRun) => run),
  ...recountFields,
  failure: failureKind.nullable(),
  error: [
    z.string().nullable().describe('Why it was not scored, also where it was answered.'),
    'errorMessage',
  ],
});

/**
 * The follow-up question and unused replies are included; null without a price, without tokens of
 * the answer, or if nothing came back.
 */
function costOfRun(run: CaseRun): number | null {
  const { inputTokens, outputTokens, followUpInputTokens, followUpOutputTokens } = run;
  const [lostInput, lostOutput] = [run.unreportedInputTokens, run.unreportedOutputTokens];
  const isLost = !run.answered && lostInput + lostOutput > 0;
  const sum = (own: number | null, followUp: number, lost: number): number | null =>
    isLost ? lost : own === null ? null : own + followUp + lost;
  return costOf(
    {
      input: sum(inputTokens, followUpInputTokens, lostInput),
      output: sum(outputTokens, followUpOutputTokens, lostOutput),
    },
    run.source.prices.get(run.modelSettingsId) ?? null,
  );
}
