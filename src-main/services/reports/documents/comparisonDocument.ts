import { z } from 'zod';
import {
  comparisonHeadline,
  describeAnswer,
} from '../../../../src-shared/display/comparisonAnswer.ts';
import { plainText } from '../../../../src-shared/display/verdictTexts.ts';
import { runDifference } from '../../../../src-shared/domain/callDifference.ts';
import {
  answer,
  difference,
  passedWhen,
  toolChanges,
  type CandidateComparison,
  type ComparedCase,
  type Comparison,
  type PresentedSide,
} from '../../../../src-shared/domain/comparison.ts';
import { estimate } from '../../../../src-shared/domain/metrics.ts';
import { documentHead } from './documentHead.ts';
import { published } from './published.ts';

const comparedCase = published<ComparedCase>()({
  case_id: [z.string(), 'caseKey'],
  name: z.string(),
  before: z.array(z.string()).describe('Labels called by the baseline.'),
  after: z.array(z.string()),
  differences: z.array(runDifference).describe('What is wrong with the calls of a regressed case.'),
});
const cases = z.array(comparedCase);

/** A candidate with its cases and the numbers behind its answer. */
export const candidateFields = {
  evaluation_id: z.string(),
  number: z.int(),
  model: z.string(),
  shared_cases: z
    .int()
    .describe('Cases that both sides share unchanged and have scored: what the numbers are over.'),
  baseline_right: estimate,
  candidate_right: estimate,
  pass_shares: z
    .array(
      published<CandidateComparison['passShares'][number]>()({
        baseline: z.number(),
        candidate: z.number(),
        cases: z.int(),
        baseline_runs: z.int().optional().describe('Scored repetitions of each of these cases.'),
        candidate_runs: z.int().optional(),
      }),
    )
    .describe('Shared cases by the share of repetitions that passed on each side.'),
  still_right: z.int(),
  regressed: cases,
  fixed: cases,
  still_failing: cases,
  tied: cases,
  not_scored: cases,
  changed: cases,
  new: [cases, 'added'],
  removed: cases,
  tools: toolChanges,
  model_differs: z.boolean(),
  conditions: z.array(z.string()),
  difference: difference.nullable().describe('Candidate − baseline with its 95% interval.'),
  p_value: z.number().nullable(),
  adjusted_p_value: [z.number().nullable(), 'adjustedP'],
  answer,
  answer_text: [
    z.string().describe('The answer with its numbers, for people.'),
    (candidate: CandidateComparison) => describeAnswer(candidate),
  ],
  needed_cases: [z.int().optional(), ({ needed }: CandidateComparison) => needed?.cases],
  needed_repetitions: [
    z
      .int()
      .nullable()
      .optional()
      .describe(
        'Repetitions of each shared case that would show the measured difference in 4 of 5 tries; ' +
          'null: no number up to 100 does.',
      ),
    ({ needed }: CandidateComparison) => needed?.repetitions,
  ],
} as const;

export const comparisonDocument = published<Comparison>()({
  ...documentHead('comparison'),
  headline: [
    z.string().describe('The finding in one sentence.'),
    (comparison) => plainText(comparisonHeadline(comparison)),
  ],
  baseline: [z.string(), ({ baseline }) => baseline.evaluationId],
  baseline_number: [z.int(), ({ baseline }) => baseline.number],
  baseline_model: [z.string(), ({ baseline }) => baseline.model],
  right_when: [passedWhen, 'passedWhen'],
  candidates: z.array(published<CandidateComparison>()(candidateFields)),
  clients: z
    .array(
      published<PresentedSide>()({
        client: z.string().describe('Its id, or generic: as providers take tools.'),
        number: z.int(),
        report: z.string().optional(),
        model: z.string(),
        passed: estimate.describe('Over all of its own cases, so n may differ from shared_cases.'),
        hidden: z.int().nullable().describe('Tools that the client hides.'),
        cut: z.int().nullable().describe('Tools whose description it cuts.'),
      }),
    )
    .optional()
    .describe('The baseline and each candidate, where they differ in how tools are presented.'),
});
