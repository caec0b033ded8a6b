import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { ProofResult, Rewrite } from '../../../src-shared/domain/rewrite.ts';
import { neededCases } from '../../../src-shared/metrics/neededCases.ts';
import { evaluateProof, proofLevel } from '../../../src-shared/metrics/rewriteProof.ts';
import type { Store } from '../../store/store.ts';
import { pairHalf } from './pairHalf.ts';

/**
 * Judges a candidate whose evaluation has ended. Called whenever one is read, so that nothing is
 * lost if the program ended in the meantime.
 */
export function settleRewrite(store: Store, rewrite: Rewrite): Rewrite {
  if (rewrite.state !== 'searching' && rewrite.state !== 'proving') return rewrite;
  const repeated = store.evaluations.get(
    (rewrite.state === 'searching' ? rewrite.searchEvaluationId : rewrite.proofEvaluationId) ?? '',
  );
  const base = store.evaluations.get(rewrite.baseEvaluationId);
  if (!repeated || !base)
    return { ...rewrite, stopped: 'An evaluation that it is based on was deleted.' };
  if (!hasEnded(repeated.state)) return rewrite;
  if (repeated.state !== 'completed' && repeated.state !== 'incomplete')
    return { ...rewrite, stopped: `Evaluation #${repeated.number} was stopped. Resume it.` };
  const counts = pairHalf(
    store,
    base,
    repeated,
    { base: rewrite.modelSettingsId, repeated: repeated.modelSettingsIds[0] ?? '' },
    rewrite.toolId,
  );
  if (rewrite.state === 'searching') {
    const { won, lost, cases, notScored, passedBefore } = counts;
    store.rewrites.endSearch(rewrite.id, { won, lost, cases, notScored, passedBefore });
  } else {
    const rank = rewrite.proofRank ?? 1;
    const { answer, ...verdict } = evaluateProof(counts, rank);
    const result: ProofResult = {
      ...counts,
      others: [...counts.others],
      ...verdict,
      moreCases: answer === 'cannot_tell' ? moreCases(counts, proofLevel(rank + 1)) : null,
    };
    store.rewrites.decide(rewrite.id, answer, result);
  }
  return store.rewrites.get(rewrite.id) ?? rewrite;
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
