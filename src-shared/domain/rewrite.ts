import { z } from 'zod';

export const rewriteStates = [
  'draft',
  'searching',
  'searched',
  'proving',
  'accepted',
  'rejected',
  'cannot_tell',
] as const;
export const rewriteState = z.enum(rewriteStates);
export type RewriteState = z.infer<typeof rewriteState>;

const flips = { won: z.number().int(), lost: z.number().int() };

/** Results of a candidate on the search half of the cases. */
export const searchResult = z.object({
  ...flips,
  cases: z.number().int(),
  notScored: z.number().int(),
});
export type SearchResult = z.infer<typeof searchResult>;

export const proofResult = searchResult.extend({
  others: z.array(z.object({ ...flips, toolId: z.string() })),
  otherCalls: z.object({
    expected: z.number().int(),
    before: z.number().int(),
    after: z.number().int(),
  }),
  pValue: z.number(),
  /** The level that its p-value had to reach. */
  level: z.number(),
  recallBefore: z.number().nullable(),
  recallAfter: z.number().nullable(),
  losing: z.array(z.string()),
  reasons: z.array(z.string()),
  /** Approximate number of additional cases for a decision; null if it is decided. */
  moreCases: z.number().int().nullable(),
});
export type ProofResult = z.infer<typeof proofResult>;

export const rewrite = z.object({
  id: z.string(),
  baseEvaluationId: z.string(),
  baseNumber: z.number().int(),
  modelSettingsId: z.string(),
  modelName: z.string(),
  toolId: z.string(),
  source: z.enum(['hand', 'rule', 'model']),
  descriptionBefore: z.string(),
  description: z.string(),
  state: rewriteState,
  searchEvaluationId: z.string().nullable(),
  proofEvaluationId: z.string().nullable(),
  /** Its number among the candidates proved on the cases of its suite; null before its proof. */
  proofRank: z.number().int().nullable(),
  search: searchResult.nullable(),
  proof: proofResult.nullable(),
  /** Why its runs were stopped, if they were. */
  stopped: z.string().nullable(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
});
export type Rewrite = z.infer<typeof rewrite>;

/** What the cases of an evaluation can prove, shown before anything runs. */
export const rewritePlan = z.object({
  toolId: z.string(),
  description: z.string(),
  searchCases: z.number().int(),
  proofCases: z.number().int(),
  /** Candidates already proved on the cases of this suite; each one raises the bar for the next. */
  proved: z.number().int(),
  /** The level that the next candidate has to reach. */
  level: z.number(),
  flipsNeeded: z.number().int(),
  /** Cases of the proof half that fail now and involve the tool: the most that can flip. */
  canFlip: z.number().int(),
  /** Cases to add before a proof is possible; 0 if it is possible now. */
  moreCases: z.number().int(),
});
export type RewritePlan = z.infer<typeof rewritePlan>;
