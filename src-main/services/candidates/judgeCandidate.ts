import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { ProofResult } from '../../../src-shared/domain/candidate.ts';
import { neededCases } from '../../../src-shared/metrics/neededCases.ts';
import { evaluateProof, proofLevel } from '../../../src-shared/metrics/candidateProof.ts';
import type { StoredCandidate } from '../../store/evaluations/candidates.ts';
import type { Store } from '../../store/store.ts';
import { countProof, editedIds } from '../trials/countProof.ts';
import type { Trial } from '../trials/trial.ts';
import type { Trials } from '../trials/trials.ts';

interface JudgeParts {
  store: Store;
  trials: Pick<Trials, 'open'>;
}

/** What a candidate was written for; null if that was deleted. */
function trialOf({ store, trials }: JudgeParts, candidate: StoredCandidate): Trial | null {
  const { baseEvaluationId, modelSettingsId } = candidate;
  return baseEvaluationId !== null && store.evaluations.unitOf(baseEvaluationId) !== null
    ? trials.open({ evaluationId: baseEvaluationId, modelSettingsId })
    : null;
}

/**
 * A candidate with what its ended evaluation says; as it is stored while that has not ended. Reads
 * only, so that a list is the same in a workspace that can't be written to: `settleCandidate` keeps
 * the result where an evaluation ends.
 */
export function judgeCandidate(parts: JudgeParts, candidate: StoredCandidate): StoredCandidate {
  const { state, searchEvaluationId, proofEvaluationId } = candidate;
  if (state !== 'searching' && state !== 'proving') return candidate;
  const repeatedId = state === 'searching' ? searchEvaluationId : proofEvaluationId;
  // It is being planned.
  if (repeatedId === null) return candidate;
  const trial = trialOf(parts, candidate);
  const repeated = trial?.repeated(repeatedId) ?? null;
  if (trial === null || repeated === null)
    return { ...candidate, stopped: 'An evaluation that it is based on was deleted.' };
  if (!hasEnded(repeated.state)) return candidate;
  if (repeated.state !== 'completed' && repeated.state !== 'incomplete')
    return { ...candidate, stopped: `${repeated.name} was stopped. Resume it.` };
  const items = trial
    .half(state === 'searching' ? 'search' : 'proof')
    .filter(({ position }) => repeated.positions.has(position));
  const counted = countProof(
    trial.side,
    trial.repeatedSide(repeatedId),
    items,
    editedIds(candidate.edits),
  );
  const { tools: _tools, passedAfter: _after, ...counts } = counted;
  if (state === 'searching') {
    const { won, lost, cases, notScored, passedBefore } = counts;
    return {
      ...candidate,
      state: 'searched',
      search: { won, lost, cases, notScored, passedBefore },
    };
  }
  const rank = candidate.proofRank ?? 1;
  const { answer, ...verdict } = evaluateProof(counts, rank);
  const proof: ProofResult = {
    ...counts,
    others: [...counts.others],
    ...verdict,
    moreCases: answer === 'cannot_tell' ? moreCases(counts, proofLevel(rank + 1)) : null,
  };
  return { ...candidate, state: answer, proof, decidedAt: repeated.completedAt };
}

/** Keeps what the ended evaluation of a candidate says. Does nothing while it has not ended. */
export function settleCandidate(parts: JudgeParts, candidate: StoredCandidate): StoredCandidate {
  const { store } = parts;
  const { id, state: before, searchEvaluationId } = candidate;
  const judged = judgeCandidate(parts, candidate);
  const { state, search, proof } = judged;
  if (state === before) return judged;
  if (before === 'searching' && searchEvaluationId !== null && search !== null)
    store.candidates.endSearch(id, searchEvaluationId, search);
  else if (
    proof !== null &&
    (state === 'accepted' || state === 'rejected' || state === 'cannot_tell')
  )
    store.candidates.decide(id, state, proof);
  return store.candidates.get(id) ?? judged;
}

/**
 * Further cases needed in the whole suite, of which half fall into the proof half, for the next
 * candidate with the same effect.
 */
function moreCases(
  { won, lost, cases }: { won: number; lost: number; cases: number },
  level: number,
): number {
  const needed = neededCases(
    (won - lost) / Math.max(1, cases),
    (won + lost) / Math.max(1, cases),
    level,
  );
  return needed === null ? 0 : 2 * Math.max(1, needed - cases);
}
