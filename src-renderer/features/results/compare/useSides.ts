import { useMemo } from 'react';
import { clientNames } from '../../../../src-shared/display/clientTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { Listed } from '../list/listed.ts';
import { useCaseList, useTaskList } from '../list/useLists.ts';
import { nameModels } from '../modelNames.ts';

interface SideChoice {
  value: string;
  label: string;
}

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
  const isTask = unit === 'task';
  const cases = useCaseList(maxListed, pollMs, !isTask);
  const tasks = useTaskList(maxListed, null, isTask);
  const estimates = useTaskList(maxListed, settings.whatIf?.baseId ?? id, isTask).data;
  const { data, error } = isTask ? tasks : cases;
  return useMemo(() => {
    const all = [...(data ?? []), ...(isTask ? (estimates ?? []) : [])];
    // The models of one result are compared with each other too.
    const others = all.filter((one) => one.id !== id || one.models.length > 1);
    return {
      choices: others.flatMap(choicesOf),
      results: others.map(sideOf),
      isLoaded: data !== undefined,
      error,
    };
  }, [isTask, id, data, estimates, error]);
}

function sideOf({ id, number, models, state, outcomes }: Evaluation | TaskEvaluation): SideResult {
  const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const done = total - outcomes.not_run;
  return { id, number, models, hasEnded: hasEnded(state), done, total };
}

/** What tells results of one suite apart: the mode of tasks, a client, an estimate, one case again. */
function kindOf({ settings }: Evaluation | TaskEvaluation): string {
  const client = settings.client === undefined ? '' : `, as ${clientNames[settings.client]}`;
  const mode = ('mode' in settings ? `, ${settings.mode}` : '') + client;
  if (settings.whatIf === null) return mode;
  const again = 'positions' in settings.whatIf && settings.whatIf.positions !== null;
  return `${mode}${again ? ', one case again' : ', estimate'}`;
}

function choicesOf(one: Evaluation | TaskEvaluation): SideChoice[] {
  const names = nameModels(one.models);
  const head = `#${one.number} ${one.suiteName}${kindOf(one)}`;
  return one.models.map(({ id }) => ({
    value: one.models.length === 1 ? one.id : `${one.id}/${id}`,
    label: `${head} · ${names.get(id) ?? ''}`,
  }));
}
