import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { PreviousChange } from '../../../src-shared/domain/verdict.ts';
import { previousResults, type ResultOfSuite } from '../../../src-shared/metrics/previousResult.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationReader } from './read/evaluationReader.ts';

export interface PreviousParts {
  store: Store;
  reader: EvaluationReader;
}

/** How many earlier evaluations are looked at. */
const maxEarlier = 50;

function ofSuite(store: Store, row: EvaluationRow): ResultOfSuite & { row: EvaluationRow } {
  return {
    row,
    number: row.number,
    suite: { id: row.suiteId, name: row.suiteName },
    hasEnded: hasEnded(row.state),
    isDerived: row.origin !== null,
    mode: null,
    models: row.modelSettingsIds.flatMap((id) => {
      const settings = store.modelSettings.get(id);
      return settings === null ? [] : [{ id, label: modelLabel(settings) }];
    }),
  };
}

/** Read one by one: most often the first is the previous one. */
function* listed(store: Store, suiteId: string | null) {
  for (const row of store.evaluations.list(suiteId, maxEarlier)) yield ofSuite(store, row);
}

/**
 * How one model of an evaluation differs from its previous result (`previousResults`). The numbers
 * are those of `compare` over the cases that both share; a result that shares none is passed over.
 * Models are never pooled: with several, one is chosen. Null if there is no such result, or nothing
 * can be compared.
 */
export async function compareWithPrevious(
  { store, reader }: PreviousParts,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
): Promise<PreviousChange | null> {
  const own = [...new Set(evaluation.modelSettingsIds)];
  const id = modelSettingsId ?? (own.length === 1 ? (own[0] ?? null) : null);
  const model = id === null ? null : store.modelSettings.get(id);
  if (model === null) return null;
  const result = ofSuite(store, evaluation);
  const earlier = listed(store, evaluation.suiteId);
  for (const {
    result: { row },
    modelId,
  } of previousResults(result, model.id, earlier)) {
    const change = await readChange(reader, [row, modelId], [evaluation, model.id]);
    if (change === undefined) continue;
    const isAmbiguous = own.length > 1 || new Set(row.modelSettingsIds).size > 1;
    return change && { ...change, model: isAmbiguous ? modelLabel(model) : null };
  }
  return null;
}

/** Null if the two can't be compared; undefined if no case was scored on both sides. */
async function readChange(
  reader: EvaluationReader,
  [before, beforeModel]: [EvaluationRow, string],
  [after, afterModel]: [EvaluationRow, string],
): Promise<Omit<PreviousChange, 'model'> | null | undefined> {
  try {
    const { candidates } = await reader.read(
      { plannedRuns: before.plannedRuns + after.plannedRuns },
      {
        kind: 'compare',
        compare: {
          baseline: { id: before.id, modelSettingsId: beforeModel },
          candidates: [{ id: after.id, modelSettingsId: afterModel }],
          passedWhen: 'selection_and_parameters',
        },
      },
    );
    const [one] = candidates;
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
    // Evaluations that share no case, or that differ in model and tools, have nothing to compare.
    if (error instanceof ServiceError && error.code === 'INVALID') return null;
    throw error;
  }
}
