import { z } from 'zod';
import { costOf } from '../../../../src-shared/domain/price.ts';
import { argumentsMode } from '../../../../src-shared/domain/testCase.ts';
import { tokenUsage } from '../../../../src-shared/domain/observation.ts';
import type { Cell } from '../report.ts';
import type { MeasuredRun, ReportSource } from './reportSource.ts';

/** A value of a run that only exports hold: what somebody needs to count everything again. */
interface RecountColumn {
  /** Its field in JSON and its column in CSV. */
  name: string;
  schema: z.ZodType;
  /** `code`: a list of names that a server or a model chose; a word otherwise. */
  kind?: 'code' | 'word';
  value: (run: MeasuredRun, source: ReportSource) => Cell;
}

const count = z.int().nullable();

/** In the order of their columns. Values of runs that were not scored, or not measured, are null. */
export const recountColumns: readonly RecountColumn[] = [
  {
    name: 'case_hash',
    schema: z
      .string()
      .describe('SHA-256 of query and expectation. A case with another hash is another question.'),
    value: ({ caseHash }) => caseHash,
  },
  {
    name: 'matched_parameters',
    schema: count,
    value: ({ matchedParameters }) => matchedParameters,
  },
  {
    name: 'expected_parameters',
    schema: count,
    value: ({ expectedParameters }) => expectedParameters,
  },
  {
    name: 'parameter_completeness',
    schema: z.number().nullable(),
    value: ({ parameterCompleteness }) => parameterCompleteness,
  },
  {
    name: 'conforming',
    schema: z.boolean().nullable().describe('Null also where the schema can not decide.'),
    value: ({ conforming }) => conforming,
  },
  {
    name: 'hallucinated_parameters',
    schema: z.array(z.string()),
    kind: 'code',
    value: ({ hallucinatedParameters }) => hallucinatedParameters,
  },
  {
    name: 'arguments_mode',
    schema: argumentsMode.describe('Of the case, else of its suite, else of the evaluation.'),
    value: (run) => run.argumentsMode,
  },
  {
    name: 'extra_parameters',
    schema: z
      .array(z.string())
      .describe('Sent, but not listed: each counts in expected_parameters. Only with mode exact.'),
    kind: 'code',
    value: ({ extraParameters }) => extraParameters,
  },
  {
    name: 'call_notes',
    schema: z
      .array(z.string())
      .describe('What of its calls was read otherwise than the endpoint wrote it.'),
    kind: 'code',
    value: ({ callNotes }) => callNotes,
  },
  {
    name: 'answered',
    schema: z.boolean().describe('The model answered, whether it could be scored or not.'),
    value: ({ answered }) => answered,
  },
  {
    name: 'cached',
    schema: z.boolean().describe('The answer came from a cache, and was not paid again.'),
    value: ({ cached }) => cached,
  },
  { name: 'input_tokens', schema: count, value: ({ inputTokens }) => inputTokens },
  { name: 'output_tokens', schema: count, value: ({ outputTokens }) => outputTokens },
  {
    name: 'token_source',
    schema: tokenUsage.shape.source.nullable(),
    value: ({ tokenSource }) => tokenSource,
  },
  {
    name: 'follow_up_input_tokens',
    schema: z.int().describe('Of the question after the choice: paid for, not in input_tokens.'),
    value: ({ followUpInputTokens }) => followUpInputTokens,
  },
  {
    name: 'follow_up_output_tokens',
    schema: z.int(),
    value: ({ followUpOutputTokens }) => followUpOutputTokens,
  },
  {
    name: 'unreported_input_tokens',
    schema: z.int().describe('Of replies that could not be used: paid for, in no other count.'),
    value: ({ unreportedInputTokens }) => unreportedInputTokens,
  },
  {
    name: 'unreported_output_tokens',
    schema: z.int(),
    value: ({ unreportedOutputTokens }) => unreportedOutputTokens,
  },
  {
    name: 'unanswered_requests',
    schema: z.int().describe('Canceled, timed out or unreadable: they may have been billed.'),
    value: ({ unansweredRequests }) => unansweredRequests,
  },
  {
    name: 'cost_usd',
    schema: z.number().nullable().describe('Of everything that is known to be billed.'),
    value: costOfRun,
  },
  {
    name: 'snapshot_id',
    schema: z.string().nullable().describe('The frozen tools that it was scored with.'),
    value: (_run, { evaluation }) => evaluation.snapshotId,
  },
];

/**
 * The follow-up question and unused replies are included; null without a price, without tokens of
 * the answer, or if nothing came back.
 */
function costOfRun(run: MeasuredRun, { prices }: ReportSource): number | null {
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
    prices.get(run.modelSettingsId) ?? null,
  );
}
