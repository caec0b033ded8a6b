import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Rewrite } from '../../../src-shared/domain/rewrite.ts';
import type { Trial } from '../trials/trial.ts';

export const conflict = (rewrite: Rewrite, cause: string, nextStep: string): ServiceError =>
  new ServiceError('CONFLICT', { thing: `${rewrite.name} for ${rewrite.toolId}`, cause, nextStep });

/** Why no step of a candidate can begin now: what is under way, or that its proof is spent. */
export function busy(trial: Trial, rewrite: Rewrite): ServiceError {
  const { state, searchEvaluationId, proofEvaluationId, stopped } = rewrite;
  if (state !== 'searching' && state !== 'proving')
    return conflict(
      rewrite,
      'It was already verified, and each rewrite can be verified once.',
      'Add another candidate.',
    );
  const id = state === 'searching' ? searchEvaluationId : proofEvaluationId;
  const repeated = id === null ? null : trial.repeated(id);
  const what = state === 'searching' ? 'estimate' : 'proof';
  if (stopped !== null) return conflict(rewrite, stopped, 'Or add another candidate.');
  if (repeated === null)
    return conflict(rewrite, `Its ${what} is being started.`, 'Wait until it has started.');
  const name = repeated.name.replace(/^./u, (letter) => letter.toLowerCase());
  return conflict(
    rewrite,
    `Its ${what} is under way in ${name}.`,
    `Wait for ${name} to end, or cancel it.`,
  );
}
