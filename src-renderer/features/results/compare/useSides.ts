import { useMemo } from 'react';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { Listed } from '../list/listed.ts';
import { useResultLists, useTaskList } from '../list/useLists.ts';
import { nameModels } from '../modelNames.ts';

interface SideChoice {
  value: string;
  label: string;
}

/** A result that another one is compared with. */
interface SideResult {
  id: string;
  number: number;
  models: readonly ModelSettings[];
  hasEnded: boolean;
  /** Runs that have ended, and all of them. */
  done: number;
  total: number;
}

const pollMs = 700;
const maxListed = 500;

/**
 * Every other result of the unit, also by another model of the same one, with the estimates of the same base, and each model of those with
 * several, as choices. Refreshes while one of them is running.
 */
export function useSides({ unit, evaluation }: Listed) {
  const { id, settings } = evaluation;
  const { data, error } = useResultLists(maxListed, pollMs);
  const estimates = useTaskList(maxListed, settings.whatIf?.baseId ?? id).data;
  return useMemo(() => {
    const tasks = [...(data?.tasks ?? []), ...(estimates ?? [])];
    const all =
      unit === 'case'
        ? (data?.cases ?? []).map((one) => ({ side: ofCases(one), choices: choicesOf(one) }))
        : tasks.map((one) => ({ side: ofTasks(one), choices: choicesOfTasks(one) }));
    // The models of one result are compared with each other too.
    const others = all.filter(({ side }) => side.id !== id || side.models.length > 1);
    return {
      choices: others.flatMap(({ choices }) => choices),
      results: others.map(({ side }) => side),
      isLoaded: data !== undefined,
      error,
    };
  }, [unit, id, data, estimates, error]);
}

function ofCases({ id, number, models, state, counts }: Evaluation): SideResult {
  const { open, total } = counts;
  return { id, number, models, hasEnded: hasEnded(state), done: total - open, total };
}

function ofTasks({ id, number, models, state, outcomes }: TaskEvaluation): SideResult {
  const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const done = total - outcomes.not_run;
  return { id, number, models, hasEnded: hasEnded(state), done, total };
}

function choicesOf(one: Evaluation): SideChoice[] {
  const kind =
    one.settings.whatIf === null
      ? ''
      : one.settings.whatIf.positions === null
        ? ', estimate'
        : ', one case again';
  return modelChoices(one, `#${one.number} ${one.suiteName}${kind}`);
}

const choicesOfTasks = (one: TaskEvaluation): SideChoice[] =>
  modelChoices(
    one,
    `#${one.number} ${one.suiteName}, ${one.settings.mode}${one.settings.whatIf === null ? '' : ', estimate'}`,
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
