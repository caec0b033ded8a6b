import { useMemo } from 'react';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { nameModels } from '../modelNames.ts';
import { useCaseList, useTaskList } from '../list/useLists.ts';

interface SideChoice {
  value: string;
  label: string;
}
/** Choices under the heading of their kind. */
interface SideGroup {
  group: string;
  items: SideChoice[];
}

/** An evaluation of cases or tasks, as far as its choice is concerned. */
interface SideEvaluation {
  id: string;
  unit: EvaluationUnit;
  number: number;
  hasEnded: boolean;
  /** Runs that have ended, and all of them. */
  done: number;
  total: number;
}

const pollMs = 700;
const maxListed = 500;

/**
 * Every evaluation with the what-ifs of the baseline, and each model of those with several, as
 * choices by kind. Refreshes while one of them is running.
 */
export function useSides(baseId: string | null) {
  const list = useCaseList(maxListed, pollMs);
  const tasks = useTaskList(maxListed);
  const whatIfs = useTaskList(maxListed, baseId);
  return useMemo(() => {
    const cases = list.data ?? [];
    const derived = baseId === null ? [] : (whatIfs.data ?? []);
    const own = [...(tasks.data ?? []), ...derived];
    const groups: Record<EvaluationUnit, SideGroup> = {
      case: { group: 'Cases', items: cases.flatMap(choicesOf) },
      task: { group: 'Tasks', items: own.flatMap(choicesOfTasks) },
    };
    return {
      groups,
      /** As they are listed, for what only those of cases have. */
      ofCases: cases,
      evaluations: [...cases.map(ofCases), ...own.map(ofTasks)],
      error: list.error ?? tasks.error,
    };
  }, [list.data, list.error, tasks.data, tasks.error, whatIfs.data, baseId]);
}

function ofCases({ id, number, state, counts }: Evaluation): SideEvaluation {
  const { open, total } = counts;
  return { id, unit: 'case', number, hasEnded: hasEnded(state), done: total - open, total };
}

function ofTasks({ id, number, state, outcomes }: TaskEvaluation): SideEvaluation {
  const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const done = total - outcomes.not_run;
  return { id, unit: 'task', number, hasEnded: hasEnded(state), done, total };
}

function choicesOf(one: Evaluation): SideChoice[] {
  const kind =
    one.settings.whatIf === null
      ? ''
      : one.settings.whatIf.positions === null
        ? ', what-if'
        : ', one case again';
  return modelChoices(one, `#${one.number} ${one.suiteName}${kind}`);
}

const choicesOfTasks = (one: TaskEvaluation): SideChoice[] =>
  modelChoices(
    one,
    `#${one.number} ${one.suiteName}, ${one.settings.mode}${one.settings.whatIf === null ? '' : ', what-if'}`,
  );

function modelChoices(
  { id, models }: Pick<Evaluation, 'id' | 'models'>,
  head: string,
): SideChoice[] {
  const names = nameModels(models);
  if (models.length === 1)
    return [{ value: id, label: `${head} · ${[...names.values()].join('')}` }];
  return models.map((model) => ({
    value: `${id}/${model.id}`,
    label: `${head} · ${names.get(model.id) ?? ''}`,
  }));
}
