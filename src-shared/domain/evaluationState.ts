export const evaluationStates = [
  'planned',
  'running',
  'completed',
  'incomplete',
  'cancelled',
  'interrupted',
] as const;
export type EvaluationState = (typeof evaluationStates)[number];

/** True for states that only a user's action can leave. */
export function hasEnded(state: EvaluationState): boolean {
  return state !== 'planned' && state !== 'running';
}
