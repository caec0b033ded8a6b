import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { PreviousChange } from '../../../src-shared/domain/verdict.ts';
import { previousResults, type ResultOfSuite } from '../../../src-shared/metrics/previousResult.ts';
import type { EvaluationRow, TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { compareStored } from './storedSides.ts';

type Row = EvaluationRow | TaskEvaluationRow;

/** How many earlier evaluations are looked at. */
const maxEarlier = 50;

const ofSuite = (store: Store, row: Row): ResultOfSuite & { row: Row } => ({
  row,
  number: row.number,
  suite: { id: row.suiteId, name: row.suiteName },
  hasEnded: hasEnded(row.state),
  isDerived: row.origin !== null,
  mode: 'mode' in row.settings ? row.settings.mode : null,
  models: row.modelSettingsIds.flatMap((id) => {
    const settings = store.modelSettings.get(id);
    return settings === null ? [] : [{ id, label: modelLabel(settings) }];
  }),
});

/**
 * A result and those that may be the previous one: of an estimate the result that it repeats with
 * changed tools, of all others the earlier ones of its suite.
 */
function sides(store: Store, unit: EvaluationUnit, evaluation: Row) {
  const result = ofSuite(store, evaluation);
  const { origin } = evaluation;
  if (origin?.kind !== 'what_if')
    return { result, earlier: listed(store, unit, evaluation.suiteId) };
  const row =
    origin.evaluationId === null ? null : store.evaluations.get(unit, origin.evaluationId);
  return {
    result: { ...result, isDerived: false },
    earlier: row === null ? [] : [{ ...ofSuite(store, row), isDerived: false }],
  };
}

/** Models are read one by one: most often the first result is the previous one. */
function* listed(store: Store, unit: EvaluationUnit, suiteId: string | null) {
  for (const row of store.evaluations.list(suiteId, maxEarlier, unit)) yield ofSuite(store, row);
}

/**
 * How one model of an evaluation of cases or tasks differs from its previous result
 * (`previousResults`), and an estimate from the result that it repeats. The numbers are those of `compare` over what both share; a result that shares
 * nothing is passed over. Models are never pooled: with several, one is chosen. Null if there is no
 * such result, or nothing can be compared.
 */
export function compareWithPrevious(
  store: Store,
  unit: EvaluationUnit,
  evaluation: Row,
  modelSettingsId: string | null,
): PreviousChange | null {
  const own = [...new Set(evaluation.modelSettingsIds)];
  const id = modelSettingsId ?? (own.length === 1 ? (own[0] ?? null) : null);
  const model = id === null ? null : store.modelSettings.get(id);
  if (model === null) return null;
  const { result, earlier } = sides(store, unit, evaluation);
  for (const {
    result: { row },
    modelId,
  } of previousResults(result, model.id, earlier)) {
    const change = readChange(store, [row, modelId], [evaluation, model.id]);
    if (change === undefined) continue;
    const isAmbiguous = own.length > 1 || new Set(row.modelSettingsIds).size > 1;
    return change && { ...change, model: isAmbiguous ? modelLabel(model) : null };
  }
  return null;
}

/** Null if the two can't be compared; undefined if nothing was scored on both sides. */
function readChange(
  store: Store,
  [before, beforeModel]: [Row, string],
  [after, afterModel]: [Row, string],
): Omit<PreviousChange, 'model'> | null | undefined {
  try {
    const {
      candidates: [one],
    } = compareStored(store, {
      baseline: { id: before.id, modelSettingsId: beforeModel },
      candidates: [{ id: after.id, modelSettingsId: afterModel }],
      passedWhen: null,
    });
    if (!one || one.difference === null) return undefined;
    return {
      evaluationId: before.id,
      number: before.number,
      sharedCases: one.sharedCases,
      fixed: one.fixed.length,
      broken: one.regressed.length,
      passedDifference: one.fixed.length - one.regressed.length,
      withinNoise: one.answer === 'cannot tell',
    };
  } catch (error) {
    // Evaluations that share nothing, or that differ in model and tools, have nothing to compare.
    if (error instanceof ServiceError && error.code === 'INVALID') return null;
    throw error;
  }
}
