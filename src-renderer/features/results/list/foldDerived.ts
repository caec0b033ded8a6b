import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';

export interface EvaluationGroup {
  evaluation: Evaluation;
  /** What was derived from it, also by several steps; the newest first. */
  derived: Evaluation[];
}

/**
 * Puts derived evaluations below what they were started from. One whose base is not in the list
 * leads a group of its own.
 */
export function foldDerived(evaluations: readonly Evaluation[]): EvaluationGroup[] {
  const byId = new Map(evaluations.map((one) => [one.id, one]));
  const groups = new Map<string, EvaluationGroup>();
  const leaderOf = (one: Evaluation): Evaluation => {
    const base = byId.get(one.origin?.evaluationId ?? '');
    return base === undefined ? one : leaderOf(base);
  };
  for (const one of evaluations) {
    const leader = leaderOf(one);
    const group = groups.get(leader.id) ?? { evaluation: leader, derived: [] };
    groups.set(leader.id, group);
    if (leader !== one) group.derived.push(one);
  }
  return [...groups.values()].sort((a, b) => b.evaluation.number - a.evaluation.number);
}
