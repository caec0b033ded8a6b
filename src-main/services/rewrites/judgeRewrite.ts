import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { ProofResult, Rewrite } from '../../../src-shared/domain/rewrite.ts';
import { neededCases } from '../../../src-shared/metrics/neededCases.ts';
import { evaluateProof, proofLevel } from '../../../src-shared/metrics/rewriteProof.ts';
import type { Store } from '../../store/store.ts';
import { casesOfHalf, readCaseSide } from '../trials/caseScores.ts';
import { countProof, editedIds, type CountedProof } from '../trials/countProof.ts';
import { readTaskSide, tasksOfHalf } from '../trials/taskScores.ts';
import type { HalfItem } from '../trials/trial.ts';

/**
 * A candidate with what its ended evaluation says; as it is stored while that has not ended. Reads
 * only, so that a list is the same in a workspace that can't be written to: `settleRewrite` keeps
 * the result where an evaluation ends.
 */
export function judgeRewrite(store: Store, rewrite: Rewrite): Rewrite {
  const { state, unit, searchEvaluationId, proofEvaluationId } = rewrite;
  if (state !== 'searching' && state !== 'proving') return rewrite;
  const evaluations = unit === 'task' ? store.taskEvaluations : store.evaluations;
  const repeatedId = state === 'searching' ? searchEvaluationId : proofEvaluationId;
  // It is being planned.
  if (repeatedId === null) return rewrite;
  const repeated = evaluations.get(repeatedId);
  if (!repeated || !evaluations.get(rewrite.baseEvaluationId))
    return { ...rewrite, stopped: 'An evaluation that it is based on was deleted.' };
  if (!hasEnded(repeated.state)) return rewrite;
  if (repeated.state !== 'completed' && repeated.state !== 'incomplete') {
    const name = unit === 'task' ? 'Task evaluation' : 'Evaluation';
    return { ...rewrite, stopped: `${name} #${repeated.number} was stopped. Resume it.` };
  }
  const { tools: _tools, passedAfter: _after, ...counts } = countsOf(store, rewrite, repeatedId);
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
export function settleRewrite(store: Store, rewrite: Rewrite): Rewrite {
  const { id, state: before, searchEvaluationId } = rewrite;
  const judged = judgeRewrite(store, rewrite);
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

/** Fixed and broken cases or tasks of a repetition that has ended, and the calls of other tools. */
function countsOf(store: Store, rewrite: Rewrite, repeatedId: string): CountedProof {
  const { unit, baseEvaluationId, modelSettingsId, edits } = rewrite;
  const half = rewrite.state === 'searching' ? 'search' : 'proof';
  const edited = editedIds(edits);
  if (unit === 'task') {
    const base = store.taskEvaluations.get(baseEvaluationId);
    const repeated = store.taskEvaluations.get(repeatedId);
    if (!base || !repeated) throw deletedMeanwhile();
    const all = tasksOfHalf(store, base, modelSettingsId, half);
    const items = repeatedItems(all, repeated.settings);
    const [model = ''] = repeated.modelSettingsIds;
    return countProof(
      readTaskSide(store, base, modelSettingsId, items),
      readTaskSide(store, repeated, model, items),
      edited,
    );
  }
  const base = store.evaluations.get(baseEvaluationId);
  const repeated = store.evaluations.get(repeatedId);
  if (!base || !repeated) throw deletedMeanwhile();
  const items = repeatedItems(casesOfHalf(store, base.id, half), repeated.settings);
  const [model = ''] = repeated.modelSettingsIds;
  return countProof(
    readCaseSide(store, base, modelSettingsId, items, 'own'),
    readCaseSide(store, repeated, model, items, 'repeated'),
    edited,
  );
}

const deletedMeanwhile = (): Error => new Error('An evaluation was deleted meanwhile.');

/** The items of a half that a repetition ran. */
export function repeatedItems(
  all: readonly HalfItem[],
  { whatIf }: { whatIf: { positions: readonly number[] | null } | null },
): HalfItem[] {
  const ran = new Set(whatIf?.positions ?? []);
  return all.filter(({ position }) => ran.has(position));
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
