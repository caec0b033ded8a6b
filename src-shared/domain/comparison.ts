import { z } from 'zod';
import { runDifference } from './callDifference.ts';
import { evaluationUnits } from './gate.ts';
import { estimate } from './metrics.ts';

/** When a run counts as passed: complete, or by the tools that it called alone. */
export const passedWhen = z.enum(['selection', 'selection_and_parameters']);
export type PassedWhen = z.infer<typeof passedWhen>;

/** One side of a comparison: an evaluation, or one of its models. */
export const comparisonSide = z.strictObject({
  id: z.string(),
  /** Null if the evaluation has only one model. */
  modelSettingsId: z.string().nullable().default(null),
});
export type ComparisonSide = z.infer<typeof comparisonSide>;

export const comparedSide = z.object({
  /** What was run: test cases, or tasks. */
  unit: z.enum(evaluationUnits),
  /** The report file that it was read from; left out for an evaluation of the workspace. */
  report: z.string().optional(),
  evaluationId: z.string(),
  number: z.number().int(),
  suiteName: z.string(),
  modelSettingsId: z.string(),
  model: z.string(),
  snapshotId: z.string().nullable(),
  /** Null if it is of a report without times. */
  createdAt: z.string().nullable(),
  /** Number of the evaluation that this is a what-if of. */
  whatIfOf: z.number().int().nullable(),
});
export type ComparedSide = z.infer<typeof comparedSide>;

/** A case of a comparison. The run ids link to its runs and are null if there is none. */
const comparedCase = z.object({
  testCaseId: z.string(),
  /** Its id in the suite file, if known. */
  caseKey: z.string(),
  name: z.string(),
  query: z.string(),
  baselineRunId: z.string().nullable(),
  candidateRunId: z.string().nullable(),
  /** Labels that were selected on each side. */
  before: z.array(z.string()),
  after: z.array(z.string()),
  /** What is wrong with the calls of the candidate's run; only of a case that regressed. */
  differences: z.array(runDifference),
});
export type ComparedCase = z.infer<typeof comparedCase>;

/** Tools that differ between the two sides. */
export const toolChanges = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Same name, different content. */
  changed: z.array(z.string()),
});
export type ToolChanges = z.infer<typeof toolChanges>;

const answers = ['better', 'worse', 'cannot tell'] as const;
export const answer = z.enum(answers);
export type Answer = z.infer<typeof answer>;

export const difference = z.object({ value: z.number(), low: z.number(), high: z.number() });

/** What would show a difference with 80% power. */
const neededForAnswer = z.object({
  /** So many cases, a difference of `points` (0–1). */
  cases: z.number().int(),
  points: z.number(),
  /** So many repetitions of each shared case, the measured one; null: no number does. */
  repetitions: z.number().int().nullable().optional(),
});

export const candidateComparison = comparedSide.extend({
  /** Cases that both sides share unchanged and scored: the base of all numbers. */
  sharedCases: z.number().int(),
  /** Mean over shared cases of the share of scored repetitions that passed. */
  baselineRight: estimate,
  candidateRight: estimate,
  /** How many shared cases have each pair of pass shares; the numbers below follow from it. */
  passShares: z.array(
    z.object({
      baseline: z.number(),
      candidate: z.number(),
      /** Scored repetitions of each such case. */
      baselineRuns: z.number().int(),
      candidateRuns: z.number().int(),
      cases: z.number().int(),
    }),
  ),
  /** Candidate − baseline with its 95% interval; null if no case is shared and scored. */
  difference: difference.nullable(),
  /** Sign-flip test. `adjustedP`, by Holm over all candidates, decides the answer. */
  pValue: z.number().nullable(),
  adjustedP: z.number().nullable(),
  answer,
  /** Only if the answer is "cannot tell". */
  needed: neededForAnswer.nullable(),
  stillRight: z.number().int(),
  regressed: z.array(comparedCase),
  fixed: z.array(comparedCase),
  stillFailing: z.array(comparedCase),
  /** Passed and failed equally often on one side. */
  tied: z.array(comparedCase),
  /** Not scored on one side. */
  notScored: z.array(comparedCase),
  /** The same case with another query or expectation. */
  changed: z.array(comparedCase),
  added: z.array(comparedCase),
  removed: z.array(comparedCase),
  tools: toolChanges,
  modelDiffers: z.boolean(),
  /** Other differences as text: temperature, system prompt, repetitions. */
  conditions: z.array(z.string()),
});
export type CandidateComparison = z.infer<typeof candidateComparison>;

/** One side of results that differ in how tools were presented. */
const presentedSide = z.object({
  /** The id of a client, or `generic`. */
  client: z.string(),
  number: z.number().int(),
  report: z.string().optional(),
  model: z.string(),
  /** Over all of its own cases: mean of the share of scored repetitions that passed. */
  passed: estimate,
  /** Tools that the client hides, and those whose description it cuts; null: the report doesn't say. */
  hidden: z.number().int().nullable(),
  cut: z.number().int().nullable(),
});
export type PresentedSide = z.infer<typeof presentedSide>;

export const comparison = z.object({
  passedWhen,
  baseline: comparedSide,
  candidates: z.array(candidateComparison),
  /** The baseline and each candidate by client; left out where all present tools alike. */
  clients: z.array(presentedSide).optional(),
});
export type Comparison = z.infer<typeof comparison>;
