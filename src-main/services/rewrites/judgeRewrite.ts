import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { ProofResult, Rewrite } from '../../../src-shared/domain/rewrite.ts';
import { neededCases } from '../../../src-shared/metrics/neededCases.ts';
import { evaluateProof, proofLevel } from '../../../src-shared/metrics/rewriteProof.ts';
import type { Store } from '../../store/store.ts';
import { countProof, editedIds } from '../trials/countProof.ts';
import type { Trial } from '../trials/trial.ts';
import type { Trials } from '../trials/trials.ts';

interface JudgeParts {
  store: Store;
  trials: Pick<Trials, 'open'>;
}

/** What a candidate was written for; null if that was deleted. */
function trialOf({ store, trials }: JudgeParts, rewrite: Rewrite): Trial | null {
  const { baseEvaluationId, modelSettingsId } = rewrite;
  const base = store.evaluations.unitOf(baseEvaluationId);
  return base !== null ? trials.open({ evaluationId: baseEvaluationId, modelSettingsId }) : null;
}

/**
 * A candidate with what its ended evaluation says; as it is stored while that has not ended. Reads
 * only, so that a list is the same in a workspace that can't be written to: `settleRewrite` keeps
 * the result where an evaluation ends.
 */
export function judgeRewrite(parts: JudgeParts, rewrite: Rewrite): Rewrite {
  const { state, searchEvaluationId, proofEvaluationId } = rewrite;
  if (state !== 'searching' && state !== 'proving') return rewrite;
  const repeatedId = state === 'searching' ? searchEvaluationId : proofEvaluationId;
  // It is being planned.
  if (repeatedId === null) return rewrite;
  const trial = trialOf(parts, rewrite);
  const repeated = trial?.repeated(repeatedId) ?? null;
  if (trial === null || repeated === null)
    return { ...rewrite, stopped: 'An evaluation that it is based on was deleted.' };
  if (!hasEnded(repeated.state)) return rewrite;
  if (repeated.state !== 'completed' && repeated.state !== 'incomplete')
    return { ...rewrite, stopped: `${repeated.name} was stopped. Resume it.` };
  const items = trial
    .half(state === 'searching' ? 'search' : 'proof')
    .filter(({ position }) => repeated.positions.has(position));
  const counted = countProof(
    trial.side,
    trial.repeatedSide(repeatedId),
    items,
    editedIds(rewrite.edits),
  );
  const { tools: _tools, passedAfter: _after, ...counts } = counted;
  if (state === 'searching') {
    const { won, lost, cases, notScored, passedBefore } = counts;
    return {
      ...rewrite,
      state: 'searched',
      search: { won, lost, cases, notScored, passedBefore },
    };
  }
  const rank = rewrite.proofRank ?? 1;
  const { answer, ...verdict } = evaluateProof(counts, rank);
  const proof: ProofResult = {
    ...counts,
    others: [...counts.others],
    ...verdict,
    moreCases: answer === 'cannot_tell' ? moreCases(counts, proofLevel(rank + 1)) : null,
  };
  return { ...rewrite, state: answer, proof, decidedAt: repeated.completedAt };
}

/** Keeps what the ended evaluation of a candidate says. Does nothing while it has not ended. */
export function settleRewrite(parts: JudgeParts, rewrite: Rewrite): Rewrite {
  const { store } = parts;
  const { id, state: before, searchEvaluationId } = rewrite;
  const judged = judgeRewrite(parts, rewrite);
  const { state, search, proof } = judged;
  if (state === before) return judged;
  if (before === 'searching' && searchEvaluationId !== null && search !== null)
    store.rewrites.endSearch(id, searchEvaluationId, search);
  else if (
    proof !== null &&
    (state === 'accepted' || state === 'rejected' || state === 'cannot_tell')
  )
    store.rewrites.decide(id, state, proof);
  return store.rewrites.get(id) ?? judged;
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
