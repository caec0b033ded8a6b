import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { ProofResult, Rewrite } from '../../../src-shared/domain/rewrite.ts';
import { neededCases } from '../../../src-shared/metrics/neededCases.ts';
import {
  evaluateProof,
  proofLevel,
  type ProofCounts,
} from '../../../src-shared/metrics/rewriteProof.ts';
import type { Store } from '../../store/store.ts';
import { countProof } from '../optimizations/countProof.ts';
import type { Trials } from '../trials/trials.ts';
import { pairHalf } from './pairHalf.ts';
import { repeatedItems } from './taskBase.ts';

interface SettleParts {
  store: Store;
  trials: Pick<Trials, 'open'>;
}

type Counts = ProofCounts & { notScored: number; passedBefore: number };

/**
 * Judges a candidate whose evaluation has ended. Called whenever one is read, so that nothing is
 * lost if the program ended in the meantime.
 */
export function settleRewrite(parts: SettleParts, rewrite: Rewrite): Rewrite {
  if (rewrite.state !== 'searching' && rewrite.state !== 'proving') return rewrite;
  const { store } = parts;
  const evaluations = rewrite.unit === 'task' ? store.taskEvaluations : store.evaluations;
  const repeated = evaluations.get(
    (rewrite.state === 'searching' ? rewrite.searchEvaluationId : rewrite.proofEvaluationId) ?? '',
  );
  if (!repeated || !evaluations.get(rewrite.baseEvaluationId))
    return { ...rewrite, stopped: 'An evaluation that it is based on was deleted.' };
  if (!hasEnded(repeated.state)) return rewrite;
  if (repeated.state !== 'completed' && repeated.state !== 'incomplete') {
    const name = rewrite.unit === 'task' ? 'Task evaluation' : 'Evaluation';
    return { ...rewrite, stopped: `${name} #${repeated.number} was stopped. Resume it.` };
  }
  const counts = countsOf(parts, rewrite, repeated.id);
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

/** Fixed and broken cases or tasks of a repetition that has ended. */
function countsOf({ store, trials }: SettleParts, rewrite: Rewrite, repeatedId: string): Counts {
  const { baseEvaluationId: evaluationId, modelSettingsId, toolId, edits, state } = rewrite;
  if (rewrite.unit === 'task') {
    const trial = trials.open({ evaluationId, modelSettingsId });
    const half = state === 'searching' ? 'search' : 'proof';
    const items = repeatedItems(store, trial, repeatedId, half);
    const after = trial.repeatedScores(repeatedId, items);
    const {
      tools: _tools,
      passedAfter: _after,
      ...counts
    } = countProof(items, trial.scores(items), after, new Set(edits.map((edit) => edit.toolId)));
    return counts;
  }
  const base = store.evaluations.get(evaluationId);
  const repeated = store.evaluations.get(repeatedId);
  if (!base || !repeated) throw new Error('An evaluation was deleted meanwhile.');
  const models = { base: modelSettingsId, repeated: repeated.modelSettingsIds[0] ?? '' };
  return pairHalf(store, base, repeated, models, toolId);
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
