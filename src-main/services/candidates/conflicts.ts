import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { StoredCandidate } from '../../store/evaluations/candidates.ts';
import type { Trial } from '../trials/trial.ts';

export const conflict = (
  candidate: StoredCandidate,
  cause: string,
  nextStep: string,
): ServiceError =>
  new ServiceError('CONFLICT', {
    thing: `${candidate.name} for ${candidate.toolId}`,
    cause,
    nextStep,
  });

/** Why no step of a candidate can begin now: what is under way, or that its proof is spent. */
export function busy(trial: Trial, candidate: StoredCandidate): ServiceError {
  const { state, searchEvaluationId, proofEvaluationId, stopped } = candidate;
  if (state !== 'searching' && state !== 'proving')
    return conflict(
      candidate,
      'It has its proof already, and each candidate gets one.',
      'Add another candidate.',
    );
  const id = state === 'searching' ? searchEvaluationId : proofEvaluationId;
  const repeated = id === null ? null : trial.repeated(id);
  const what = state === 'searching' ? 'estimate' : 'proof';
  if (stopped !== null) return conflict(candidate, stopped, 'Or add another candidate.');
  if (repeated === null)
    return conflict(candidate, `Its ${what} is being started.`, 'Wait until it has started.');
  const name = repeated.name.replace(/^./u, (letter) => letter.toLowerCase());
  return conflict(
    candidate,
    `Its ${what} is under way in ${name}.`,
    `Wait for ${name} to end, or cancel it.`,
  );
}
