import { z } from 'zod';
import { jsonValue } from './json.ts';

const classifications = ['TP', 'FP', 'TN', 'FN'] as const;
export const classification = z.enum(classifications);
export type Classification = z.infer<typeof classification>;

const confidenceCategories = [
  'robust',
  'needs_clarity',
  'misleading',
  'wrong_low',
  'unmeasured',
] as const;
const confidenceCategory = z.enum(confidenceCategories);
export type ConfidenceCategory = z.infer<typeof confidenceCategory>;

const verdicts = [
  'matched',
  'wrong_value',
  'missing',
  'unexpected',
  'hallucinated',
  'ignored',
  'not_scored',
  'unreadable',
] as const;

/** One row of the parameter table: the expected and the actual value and how they compare. */
export const parameterVerdict = z.object({
  /** `server:tool` of the matched call. */
  toolId: z.string(),
  /** Index of the expected call and of the actual call that it was paired with. */
  expectedIndex: z.number().int(),
  actualIndex: z.number().int(),
  name: z.string(),
  /** Missing = this side has no such parameter. */
  expected: jsonValue.optional(),
  actual: jsonValue.optional(),
  verdict: z.enum(verdicts),
  reason: z.string(),
});
export type ParameterVerdict = z.infer<typeof parameterVerdict>;

/** A pair of an expected and an actual call; null if one side has none. */
export const callMatch = z.object({
  expectedIndex: z.number().int().nullable(),
  actualIndex: z.number().int().nullable(),
  /** The tool of the pair; null if there is no pair. */
  toolId: z.string().nullable(),
  /** True for a call to a tool in `allowedCalls`: neither matched nor unneeded. */
  allowed: z.boolean(),
});
export type CallMatch = z.infer<typeof callMatch>;

/** One unit of the confusion matrix: the row is the expected label, the column the selected one. */
export const confusionUnit = z.object({ expected: z.string(), selected: z.string() });
export type ConfusionUnit = z.infer<typeof confusionUnit>;

const recommendation = z.object({
  /** The tool to change; null if it concerns the case or the whole list. */
  toolId: z.string().nullable(),
  priority: z.enum(['high', 'medium', 'low']),
  message: z.string(),
  /** True if its text is made of words or values of the run's own case. */
  fromCase: z.boolean().optional(),
});
export type Recommendation = z.infer<typeof recommendation>;

export const score = z.object({
  classification,
  toolSelectionCorrect: z.boolean(),
  parameterCompleteness: z.number().min(0).max(1),
  parameterCorrectness: z.number().min(0).max(1),
  /** Null if the published schema can't decide: it or the arguments are nested too deeply, or it takes too long. */
  parameterTypeConformance: z.boolean().nullable(),
  hallucinatedParameters: z.array(z.string()),
  missingParameters: z.array(z.string()),
  /** Σ matched and Σ |E| over matched calls, from which parameter accuracy is computed. */
  matchedParameters: z.number().int(),
  expectedParameters: z.number().int(),
  /**
   * True if every expected call matched, no other call was made, and all arguments are complete,
   * correct, valid and not made up; null = not decided.
   */
  passed: z.boolean().nullable(),
  /** Which schema could not decide, and why; null if all that matter could. */
  undecided: z.string().nullable().default(null),
  parameters: z.array(parameterVerdict),
  matches: z.array(callMatch),
  units: z.array(confusionUnit),
  confidenceCategory,
  reasoning: z.string(),
  recommendations: z.array(recommendation),
});
export type Score = z.infer<typeof score>;
