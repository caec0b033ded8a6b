import { z } from 'zod';
import { confidenceMethods } from './observation.ts';

/**
 * A number with its 95% interval and its denominator `n`. Null = not defined (zero denominator):
 * never NaN, never 0. A value without ends is about fewer cases than `minIntervalCases`: too few to say.
 */
export const estimate = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.number().int(),
});
export type Estimate = z.infer<typeof estimate>;

/** The ends of the 95% interval of a number that is given next to it; null if it has none. */
export const rateEnds = z.object({ low: z.number(), high: z.number() }).nullable();
export type RateEnds = z.infer<typeof rateEnds>;

export const counts = z.object({
  tp: z.number().int(),
  fp: z.number().int(),
  tn: z.number().int(),
  fn: z.number().int(),
  /** Runs that could not be scored. */
  failed: z.number().int(),
  /** Runs that have not ended. */
  open: z.number().int(),
  total: z.number().int(),
});
export type Counts = z.infer<typeof counts>;

const metrics = z.object({
  passRate: estimate,
  selectionPrecision: estimate,
  selectionRecall: estimate,
  selectionF1: estimate,
  precision: estimate,
  recall: estimate,
  f1Score: estimate,
  accuracy: estimate,
  parameterAccuracy: estimate,
});
export type Metrics = z.infer<typeof metrics>;

/**
 * A square matrix: sorted tool ids, rows of alternatives (`a:x | b:y`), then "(no tool)", then
 * "(phantom)". Rows are expected, columns are selected.
 */
export const confusionMatrix = z.object({
  labels: z.array(z.string()),
  matrix: z.array(z.array(z.number().int())),
});
export type ConfusionMatrix = z.infer<typeof confusionMatrix>;

const perTool = z.object({
  toolId: z.string(),
  tp: z.number().int(),
  /** Correct calls to it where it was one of several equally right tools: in precision only. */
  anyOf: z.number().int(),
  fp: z.number().int(),
  fn: z.number().int(),
  precision: estimate,
  recall: estimate,
  f1Score: estimate,
});
export type PerTool = z.infer<typeof perTool>;

/** A row of the matrix whose calls several tools satisfy. */
export const anyOfRow = z.object({
  label: z.string(),
  tools: z.array(z.string()),
  tp: z.number().int(),
  fn: z.number().int(),
  recall: estimate,
});
export type AnyOfRow = z.infer<typeof anyOfRow>;

const methodCounts = z.object({
  robust: z.number().int(),
  needsClarity: z.number().int(),
  misleading: z.number().int(),
  wrongLow: z.number().int(),
});
/** Runs by category. Methods are never mixed, because their scales differ. */
const confidenceCounts = methodCounts.extend({
  /** The method behind the four counts: that of most runs. Null if no run has a confidence. */
  method: z.enum(confidenceMethods).nullable(),
  /** Runs without a confidence by any method. */
  unmeasured: z.number().int(),
  /** Runs measured by the other methods. */
  others: z.array(methodCounts.extend({ method: z.enum(confidenceMethods) })),
});
export type ConfidenceCounts = z.infer<typeof confidenceCounts>;

/**
 * Source of a token count: measured by the provider, counted by its endpoint, estimated here, or
 * several of these.
 */
export const tokenSource = z.enum(['measured', 'counted', 'estimated', 'mixed']);
export type TokenSource = z.infer<typeof tokenSource>;

/** Texts for token sources; the same in the window, on the command line and in reports. */
export const tokenSourceTexts: Record<TokenSource, string> = {
  measured: 'measured by the provider',
  counted: 'counted by the provider’s endpoint; what came back is estimated',
  estimated: 'estimated here with cl100k_base',
  mixed: 'measured, counted and estimated ones together',
};

/** The tokens and the cost of a set of answers. */
const usageTotals = z.object({
  answers: z.number().int(),
  /** Answers whose tokens are unknown; they are in neither sum. */
  unmeasured: z.number().int(),
  /** Null if the tokens of every answer are unknown. */
  input: z.number().int().nullable(),
  output: z.number().int().nullable(),
  /** Null if an answer has no price or unknown tokens: unknown is never 0. */
  costUsd: z.number().nullable(),
});
export type UsageTotals = z.infer<typeof usageTotals>;

/** The numbers of any set of runs: an evaluation, one of its models, or a filter. */
export const runNumbers = z.object({
  cases: z.number().int(),
  runs: z.number().int(),
  counts,
  metrics,
  confidence: confidenceCounts,
  confusion: confusionMatrix,
  perTool: z.array(perTool),
  anyOf: z.array(anyOfRow),
  latencyMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
  tokens: z.object({ input: z.number().int().nullable(), output: z.number().int().nullable() }),
  /** Null if a run has no price or unknown tokens: unknown is never 0. */
  costUsd: z.number().nullable(),
  /**
   * Tokens and cost over the same answers: of the scored runs, and of all, which also were paid for:
   * earlier attempts, runs that were not scored, and replies that could not be used, which are not
   * in `answers`. Questions after the choice are included.
   */
  usage: z.object({ scored: usageTotals, all: usageTotals }),
  /**
   * Requests that were sent and gave no count of tokens: canceled, timed out, or answered
   * unreadably. They may have been billed, and are in no sum.
   */
  unansweredRequests: z.number().int(),
  /** Answers of `usage.all` that came from a cache: counted with their tokens, not paid again. */
  cachedAnswers: z.number().int(),
  tokenSource: tokenSource.nullable(),
});
export type RunNumbers = z.infer<typeof runNumbers>;
