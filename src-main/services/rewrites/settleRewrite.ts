import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { ProofResult, Rewrite } from '../../../src-shared/domain/rewrite.ts';
import { neededCases } from '../../../src-shared/metrics/neededCases.ts';
import { evaluateProof } from '../../../src-shared/metrics/rewriteProof.ts';
import type { Store } from '../../store/store.ts';
import { pairHalf } from './pairHalf.ts';

/**
 * Judges a candidate whose runs have ended. Called whenever one is read, so that nothing is lost
 * where the program ended in the meantime.
 */
export function settleRewrite(store: Store, one: Rewrite): Rewrite {
  if (one.state !== 'searching' && one.state !== 'proving') return one;
  const repeated = store.evaluations.get(
    (one.state === 'searching' ? one.searchEvaluationId : one.proofEvaluationId) ?? '',
  );
  const base = store.evaluations.get(one.baseEvaluationId);
  if (!repeated || !base) return { ...one, stopped: 'An evaluation that it rests on was deleted.' };
  if (!hasEnded(repeated.state)) return one;
  if (repeated.state !== 'completed' && repeated.state !== 'incomplete')
    return { ...one, stopped: `Evaluation #${repeated.number} was stopped. Resume it.` };
  const counts = pairHalf(
    store,
    base,
    repeated,
    { base: one.modelSettingsId, repeated: repeated.modelSettingsIds[0] ?? '' },
    one.toolId,
  );
  if (one.state === 'searching') {
    const { won, lost, cases, notScored } = counts;
    store.rewrites.endSearch(one.id, { won, lost, cases, notScored });
  } else {
    const { answer, ...verdict } = evaluateProof(
      counts,
      provedValues(store, base.id, one.modelSettingsId),
    );
    const result: ProofResult = {
      ...counts,
      others: [...counts.others],
      ...verdict,
      moreCases: answer === 'cannot_tell' ? moreCases(counts) : null,
    };
    store.rewrites.decide(one.id, answer, result);
  }
  return store.rewrites.get(one.id) ?? one;
}

/** p-values of the candidates proved on the same cases. */
export function provedValues(
  store: Store,
  evaluationId: string,
  modelSettingsId: string,
): number[] {
  return store.rewrites
    .list(evaluationId)
    .flatMap((one) =>
      one.modelSettingsId === modelSettingsId && one.proof ? [one.proof.pValue] : [],
    );
}

/** In the whole suite: one case of two is of the proof half. */
function moreCases({ won, lost, cases }: { won: number; lost: number; cases: number }): number {
  const needed = neededCases((won - lost) / Math.max(1, cases), (won + lost) / Math.max(1, cases));
  return needed === null ? 0 : 2 * Math.max(1, needed - cases);
}
