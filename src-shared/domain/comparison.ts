import { z } from 'zod';
import { estimate } from './metrics.ts';

/** When a run counts as right in a comparison. */
export const passedWhen = z.enum(['selection', 'selection_and_parameters']);
export type PassedWhen = z.infer<typeof passedWhen>;

/** One side of a comparison: an evaluation, or one of its models. */
export const comparisonSide = z.strictObject({
  id: z.string(),
  /** Null where the evaluation has but one model. */
  modelSettingsId: z.string().nullable().default(null),
});
export type ComparisonSide = z.infer<typeof comparisonSide>;

export const comparedSide = z.object({
  evaluationId: z.string(),
  number: z.number().int(),
  suiteName: z.string(),
  modelSettingsId: z.string(),
  model: z.string(),
  snapshotId: z.string().nullable(),
  createdAt: z.string(),
  /** Number of the evaluation that it is a what-if of. */
  whatIfOf: z.number().int().nullable(),
});
export type ComparedSide = z.infer<typeof comparedSide>;

/**
 * A case of a comparison; a run id leads to what happened there, null where there is no run to look
 * at.
 */
export const comparedCase = z.object({
  testCaseId: z.string(),
  /** The id that the suite file gives it, where it is known. */
  caseKey: z.string(),
  name: z.string(),
  query: z.string(),
  baselineRunId: z.string().nullable(),
  candidateRunId: z.string().nullable(),
  /** Labels that were selected on either side. */
  before: z.array(z.string()),
  after: z.array(z.string()),
});
export type ComparedCase = z.infer<typeof comparedCase>;

/** What was different between the sides beside what was asked. */
export const toolChanges = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Same name, other content. */
  changed: z.array(z.string()),
});
export type ToolChanges = z.infer<typeof toolChanges>;

export const answers = ['better', 'worse', 'cannot tell'] as const;
export const answer = z.enum(answers);
export type Answer = z.infer<typeof answer>;

export const difference = z.object({ value: z.number(), low: z.number(), high: z.number() });

/** About so many cases would show a difference of `points` (0–1) four times of five. */
export const neededForAnswer = z.object({ cases: z.number().int(), points: z.number() });

export const candidateComparison = comparedSide.extend({
  /**
   * Cases that both sides share unchanged and that both have decided: what the numbers are over.
   */
  sharedCases: z.number().int(),
  /** Shares of right cases over them. */
  baselineRight: estimate,
  candidateRight: estimate,
  /** Candidate − baseline with its 95 % interval; null where no case is shared and decided. */
  difference: difference.nullable(),
  /** Exact McNemar; `adjustedP` by Holm over all candidates is what the answer goes by. */
  pValue: z.number().nullable(),
  adjustedP: z.number().nullable(),
  answer,
  /** Only where the answer is "cannot tell". */
  needed: neededForAnswer.nullable(),
  stillRight: z.number().int(),
  regressed: z.array(comparedCase),
  fixed: z.array(comparedCase),
  stillFailing: z.array(comparedCase),
  /** As often right as wrong on a side: neither counts. */
  tied: z.array(comparedCase),
  /** Not scored on a side. */
  notScored: z.array(comparedCase),
  /** The same case with another query or expectation. */
  changed: z.array(comparedCase),
  added: z.array(comparedCase),
  removed: z.array(comparedCase),
  tools: toolChanges,
  modelDiffers: z.boolean(),
  /** Other conditions that differ, in words: temperature, system prompt, repetitions. */
  conditions: z.array(z.string()),
});
export type CandidateComparison = z.infer<typeof candidateComparison>;

export const comparison = z.object({
  passedWhen,
  baseline: comparedSide,
  candidates: z.array(candidateComparison),
});
export type Comparison = z.infer<typeof comparison>;
