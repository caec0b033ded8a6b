import { z } from 'zod';

/** Why an evaluation exists that no person started for its own sake. */
const originKinds = [
  'what_if', // repeats another evaluation with changed tools
  'case_rerun', // repeats one case of another evaluation
  'asked_again', // repeats the cases of a check that disagree with its baseline
  'proof_half', // tries a candidate on half of the cases
  'optimizer_step', // tries a candidate of an optimization
  'accuracy_step', // one step of accuracy vs. tokens
] as const;
export const originKind = z.enum(originKinds);

/**
 * Where a derived evaluation comes from. Derived evaluations are in no overview, trend or metric
 * unless they are asked for.
 */
export const evaluationOrigin = z.object({
  kind: originKind,
  /** The evaluation that it belongs to; null if it leads its own group or that one was deleted. */
  evaluationId: z.string().nullable(),
  number: z.number().int().nullable(),
});
export type EvaluationOrigin = z.infer<typeof evaluationOrigin>;
