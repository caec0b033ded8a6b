import {
  isResumable,
  rateText,
  resultText,
} from '../../../../src-shared/display/evaluationTexts.ts';
import {
  isStoppedEarly,
  taskRateText,
  taskResultText,
} from '../../../../src-shared/display/taskTexts.ts';
import type { ListedResult } from '../../../../src-shared/contract/results.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { evaluationLink } from '../links.ts';

/** A result of either unit. */
export type Listed = ListedResult;

/** An evaluation with what was derived from it. Nothing is derived from one of tasks. */
export interface ListedGroup {
  lead: Listed;
  derived: Evaluation[];
}

/** Both kinds in one list, the newest first; derived evaluations below what they started from. */
export function listedGroups(
  evaluations: readonly Evaluation[],
  tasks: readonly TaskEvaluation[],
): ListedGroup[] {
  const groups: ListedGroup[] = [
    ...foldDerived(evaluations).map(({ evaluation, derived }): ListedGroup => ({
      lead: { unit: 'case', evaluation },
      derived,
    })),
    ...tasks.map((evaluation): ListedGroup => ({
      lead: { unit: 'task', evaluation },
      derived: [],
    })),
  ];
  const at = ({ lead }: ListedGroup): number => Date.parse(lead.evaluation.createdAt) || 0;
  return groups.sort((a, b) => at(b) - at(a));
}

/** What a list shows of an evaluation, whatever its kind. */
export function listedFacts(one: Listed): {
  to: string;
  models: string;
  result: string;
  rate: string;
  passed: number;
  resumable: boolean;
} {
  const models = one.evaluation.models.map(modelLabel).join(', ');
  const to = evaluationLink(one.evaluation.id);
  if (one.unit === 'case')
    return {
      to,
      models,
      result: resultText(one.evaluation),
      rate: rateText(one.evaluation),
      passed: one.evaluation.outcomes.passed,
      resumable: isResumable(one.evaluation),
    };
  return {
    to,
    models,
    result: taskResultText(one.evaluation),
    rate: taskRateText(one.evaluation),
    passed: one.evaluation.outcomes.succeeded,
    resumable: isStoppedEarly(one.evaluation),
  };
}

interface EvaluationGroup {
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
