import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { ChatModel, OpenChatModel } from '../../../adapters/llm/chatModel.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Prices } from '../../models/prices.ts';

export interface OpenedModel {
  configuration: ModelConfiguration;
  model: ChatModel;
}

/** What an evaluation that goes on has learned about the endpoints of its models. */
export type Learned = Partial<Pick<EvaluationRow, 'modelSettingsIds' | 'refused'>>;

/** Opens all models of an evaluation. When one can't be opened, the others are closed again. */
export async function openModels(
  openChatModel: OpenChatModel,
  settings: EvaluationSettings,
  { modelSettingsIds = [], refused = {} }: Learned = {},
): Promise<OpenedModel[]> {
  const opened: OpenedModel[] = [];
  try {
    for (const [index, configuration] of settings.models.entries()) {
      opened.push({
        configuration,
        model: await openChatModel(configuration, {
          recordFile: settings.recordFile,
          cacheFolder: settings.cacheFolder,
          maxTurns: settings.maxTurns,
          refused: refused[modelSettingsIds[index] ?? ''] ?? [],
        }),
      });
    }
    return opened;
  } catch (error) {
    await closeModels(opened);
    throw error;
  }
}

/** Runs `work` and closes the models if it fails: until then no evaluation owns them. */
export async function closeModelsOnError<Result>(
  models: readonly OpenedModel[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await closeModels(models);
    throw error;
  }
}

async function closeModels(models: readonly OpenedModel[]): Promise<void> {
  await Promise.allSettled(models.map(({ model }) => model.close()));
}

/**
 * Throws INVALID when there is a spend limit but a model has no price, because such a limit can't
 * be enforced.
 */
export function requirePrices({ spendLimitUsd, models }: EvaluationSettings, prices: Prices): void {
  const unpriced = spendLimitUsd === null ? undefined : models.find((model) => !prices.of(model));
  if (!unpriced) return;
  throw new ServiceError('INVALID', {
    thing: `Spend limit of $${spendLimitUsd ?? 0}`,
    cause: `${modelLabel(unpriced)} has no price, so the limit can't be enforced.`,
    nextStep: 'Set its price in Settings, or remove the limit.',
    field: 'spendLimitUsd',
  });
}
