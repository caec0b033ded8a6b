import { z } from 'zod';
import { costOf } from '../../../../src-shared/domain/price.ts';
import { argumentsMode } from '../../../../src-shared/domain/testCase.ts';
import { tokenUsage } from '../../../../src-shared/domain/observation.ts';
import type { Cell } from '../report.ts';
import { camel, type Camel } from '../documents/published.ts';
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

/** What a run has under the same name in camel case. */
const own = <Name extends string>(
  name: Name & (Camel<Name> extends keyof MeasuredRun ? unknown : never),
  schema: z.ZodType,
  kind: RecountColumn['kind'] = 'word',
): RecountColumn => {
  const member = camel(name) as keyof MeasuredRun;
  return { name, schema, kind, value: (run) => run[member] as Cell };
};

const count = z.int().nullable();

/** In the order of their columns. Values of runs that were not scored, or not measured, are null. */
export const recountColumns: readonly RecountColumn[] = [
  own(
    'case_hash',
    z
      .string()
      .describe('SHA-256 of query and expectation. A case with another hash is another question.'),
  ),
  own('matched_parameters', count),
  own('expected_parameters', count),
  own('parameter_completeness', z.number().nullable()),
  own('conforming', z.boolean().nullable().describe('Null also where the schema can not decide.')),
  own('hallucinated_parameters', z.array(z.string()), 'code'),
  own(
    'arguments_mode',
    argumentsMode.describe('Of the case, else of its suite, else of the evaluation.'),
  ),
  own(
    'extra_parameters',
    z
      .array(z.string())
      .describe('Sent, but not listed: each counts in expected_parameters. Only with mode exact.'),
    'code',
  ),
  own(
    'call_notes',
    z
      .array(z.string())
      .describe('What of its calls was read otherwise than the endpoint wrote it.'),
    'code',
  ),
  own('answered', z.boolean().describe('The model answered, whether it could be scored or not.')),
  own('cached', z.boolean().describe('The answer came from a cache, and was not paid again.')),
  own('input_tokens', count),
  own('output_tokens', count),
  own('token_source', tokenUsage.shape.source.nullable()),
  own(
    'follow_up_input_tokens',
    z.int().describe('Of the question after the choice: paid for, not in input_tokens.'),
  ),
  own('follow_up_output_tokens', z.int()),
  own(
    'unreported_input_tokens',
    z.int().describe('Of replies that could not be used: paid for, in no other count.'),
  ),
  own('unreported_output_tokens', z.int()),
  own(
    'unanswered_requests',
    z.int().describe('Canceled, timed out or unreadable: they may have been billed.'),
  ),
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
