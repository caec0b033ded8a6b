import { nextStepHere } from '../../runtime/window.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { ChatModel, OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Prices } from '../models/prices.ts';

export interface OpenedModel {
  configuration: ModelConfiguration;
  model: ChatModel;
}

interface ModelsOfEvaluation {
  models: readonly ModelConfiguration[];
  recordFile: string | null;
  cacheFolder?: string | null;
  maxTurns?: number;
}

/**
 * Opens the models of an evaluation, and those besides them, null for one that is not asked. When one
 * can't be opened, the others are closed again. `learned` is what an evaluation that goes on knows
 * about the endpoints of its models.
 */
export async function openModels(
  openChatModel: OpenChatModel,
  { models, recordFile, cacheFolder = null, maxTurns = 1 }: ModelsOfEvaluation,
  others: readonly (ModelConfiguration | null)[],
  { modelSettingsIds, refused }: Pick<EvaluationRow, 'modelSettingsIds' | 'refused'> = {
    modelSettingsIds: [],
    refused: {},
  },
): Promise<{ models: OpenedModel[]; others: (ChatModel | null)[]; all: ChatModel[] }> {
  const all: ChatModel[] = [];
  const open = async (configuration: ModelConfiguration, settingsId = ''): Promise<ChatModel> => {
    const model = await openChatModel(configuration, {
      recordFile,
      cacheFolder,
      maxTurns,
      refused: refused[settingsId] ?? [],
    });
    all.push(model);
    return model;
  };
  return closeModelsOnError(all, async () => {
    const opened: OpenedModel[] = [];
    for (const [at, configuration] of models.entries())
      opened.push({ configuration, model: await open(configuration, modelSettingsIds[at]) });
    const besides: (ChatModel | null)[] = [];
    for (const configuration of others) besides.push(configuration && (await open(configuration)));
    return { models: opened, others: besides, all };
  });
}

/** Runs `work` and closes the models if it fails: until then no evaluation owns them. */
export async function closeModelsOnError<Result>(
  models: readonly ChatModel[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await Promise.allSettled(models.map((model) => model.close()));
    throw error;
  }
}

/**
 * Throws INVALID when there is a spend limit but a model has no price, because such a limit can't
 * be enforced.
 */
export function requirePrices(
  spendLimitUsd: number | null,
  models: readonly (ModelConfiguration | null)[],
  prices: Prices,
): void {
  const unpriced =
    spendLimitUsd === null ? undefined : models.find((model) => model && !prices.of(model));
  if (!unpriced) return;
  throw new ServiceError('INVALID', {
    thing: `Spend limit of $${spendLimitUsd ?? 0}`,
    cause: `${modelLabel(unpriced)} has no price, so the limit can't be enforced.`,
    nextStep: nextStepHere({
      window: 'Set its price in Settings, or remove the limit.',
      terminal: 'Set its price, in the project file or the workspace, or remove the limit.',
    }),
    field: 'spendLimitUsd',
  });
}
