import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ComparedSide, ComparisonSide } from '../../../src-shared/domain/comparison.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';

/** One side of a comparison with its data. */
export interface LoadedSide {
  evaluation: EvaluationRow;
  model: ModelSettings;
  shown: ComparedSide;
}

/**
 * Loads a side. Throws INVALID when it has several models and none is chosen, because their runs
 * can't be mixed in one comparison.
 */
export function loadSide(store: Store, side: ComparisonSide): LoadedSide {
  const evaluation = findEvaluation(store, side.id);
  const distinct = [...new Set(evaluation.modelSettingsIds)];
  const chosen = side.modelSettingsId ?? (distinct.length === 1 ? distinct[0] : undefined);
  if (chosen === undefined) {
    throw new ServiceError('INVALID', {
      thing: `Evaluation #${evaluation.number}`,
      cause:
        `It has ${distinct.length} models, and their runs can't be taken together in a ` +
        'comparison.',
      nextStep:
        `Choose one of them, on the command line by ${evaluation.number}/1 to ` +
        `${evaluation.number}/${distinct.length}.`,
    });
  }
  const model = distinct.includes(chosen) ? store.modelSettings.get(chosen) : null;
  if (!model)
    throw new ServiceError('NOT_FOUND', {
      thing: `Evaluation #${evaluation.number}`,
      cause: 'It has no such model.',
      nextStep: 'Choose one of its models.',
    });
  const base =
    evaluation.settings.whatIf === null
      ? null
      : store.evaluations.get(evaluation.settings.whatIf.baseId);
  return {
    evaluation,
    model,
    shown: {
      unit: 'case',
      evaluationId: evaluation.id,
      number: evaluation.number,
      suiteName: evaluation.suiteName,
      modelSettingsId: model.id,
      model: modelLabel(model),
      snapshotId: evaluation.snapshotId,
      createdAt: evaluation.createdAt,
      whatIfOf: base?.number ?? null,
    },
  };
}

interface AskedModel {
  provider: string;
  model: string;
}

/** A replay counts as the model that was recorded, whatever its provider. */
export function modelsDiffer(a: AskedModel, b: AskedModel): boolean {
  if (a.model !== b.model) return true;
  return a.provider !== b.provider && a.provider !== 'replay' && b.provider !== 'replay';
}

/**
 * Differences in conditions other than model and tools, in words. They may explain a difference in
 * results.
 */
export function otherConditions(before: LoadedSide, after: LoadedSide): string[] {
  const differences: string[] = [];
  const addDifference = (what: string, a: string | number | null, b: string | number | null) => {
    if (a !== b) differences.push(`${what}: ${a ?? 'none'} → ${b ?? 'none'}`);
  };
  if (!modelsDiffer(before.model, after.model)) {
    addDifference('temperature', before.model.temperature, after.model.temperature);
    addDifference('base URL', before.model.baseUrl, after.model.baseUrl);
  }
  addDifference(
    'repetitions',
    before.evaluation.settings.repetitions,
    after.evaluation.settings.repetitions,
  );
  if (before.evaluation.suite.system !== after.evaluation.suite.system)
    differences.push('system prompt');
  if (
    JSON.stringify(before.evaluation.suite.messages) !==
    JSON.stringify(after.evaluation.suite.messages)
  )
    differences.push('earlier messages');
  return differences;
}
