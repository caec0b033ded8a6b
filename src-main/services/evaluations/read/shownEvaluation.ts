import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';

/** An evaluation as it is stored, for callers. */
export function shownEvaluation(store: Store, row: EvaluationRow): Evaluation {
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
      .map((settingsId) => store.modelSettings.of(row, settingsId))
      .filter((model) => model !== null),
    ...store.outcomes.classes(row.id),
  };
}
