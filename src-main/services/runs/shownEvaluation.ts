import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import type { EvaluationRow, TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';

/** An evaluation of cases or of tasks as it is stored, for callers. */
export function shownEvaluation(store: Store, unit: 'case', row: EvaluationRow): Evaluation;
export function shownEvaluation(store: Store, unit: 'task', row: TaskEvaluationRow): TaskEvaluation;
export function shownEvaluation(
  { modelSettings, outcomes }: Store,
  unit: EvaluationUnit,
  row: EvaluationRow | TaskEvaluationRow,
) {
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
      .map((id) => modelSettings.of(row, id))
      .filter((model) => model !== null),
    ...(unit === 'case' ? outcomes.classes(row.id) : { outcomes: outcomes.ofTasks(row.id) }),
  };
}
