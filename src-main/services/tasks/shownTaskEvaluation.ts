import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import { findRow, taskTables } from '../runs/runTables.ts';

/** An evaluation of tasks as it is stored, for callers. */
export function shownTaskEvaluation(store: Store, row: TaskEvaluationRow): TaskEvaluation {
  const {
    suite: _suite,
    plannedRuns: _planned,
    owner: _owner,
    scorer: _scorer,
    modelSettingsIds,
    refused: _refused,
    ...shown
  } = row;
  return {
    ...shown,
    models: modelSettingsIds
      .map((id) => store.modelSettings.of(row, id))
      .filter((model) => model !== null),
    outcomes: store.outcomes.ofTasks(row.id),
  };
}

/** Finds an evaluation of tasks by id or by number (3, #3). Throws NOT_FOUND. */
export const findTaskEvaluation = (store: Store, id: string): TaskEvaluationRow =>
  findRow(taskTables(store), id);
