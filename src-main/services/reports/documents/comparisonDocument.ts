import { z } from 'zod';
import {
  answer,
  difference,
  passedWhen,
  toolChanges,
} from '../../../../src-shared/domain/comparison.ts';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import { documentHead } from './documentHead.ts';

/** A case with what each side called. */
const comparedCase = z.strictObject({
  case_id: z.string(),
  name: z.string(),
  before: z.array(z.string()).describe('Labels called by the baseline.'),
  after: z.array(z.string()),
});
const cases = z.array(comparedCase);

/** A candidate with its cases and the numbers behind its answer. */
export const reportedCandidate = z.strictObject({
  evaluation_id: z.string(),
  number: z.int(),
  model: z.string(),
  shared_cases: z
    .int()
    .describe('Cases that both sides share unchanged and have scored: what the numbers are over.'),
  baseline_right: estimate,
  candidate_right: estimate,
  pass_shares: z
    .array(z.strictObject({ baseline: z.number(), candidate: z.number(), cases: z.int() }))
    .describe('Shared cases by the share of repetitions that passed on each side.'),
  still_right: z.int(),
  regressed: cases,
  fixed: cases,
  still_failing: cases,
  tied: cases,
  not_scored: cases,
  changed: cases,
  new: cases,
  removed: cases,
  tools: toolChanges,
  model_differs: z.boolean(),
  conditions: z.array(z.string()),
  difference: difference.nullable().describe('Candidate − baseline with its 95% interval.'),
  p_value: z.number().nullable(),
  adjusted_p_value: z.number().nullable(),
  answer,
  answer_text: z.string().describe('The answer with its numbers, for people.'),
  needed_cases: z.int().optional(),
});

/** The JSON report of a comparison. */
export const comparisonDocument = z.strictObject({
  ...documentHead('comparison'),
  headline: z.string().describe('The finding in one sentence.'),
  baseline: z.string(),
  baseline_number: z.int(),
  baseline_model: z.string(),
  right_when: passedWhen,
  candidates: z.array(reportedCandidate),
});
