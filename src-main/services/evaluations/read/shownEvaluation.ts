import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';

/**
 * An evaluation as callers see it. `blockedReason` says why it can't go on, where the database
 * could not be told.
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
    ...shown
  } = row;
  return {
    ...shown,
    // A full disk can't be told to write down that it is full.
    ...(blockedReason === null ? {} : { state: 'interrupted' as const, reason: blockedReason }),
    models: modelSettingsIds
      .map((settingsId) => store.modelSettings.get(settingsId))
      .filter((model) => model !== null),
    counts: store.evaluations.counts(row.id),
  };
}
