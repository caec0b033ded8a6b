import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { loadSide } from '../results/comparedSide.ts';
import type { Target } from './fixBase.ts';
import { requireTool } from './requireTool.ts';

export interface OpenTarget {
  evaluation: EvaluationRow;
  model: ModelSettings;
  tool: SnapshotTool;
  /** All tools of the evaluation. */
  tools: SnapshotTool[];
}

/** Loads the evaluation, model and tool. Throws CONFLICT while the evaluation runs. */
export function openTarget(
  store: Store,
  { evaluationId, modelSettingsId, toolId }: Target,
): OpenTarget {
  const { evaluation, model } = loadSide(store, { id: evaluationId, modelSettingsId });
  if (!hasEnded(evaluation.state))
    throw new ServiceError('CONFLICT', {
      thing: `Evaluation #${evaluation.number}`,
      cause: 'It is still running.',
      nextStep: 'Wait until it ends.',
    });
  const tools =
    (evaluation.snapshotId === null ? null : store.toolSnapshots.get(evaluation.snapshotId))
      ?.tools ?? [];
  const tool = requireTool(tools, toolId, `Evaluation #${evaluation.number}`);
  return { evaluation, model, tool, tools };
}
