import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';

/**
 * An evaluation of tasks as callers see it. `blockedReason` says why it stopped when a full disk
 * prevented storing that.
 */
export function shownTaskEvaluation(
  store: Store,
  row: TaskEvaluationRow,
  blockedReason: string | null = null,
): TaskEvaluation {
  const {
    suite: _suite,
    plannedRuns: _planned,
    owner: _owner,
    scorer: _scorer,
    origin: _origin,
    modelSettingsIds,
    refused: _refused,
    ...shown
  } = row;
  return {
    ...shown,
    ...(blockedReason === null ? {} : { state: 'interrupted' as const, reason: blockedReason }),
    models: modelSettingsIds
      .map((id) => store.modelSettings.of(row, id))
      .filter((model) => model !== null),
    outcomes: store.outcomes.ofTasks(row.id),
  };
}

/** Finds an evaluation of tasks by id or by number (3, #3). Throws NOT_FOUND. */
export function findTaskEvaluation(store: Store, id: string): TaskEvaluationRow {
  const row =
    store.evaluations.get('task', id) ??
    (/^#?\d+$/.test(id)
      ? store.evaluations.getByNumber('task', Number(id.replace('#', '')))
      : null);
  if (row) return row;
  throw new ServiceError('NOT_FOUND', {
    thing: `Task evaluation ${id}`,
    cause: "It doesn't exist.",
    nextStep: 'Choose one from the list of evaluations.',
  });
}
