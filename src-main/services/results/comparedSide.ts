import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ComparedSide, ComparisonSide } from '../../../src-shared/domain/comparison.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { ExecutionMode } from '../../../src-shared/domain/task.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';
import { caseConditions, type Conditions } from '../runs/conditions.ts';

/** What decides whether two sides can be compared, and what else may explain a difference. */
export interface ComparedTerms {
  unit: EvaluationUnit;
  /** What the runs of tasks may execute; null for cases. */
  mode: ExecutionMode | null;
  /** The model that plays simulated users; null: none. */
  user: string | null;
  /** Null: all models together. */
  model: AskedModel | null;
  conditions: Conditions;
}

/** One side of a comparison with its data. */
export interface LoadedSide extends ComparedTerms {
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
  const model = distinct.includes(chosen) ? store.modelSettings.of(evaluation, chosen) : null;
  if (!model)
    throw new ServiceError('NOT_FOUND', {
      thing: `Evaluation #${evaluation.number}`,
      cause: 'It has no such model.',
      nextStep: 'Choose one of its models.',
    });
  const base =
    evaluation.settings.whatIf === null
      ? null
      : store.evaluations.get('case', evaluation.settings.whatIf.baseId);
  return {
    evaluation,
    unit: 'case',
    mode: null,
    user: null,
    model,
    conditions: caseConditions(evaluation.settings, evaluation.suite, model),
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

export interface AskedModel {
  provider: string;
  model: string;
}

/** A replay counts as the model that was recorded, whatever its provider. */
export function modelsDiffer(a: AskedModel, b: AskedModel): boolean {
  if (a.model !== b.model) return true;
  return a.provider !== b.provider && a.provider !== 'replay' && b.provider !== 'replay';
}
