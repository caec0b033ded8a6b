import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';

/**
 * An evaluation as callers see it. `blockedReason` says why it stopped when a full disk prevented
 * storing that.
 */
export function shownEvaluation(
  store: Store,
  row: EvaluationRow,
  blockedReason: string | null,
): Evaluation {
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
    // The database still says "running", because a full disk prevented the update.
    ...(blockedReason === null ? {} : { state: 'interrupted' as const, reason: blockedReason }),
    models: modelSettingsIds
      .map((settingsId) => store.modelSettings.of(row, settingsId))
      .filter((model) => model !== null),
    ...store.outcomes.classes(row.id),
  };
}
