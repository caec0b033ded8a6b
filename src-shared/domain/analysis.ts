import { z } from 'zod';
import { passedWhen } from './comparison.ts';
import { estimate, rateEnds } from './metrics.ts';
import { confidenceMethods } from './observation.ts';

export const modelLatency = z.object({
  modelSettingsId: z.string(),
  n: z.number().int(),
  /** Nearest rank, in milliseconds. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  /** Answers by bin; the lower ends of the bins are `latencyEdges`. */
  counts: z.array(z.number().int()),
});
export type ModelLatency = z.infer<typeof modelLatency>;

/** One bin of a reliability diagram; rates are null if no run is in it. */
const reliabilityBin = z.object({
  low: z.number(),
  high: z.number(),
  n: z.number().int(),
  /** Share of its runs that called the right tools: confidence is about the choice of tools. */
  right: z.number().nullable(),
  /** Mean confidence of its runs. */
  confidence: z.number().nullable(),
});
export type ReliabilityBin = z.infer<typeof reliabilityBin>;

/**
 * Calibration of one confidence method. Methods are never mixed, because a margin is not a
 * probability.
 */
export const calibration = z.object({
  method: z.enum(confidenceMethods),
  n: z.number().int(),
  ece: z.number().nullable(),
  bins: z.array(reliabilityBin),
});
export type MethodCalibration = z.infer<typeof calibration>;

/** Results of one parameter of one tool over correct calls (TP). */
const parameterTally = z.object({
  toolId: z.string(),
  name: z.string(),
  /** Calls in which its value was checked. */
  n: z.number().int(),
  /** matched ÷ n with its interval, clustered by case. */
  accuracy: estimate,
  matched: z.number().int(),
  wrongValue: z.number().int(),
  missing: z.number().int(),
  unexpected: z.number().int(),
  hallucinated: z.number().int(),
  unreadable: z.number().int(),
  /** Sent but not checked, because the case expects no value. */
  notScored: z.number().int(),
});
export type ParameterTally = z.infer<typeof parameterTally>;

/** Calls that were expected from one server and went to another. */
const serverCapture = z.object({
  expected: z.string(),
  selected: z.string(),
  count: z.number().int(),
  /** All calls that were expected from `expected`. */
  of: z.number().int(),
});
export type ServerCapture = z.infer<typeof serverCapture>;

const flakyCase = z.object({
  testCaseId: z.string(),
  caseKey: z.string(),
  name: z.string(),
  modelSettingsId: z.string(),
  /** Repetitions of which it is known whether they passed. */
  n: z.number().int(),
  passed: z.number().int(),
  /** A run that failed, to open. */
  runId: z.string(),
});
export type FlakyCase = z.infer<typeof flakyCase>;

const macroRate = z.object({ value: z.number().nullable(), tools: z.number().int() });
const macroMetrics = z.object({
  precision: macroRate,
  recall: macroRate,
  f1Score: macroRate,
});
export type MacroMetrics = z.infer<typeof macroMetrics>;

const passRate = z.object({
  k: z.number().int(),
  passAtK: z.number().nullable(),
  passAtKInterval: rateEnds,
  passAllK: z.number().nullable(),
  passAllKInterval: rateEnds,
  cases: z.number().int(),
});

/** How steadily cases pass, by one meaning of passed. */
const repeatedNumbers = z.object({
  /** Most repetitions of a case that count; with 1 nothing can be flaky. */
  repetitions: z.number().int(),
  repeatedCases: z.number().int(),
  passRates: z.array(passRate),
  /** Cases that passed in some repetitions and failed in others, at most 500. */
  flaky: z.array(flakyCase),
  /** Counts all of them. */
  flakyTotal: z.number().int(),
});
export type RepeatedNumbers = z.infer<typeof repeatedNumbers>;

/** Detailed analysis of an evaluation, computed when its tab is opened. */
export const evaluationAnalysis = z.object({
  evaluationId: z.string(),
  modelSettingsId: z.string().nullable(),
  parameters: z.array(parameterTally),
  calibrations: z.array(calibration),
  /**
   * By what passed means: as in the pass rate (`selection_and_parameters`), and for the tools alone
   * (`selection`).
   */
  repeated: z.record(passedWhen, repeatedNumbers),
  crossServer: z.array(serverCapture),
});
export type EvaluationAnalysis = z.infer<typeof evaluationAnalysis>;
