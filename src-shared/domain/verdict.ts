import { z } from 'zod';
import { callDifference } from './callDifference.ts';
import { answer, difference } from './comparison.ts';
import { estimate } from './metrics.ts';
import { runRow } from './evaluation.ts';
import { failureCause, outcome, outcomeCounts } from './outcomeSchema.ts';

/** Failures with one cause, and how many runs and cases they are. */
export const causeGroup = failureCause.extend({
  runs: z.number().int(),
  cases: z.number().int(),
  /** The client that hides the expected tool, so that no model could call it. */
  hiddenBy: z.string().optional(),
});
export type CauseGroup = z.infer<typeof causeGroup>;

/** The change of one model since the previous result of its suite, over the cases that both share. */
export const previousChange = z.object({
  evaluationId: z.string(),
  number: z.number().int(),
  /** The label of the model where one of the two evaluations has several; null: it is the only one. */
  model: z.string().nullable(),
  /** Cases that both share unchanged and scored. */
  sharedCases: z.number().int(),
  fixed: z.number().int(),
  broken: z.number().int(),
  /** fixed − broken */
  passedDifference: z.number().int(),
  /** True if the test of the comparison cannot tell the two apart. */
  withinNoise: z.boolean(),
});
export type PreviousChange = z.infer<typeof previousChange>;

/** A model against the best one of its evaluation, by the paired test over their shared cases. */
const vsBest = z.object({
  sharedCases: z.number().int(),
  difference: difference.nullable(),
  pValue: z.number().nullable(),
  /** By Holm over all models but the best. */
  adjustedP: z.number().nullable(),
  answer,
});
export type VsBest = z.infer<typeof vsBest>;

/**
 * What an evaluation says in five seconds: how many passed, what fails most, and whether it is
 * better than before. Every place that shows a result shows these numbers.
 */
export const verdict = z.object({
  /** `cases` if every case has one run; otherwise runs are counted. */
  unit: z.enum(['cases', 'runs']),
  cases: z.number().int(),
  counts: outcomeCounts,
  /** Passed runs of scored runs, with the case-clustered interval. */
  passRate: estimate,
  /** One entry per model if there are several, the best pass rate first. */
  models: z.array(
    z.object({
      modelSettingsId: z.string(),
      counts: outcomeCounts,
      passRate: estimate,
      /** Null for the best one, and while the evaluation runs. */
      vsBest: vsBest.nullable(),
    }),
  ),
  /** Cases whose runs all passed; null if every case has one run. */
  casesPassedByAll: z.number().int().nullable(),
  /** Every cause, the most frequent first. */
  causes: z.array(causeGroup),
  /**
   * Words in the failing requests of the first cause that the expected tool's description lacks;
   * at most three. Held-out requests are not read for them.
   */
  missingWords: z.array(z.string()),
  /** True if the tools of several servers appear, so that names need their server. */
  severalServers: z.boolean(),
  /** Against the previous result of the same suite and model, if there is one. */
  previous: previousChange.nullable(),
});
export type Verdict = z.infer<typeof verdict>;

const failureGroup = causeGroup.extend({
  /**
   * Words of several failing requests that the expected tool's definition lacks. Held-out requests
   * are not read for them.
   */
  missingWords: z.array(z.string()),
  /** The first runs, in the order of the suite, with what is wrong with their calls. */
  rows: z.array(runRow.extend({ differences: z.array(callDifference) })),
});
export type FailureGroup = z.infer<typeof failureGroup>;

/** What each model made of one case. */
const caseMarks = z.object({
  position: z.number().int(),
  marks: z.array(z.object({ modelSettingsId: z.string(), outcome })),
});
export type CaseMarks = z.infer<typeof caseMarks>;

/** How many runs of each model; models without one are left out. */
const runsOfModels = z.array(z.object({ modelSettingsId: z.string(), runs: z.number().int() }));

const toolFailures = z.object({
  /** The tool whose definition they point at; null: to no single tool. */
  tool: z.string().nullable(),
  /** Failing runs of its causes. */
  runs: z.number().int(),
  /** Every model with a scored run that involves the tool. */
  models: z.array(
    z.object({
      modelSettingsId: z.string(),
      failed: z.number().int(),
      /** Scored runs whose case expects the tool, or whose failure points to it. */
      scored: z.number().int(),
    }),
  ),
  /** The most frequent first. */
  causes: z.array(causeGroup.extend({ models: runsOfModels })),
});
export type ToolFailures = z.infer<typeof toolFailures>;

export const failures = z.object({
  /** By the tool that they point to, the one with the most failing runs first, no single tool last. */
  tools: z.array(toolFailures),
  /** The most frequent causes first; causes without a run that matches the search are left out. */
  groups: z.array(failureGroup),
  /** Causes that are not listed because there are too many. */
  moreCauses: z.number().int(),
  /**
   * For each listed case, the outcome of every model. Empty if one model is shown, or if cases are
   * repeated: then a case has no single outcome per model.
   */
  cases: z.array(caseMarks),
});
export type Failures = z.infer<typeof failures>;
