import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import {
  emptyTaskOutcomes,
  type TaskEvaluation,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import type { ToolSource } from '../../../src-shared/domain/toolSource.ts';
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
  const models = modelSettingsIds
    .map((id) => modelSettings.of(row, id))
    .filter((model) => model !== null);
  const { byModel, ...counted } =
    unit === 'case' ? outcomes.classes(row.id) : outcomes.ofTasks(row.id);
  const none = unit === 'case' ? emptyOutcomeCounts() : emptyTaskOutcomes();
  return {
    ...shown,
    toolsFrom: toolSourceOf(unit, row),
    models,
    ...counted,
    ...(models.length > 1 && { byModel: models.map(({ id }) => byModel.get(id) ?? none) }),
  };
}

function toolSourceOf(
  unit: EvaluationUnit,
  { settings, suite }: EvaluationRow | TaskEvaluationRow,
): ToolSource {
  if (settings.whatIf) return 'what_if';
  if (suite.inlineTools) return 'snapshot';
  // A replay of tasks takes its tools from the recording.
  const isReplay =
    unit === 'task' && settings.models.every(({ provider }) => provider === 'replay');
  return isReplay ? 'recording' : 'servers';
}
