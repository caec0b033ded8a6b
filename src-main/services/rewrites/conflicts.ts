import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Rewrite } from '../../../src-shared/domain/rewrite.ts';
import type { Store } from '../../store/store.ts';

export const conflict = (rewrite: Rewrite, cause: string, nextStep: string): ServiceError =>
  new ServiceError('CONFLICT', { thing: `${rewrite.name} for ${rewrite.toolId}`, cause, nextStep });

/** Why no step of a candidate can begin now: what is under way, or that its proof is spent. */
export function busy(store: Store, rewrite: Rewrite): ServiceError {
  const { state, unit, searchEvaluationId, proofEvaluationId, stopped } = rewrite;
  if (state !== 'searching' && state !== 'proving')
    return conflict(
      rewrite,
      'It was already verified, and each rewrite can be verified once.',
      'Add another candidate.',
    );
  const id = state === 'searching' ? searchEvaluationId : proofEvaluationId;
  const evaluations = unit === 'task' ? store.taskEvaluations : store.evaluations;
  const evaluation = id === null ? null : evaluations.get(id);
  const what = state === 'searching' ? 'estimate' : 'proof';
  const name = unit === 'task' ? 'task evaluation' : 'evaluation';
  if (stopped !== null) return conflict(rewrite, stopped, 'Or add another candidate.');
  return evaluation
    ? conflict(
        rewrite,
        `Its ${what} is under way in ${name} #${evaluation.number}.`,
        `Wait for ${name} #${evaluation.number} to end, or cancel it.`,
      )
    : conflict(rewrite, `Its ${what} is being started.`, 'Wait until it has started.');
}
