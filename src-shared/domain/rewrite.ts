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

/** What came of a candidate on the half of the cases that it was looked for with. */
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
  adjustedP: z.number(),
  recallBefore: z.number().nullable(),
  recallAfter: z.number().nullable(),
  losing: z.array(z.string()),
  reasons: z.array(z.string()),
  /** About so many more cases would tell; null where it is told. */
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
  search: searchResult.nullable(),
  proof: proofResult.nullable(),
  /** Why its runs do not go on, where they were stopped. */
  stopped: z.string().nullable(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
});
export type Rewrite = z.infer<typeof rewrite>;

/** What the cases of an evaluation can prove, told before anything is run. */
export const rewritePlan = z.object({
  toolId: z.string(),
  description: z.string(),
  searchCases: z.number().int(),
  proofCases: z.number().int(),
  /** Candidates proved on these cases already: each more asks for more. */
  proved: z.number().int(),
  flipsNeeded: z.number().int(),
  /**
   * Cases of the proof half that are wrong now and have to do with the tool: so many can flip at
   * most.
   */
  canFlip: z.number().int(),
  /** Cases that would have to be added for a proof to be possible; 0 = it is. */
  moreCases: z.number().int(),
});
export type RewritePlan = z.infer<typeof rewritePlan>;
