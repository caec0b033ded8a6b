import { z } from 'zod';
import { confidenceMethods } from './observation.ts';

/** One bin of a reliability diagram; null where no run fell into it. */
export const reliabilityBin = z.object({
  low: z.number(),
  high: z.number(),
  n: z.number().int(),
  /** Share of its runs that were right. */
  right: z.number().nullable(),
  /** Mean confidence of its runs. */
  confidence: z.number().nullable(),
});
export type ReliabilityBin = z.infer<typeof reliabilityBin>;

/** Methods are never mixed: a margin and a probability are not the same thing. */
export const calibration = z.object({
  method: z.enum(confidenceMethods),
  n: z.number().int(),
  ece: z.number().nullable(),
  bins: z.array(reliabilityBin),
});
export type MethodCalibration = z.infer<typeof calibration>;

/** How one parameter of one tool came out over right calls (TP). */
export const parameterTally = z.object({
  toolId: z.string(),
  name: z.string(),
  /** Calls in which it was judged by value. */
  n: z.number().int(),
  matched: z.number().int(),
  wrongValue: z.number().int(),
  missing: z.number().int(),
  unexpected: z.number().int(),
  hallucinated: z.number().int(),
  unreadable: z.number().int(),
  /** Sent, and not judged: the case says nothing of its value. */
  notScored: z.number().int(),
});
export type ParameterTally = z.infer<typeof parameterTally>;

/** Calls that were expected of one server and went to another one. */
export const serverCapture = z.object({
  expected: z.string(),
  selected: z.string(),
  count: z.number().int(),
  /** Calls that were expected of `expected`. */
  of: z.number().int(),
});
export type ServerCapture = z.infer<typeof serverCapture>;

export const flakyCase = z.object({
  testCaseId: z.string(),
  caseKey: z.string(),
  name: z.string(),
  modelSettingsId: z.string(),
  n: z.number().int(),
  right: z.number().int(),
  /** A run to open. */
  runId: z.string(),
});
export type FlakyCase = z.infer<typeof flakyCase>;

const macroRate = z.object({ value: z.number().nullable(), tools: z.number().int() });
export const macroMetrics = z.object({
  precision: macroRate,
  recall: macroRate,
  f1Score: macroRate,
});
export type MacroMetrics = z.infer<typeof macroMetrics>;

const passRate = z.object({
  k: z.number().int(),
  passAtK: z.number().nullable(),
  passAllK: z.number().nullable(),
  cases: z.number().int(),
});

/** What stands behind the numbers of an evaluation: asked for when its tab is opened. */
export const evaluationAnalysis = z.object({
  evaluationId: z.string(),
  modelSettingsId: z.string().nullable(),
  parameters: z.array(parameterTally),
  calibrations: z.array(calibration),
  /** Most repetitions that a case has; 1 = nothing was repeated and nothing can be flaky. */
  repetitions: z.number().int(),
  passRates: z.array(passRate),
  /**
   * Cases that were right in some scored repetitions and wrong in others, at most 500; `flakyTotal`
   * counts all.
   */
  flaky: z.array(flakyCase),
  flakyTotal: z.number().int(),
  repeatedCases: z.number().int(),
  crossServer: z.array(serverCapture),
});
export type EvaluationAnalysis = z.infer<typeof evaluationAnalysis>;
