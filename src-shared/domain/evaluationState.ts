export const evaluationStates = [
  'planned',
  'running',
  'completed',
  'incomplete',
  'cancelled',
  'interrupted',
] as const;
export type EvaluationState = (typeof evaluationStates)[number];

/** States in which nothing more will happen by itself. */
export function hasEnded(state: EvaluationState): boolean {
  return state !== 'planned' && state !== 'running';
}
