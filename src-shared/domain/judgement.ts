import { z } from 'zod';
import { candidateComparison, comparedSide } from './comparison.ts';
import { failureKind } from './evaluation.ts';
import { taskFailure } from './taskEvaluation.ts';
import { gateOutcome, thresholdResult } from './gate.ts';

/** Runs without a score that have one reason. */
export const unscoredGroup = z.object({
  /** `schema`: no schema could decide the answer. Null if the evaluation ended before they started. */
  failure: z.union([failureKind, taskFailure, z.literal('schema')]).nullable(),
  /** What the server, the provider or the program said, or why it ended; null if nothing is known. */
  message: z.string().nullable(),
  runs: z.number().int(),
  /** Ids of the first cases. */
  cases: z.array(z.string()),
});
export type UnscoredGroup = z.infer<typeof unscoredGroup>;

/** The model that was judged; null = all models together, or the only one. */
const judgedModel = z.string().nullable();

const judgedThreshold = thresholdResult.extend({ model: judgedModel });
export type JudgedThreshold = z.infer<typeof judgedThreshold>;

/** A metric that has a tolerance of its own, against the same metric of the baseline. */
export const judgedMetric = z.object({
  model: judgedModel,
  metric: z.string(),
  baseline: z.number().nullable(),
  value: z.number().nullable(),
  /** How far it may fall. */
  tolerance: z.number(),
  outcome: gateOutcome,
});
export type JudgedMetric = z.infer<typeof judgedMetric>;

/** A model against its baseline, case by case. */
const judgedComparison = z.object({
  baseline: comparedSide,
  candidate: candidateComparison,
  /** False if the pass or success rate has a tolerance of its own, which then decides instead of the test. */
  byTest: z.boolean(),
  outcome: gateOutcome,
});
export type JudgedComparison = z.infer<typeof judgedComparison>;

/** A baseline of something else, with everything that differs, one sentence each. */
export const incomparable = z.object({ name: z.string(), differences: z.array(z.string()) });
export type Incomparable = z.infer<typeof incomparable>;

const judgementResults = ['passed', 'failed', 'incomplete'] as const;
export const judgementResult = z.enum(judgementResults);
export type JudgementResult = z.infer<typeof judgementResult>;

/** Everything that decides whether a build passes, and how it was decided. */
export const judgement = z.object({
  /** Incomplete: too many runs have no score, or something could not be decided. */
  result: judgementResult,
  thresholds: z.array(judgedThreshold),
  /** Null if it was compared with nothing. */
  baseline: z
    .object({
      /** A file, or the number of an evaluation. */
      name: z.string(),
      comparisons: z.array(judgedComparison),
      metrics: z.array(judgedMetric),
      /** How many cases may regress; null = as many as the test explains by chance. */
      maxBroken: z.number().int().nullable(),
    })
    .nullable(),
  /** The baseline that was given and can't be compared, so that this result starts a new one. */
  incomparable: incomparable.nullable(),
  /** Runs without a score, and how many of them are allowed. */
  unscoredRuns: z.number().int(),
  allowFailed: z.number().int(),
  /** Why they have none, the most frequent reason first. */
  unscored: z.array(unscoredGroup),
});
export type Judgement = z.infer<typeof judgement>;
