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

/** Scored runs, and how many of them passed. */
const runTally = z.object({ passed: z.number().int(), scored: z.number().int() });
export type RunTally = z.infer<typeof runTally>;

/** A part of the cases that has a paired test of its own. */
const judgedGroup = z.object({
  cases: z.number().int(),
  baseline: runTally,
  now: runTally,
  /** Sign-flip test of its cases; `adjustedP` is over all groups of the check. Null without a pair. */
  pValue: z.number().nullable(),
  adjustedP: z.number().nullable(),
  /** Whether fewer passed than in the baseline, beyond chance. */
  worse: z.boolean(),
});
export type JudgedGroup = z.infer<typeof judgedGroup>;

const judgedTool = judgedGroup.extend({ tool: z.string() });
export type JudgedTool = z.infer<typeof judgedTool>;

/** A tool that cases expect, that the baseline offered, and that is offered no more. */
const removedTool = z.object({
  tool: z.string(),
  /** Ids of the cases that can't be answered without it. */
  cases: z.array(z.string()),
  passedInBaseline: z.number().int(),
  /** A new tool with the same description and parameters. */
  likelyNewName: z.string().nullable(),
});
export type RemovedTool = z.infer<typeof removedTool>;

/** What became of cases that are not the same any more. */
const changedCases = z.object({
  /** Cases of the same id with another query or expectation; null if there are none. */
  changed: judgedGroup.nullable(),
  /** Ids of removed cases that did not pass in the baseline. */
  removedFailing: z.array(z.string()),
  removedPassing: z.number().int(),
});
export type ChangedCases = z.infer<typeof changedCases>;

/** A model against its baseline, case by case. */
const judgedComparison = z.object({
  baseline: comparedSide,
  candidate: candidateComparison,
  perTool: z.array(judgedTool),
  changedCases,
  /** False if the pass or success rate has a tolerance of its own, which then decides instead of the test. */
  byTest: z.boolean(),
  outcome: gateOutcome,
});
export type JudgedComparison = z.infer<typeof judgedComparison>;

/** A baseline of something else, with everything that differs, one sentence each. */
const incomparable = z.object({ name: z.string(), differences: z.array(z.string()) });
export type Incomparable = z.infer<typeof incomparable>;

const judgementResults = ['passed', 'failed', 'incomplete'] as const;
export const judgementResult = z.enum(judgementResults);
export type JudgementResult = z.infer<typeof judgementResult>;

const judgedBaseline = z.object({
  /** A file, or the number of an evaluation. */
  name: z.string(),
  /** `release`: it stays until somebody replaces it, so that small losses add up. */
  kind: z.enum(['newest', 'release']),
  comparisons: z.array(judgedComparison),
  metrics: z.array(judgedMetric),
  /** How many cases may regress; null = as many as the test explains by chance. */
  maxBroken: z.number().int().nullable(),
  removedTools: z.array(removedTool),
  /** Tools of the baseline that were renamed, as declared. */
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
});
export type JudgedBaseline = z.infer<typeof judgedBaseline>;

/** One baseline of a series, or the result itself. */
const baselinePoint = z.object({
  createdAt: z.string().nullable(),
  /** Of the ids and contents of its cases: only equal ones are of the same cases. */
  casesHash: z.string(),
  cases: z.number().int(),
  models: z.array(
    z.object({ model: z.string(), passRate: z.number().nullable(), n: z.number().int() }),
  ),
});
export type BaselinePoint = z.infer<typeof baselinePoint>;

/** What a client hides of the tools that were tested, held against a limit. */
const judgedClient = z.object({
  client: z.string(),
  version: z.string().nullable(),
  tools: z.number().int(),
  /** Those that don't reach the model, each with the reason. */
  hidden: z.array(z.object({ tool: z.string(), reason: z.string() })),
  max: z.number().int(),
  outcome: z.enum(['passed', 'failed']),
});
export type JudgedClient = z.infer<typeof judgedClient>;

/** Everything that decides whether a build passes, and how it was decided. */
export const judgement = z.object({
  /** Incomplete: too many runs have no score, or something could not be decided. */
  result: judgementResult,
  thresholds: z.array(judgedThreshold),
  /** Null if it was compared with nothing. */
  baseline: judgedBaseline.nullable(),
  /** A fixed reference besides the baseline; left out if there is none. */
  release: judgedBaseline.optional(),
  /** The last ten baselines, the oldest first; left out without a baseline. */
  trend: z.array(baselinePoint).optional(),
  /** True if a check was given nothing to hold the result against. */
  nothingToCompare: z.boolean().optional(),
  /** The baseline that was given and can't be compared, so that this result starts a new one. */
  incomparable: incomparable.nullable(),
  /** Cases that disagree with a baseline and were asked again; left out if none were to be. */
  askedAgain: z
    .object({ upTo: z.number().int(), cases: z.number().int(), runs: z.number().int() })
    .optional(),
  /** Tasks of the suite that a check of its cases did not run; left out if it has none. */
  uncheckedTasks: z.number().int().optional(),
  /** What clients hide of its tools; left out if nothing limits it. */
  clients: z.array(judgedClient).optional(),
  /** Runs without a score, and how many of them are allowed. */
  unscoredRuns: z.number().int(),
  allowFailed: z.number().int(),
  /** Why they have none, the most frequent reason first. */
  unscored: z.array(unscoredGroup),
});
export type Judgement = z.infer<typeof judgement>;
