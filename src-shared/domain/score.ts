import { z } from 'zod';
import { jsonValue } from './json.ts';

export const classifications = ['TP', 'FP', 'TN', 'FN'] as const;
export const classification = z.enum(classifications);
export type Classification = z.infer<typeof classification>;

export const confidenceCategories = [
  'robust',
  'needs_clarity',
  'misleading',
  'wrong_low',
  'unmeasured',
] as const;
export const confidenceCategory = z.enum(confidenceCategories);
export type ConfidenceCategory = z.infer<typeof confidenceCategory>;

export const verdicts = [
  'matched',
  'wrong_value',
  'missing',
  'unexpected',
  'hallucinated',
  'ignored',
  'not_scored',
  'unreadable',
] as const;

/** One row of the parameter table: what was expected, what came, and why it counts as it does. */
export const parameterVerdict = z.object({
  /** `server:tool` of the matched call. */
  toolId: z.string(),
  /** Index of the expected call and of the actual call that it was paired with. */
  expectedIndex: z.number().int(),
  actualIndex: z.number().int(),
  name: z.string(),
  /** Undefined on the wire = the side has no such parameter. */
  expected: jsonValue.optional(),
  actual: jsonValue.optional(),
  verdict: z.enum(verdicts),
  reason: z.string(),
});
export type ParameterVerdict = z.infer<typeof parameterVerdict>;

/** A pair of an expected and an actual call; null on one side = nothing there. */
export const callMatch = z.object({
  expectedIndex: z.number().int().nullable(),
  actualIndex: z.number().int().nullable(),
  /** The tool that the pair agrees on; null where there is no pair. */
  toolId: z.string().nullable(),
  /** True for a call to a tool in `allowedCalls`: neither matched nor left over. */
  allowed: z.boolean(),
});
export type CallMatch = z.infer<typeof callMatch>;

/** One unit of the confusion matrix: row = expected label, column = selected label. */
export const confusionUnit = z.object({ expected: z.string(), selected: z.string() });
export type ConfusionUnit = z.infer<typeof confusionUnit>;

export const recommendation = z.object({
  /** The tool to change; null where it is the case or the whole list. */
  toolId: z.string().nullable(),
  priority: z.enum(['high', 'medium', 'low']),
  message: z.string(),
});
export type Recommendation = z.infer<typeof recommendation>;

export const score = z.object({
  classification,
  toolSelectionCorrect: z.boolean(),
  parameterCompleteness: z.number().min(0).max(1),
  parameterCorrectness: z.number().min(0).max(1),
  /**
   * Null where the published schema can't decide (it does not compile, or it exceeds its time):
   * then no verdict is invented.
   */
  parameterTypeConformance: z.boolean().nullable(),
  hallucinatedParameters: z.array(z.string()),
  missingParameters: z.array(z.string()),
  /** Σ matched and Σ |E| over matched calls: what parameter accuracy adds up. */
  matchedParameters: z.number().int(),
  expectedParameters: z.number().int(),
  /**
   * Every expected call matched, nothing left over, each complete, correct, conforming, nothing
   * invented; null = not decided.
   */
  passed: z.boolean().nullable(),
  parameters: z.array(parameterVerdict),
  matches: z.array(callMatch),
  units: z.array(confusionUnit),
  confidenceCategory,
  reasoning: z.string(),
  recommendations: z.array(recommendation),
});
export type Score = z.infer<typeof score>;
