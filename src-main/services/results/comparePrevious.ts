import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { PreviousChange } from '../../../src-shared/domain/verdict.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationReader } from './read/evaluationReader.ts';

export interface PreviousParts {
  store: Store;
  reader: EvaluationReader;
}

/** How many earlier evaluations are looked at. */
const maxEarlier = 50;

/** Whether a stored evaluation is of the same suite; one of a file goes by its name. */
export const isOfSuite = (
  row: Pick<EvaluationRow, 'suiteId' | 'suiteName'>,
  suite: { id: string | null; name: string },
): boolean =>
  suite.id === null
    ? row.suiteId === null && row.suiteName === suite.name
    : row.suiteId === suite.id || (row.suiteId === null && row.suiteName === suite.name);

/**
 * How one model of an evaluation differs from the previous result of the same suite and model: the
 * latest ended evaluation before it that a person started for its own sake. The numbers are those of
 * `compare` over the cases that both share. Models are never pooled: with several, one is chosen.
 * Null if there is no such result, or nothing can be compared.
 */
export async function compareWithPrevious(
  { store, reader }: PreviousParts,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
): Promise<PreviousChange | null> {
  const own = new Set(evaluation.modelSettingsIds);
  const id = modelSettingsId ?? (own.size === 1 ? ([...own][0] ?? null) : null);
  const model = id === null ? null : store.modelSettings.get(id);
  if (model === null || evaluation.origin !== null || !hasEnded(evaluation.state)) return null;
  const label = modelLabel(model);
  const suite = { id: evaluation.suiteId, name: evaluation.suiteName };
  for (const row of store.evaluations.list(evaluation.suiteId, maxEarlier)) {
    if (row.number >= evaluation.number || row.origin !== null || !hasEnded(row.state)) continue;
    if (!isOfSuite(row, suite)) continue;
    const named = [...new Set(row.modelSettingsIds)].filter((each) => {
      const settings = store.modelSettings.get(each);
      return settings !== null && modelLabel(settings) === label;
    });
    // One model with two settings has one label: equal settings go before the label.
    const others = named.filter((each) => !own.has(each));
    const before = named.includes(model.id)
      ? model.id
      : others.length === 1
        ? others[0]
        : undefined;
    if (before === undefined) continue;
    const change = await readChange(reader, [row, before], [evaluation, model.id]);
    if (change === undefined) continue;
    const isAmbiguous = own.size > 1 || new Set(row.modelSettingsIds).size > 1;
    return change && { ...change, model: isAmbiguous ? label : null };
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
