import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { TaskEvaluationSettings } from '../../../src-shared/domain/taskEvaluation.ts';
import type { ChatModel, OpenChatModel } from '../../adapters/llm/chatModel.ts';
import {
  closeModelsOnError,
  openModels,
  type Learned,
  type OpenedModel,
} from '../evaluations/plan/openModels.ts';

/** The models beside those under test; null: not asked. */
export interface SecondModels {
  /** Asked by judge checks. */
  judgeModel: ChatModel | null;
  /** Plays simulated users. */
  userModel: ChatModel | null;
}

/** Every model of an evaluation. */
export interface TaskModels {
  models: OpenedModel[];
  second: SecondModels;
  /** All of them, to be closed together. */
  all: OpenedModel[];
}

/** Opens the models of an evaluation. When one can't be opened, the others are closed again. */
export async function openTaskModels(
  openChatModel: OpenChatModel,
  { settings, ...learned }: { settings: TaskEvaluationSettings } & Learned,
): Promise<TaskModels> {
  const chatSettings = evaluationSettings.strip().parse(settings);
  const models = await openModels(openChatModel, chatSettings, learned);
  const all = [...models];
  const openSecond = async (configuration: ModelConfiguration | null) => {
    if (configuration === null) return null;
    const opened = await closeModelsOnError(all, () =>
      openModels(openChatModel, { ...chatSettings, models: [configuration] }),
    );
    all.push(...opened);
    return opened[0]?.model ?? null;
  };
  const judgeModel = await openSecond(settings.judge);
  const userModel = await openSecond(settings.userModel);
  return { models, second: { judgeModel, userModel }, all };
}
