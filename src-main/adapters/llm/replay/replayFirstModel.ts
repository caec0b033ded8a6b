import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { markAsCached } from '../cache/markAsCached.ts';
import type { ChatModel } from '../chatModel.ts';
import type { OpenParts } from '../providerAdapter.ts';
import { replyTrouble } from '../replyTrouble.ts';
import { readRecording } from './readRecording.ts';
import { recordingKey } from './recordingKey.ts';

/**
 * A model that is asked only for what a recording has no answer to: after a tool was reworded, only
 * the cases that saw it. Throws ServiceError where the file is missing or damaged; then the model is
 * closed.
 */
export async function createReplayFirstModel(
  model: ChatModel,
  configuration: Pick<ModelConfiguration, 'model'>,
  file: string,
  { warn, refused }: Pick<OpenParts, 'warn' | 'refused'>,
): Promise<ChatModel> {
  const { exchanges, warning } = await readRecording(file).catch(async (error: unknown) => {
    await model.close();
    throw error;
  });
  if (warning !== null) warn(warning);
  const answers = new Map(
    exchanges
      .filter((exchange) => exchange.wireApi === model.wireApi)
      .map((exchange) => [exchange.key, exchange]),
  );
  return {
    ...model,
    get refused() {
      return refused.list;
    },
    async choose(request, signal, account) {
      signal.throwIfAborted();
      const known = answers.get(
        recordingKey({ ...request, model: configuration.model, sent: model.sent }),
      );
      const asked = { tools: request.tools, sent: model.sent };
      // What was cut off or made its call as text may end well this time.
      if (!known || replyTrouble(known.observation, asked) !== null)
        return model.choose(request, signal, account);
      refused.learnFrom(known.observation);
      const { observation, request: sentRequest, response, elapsedMs } = known;
      return {
        observation: markAsCached(observation),
        request: sentRequest,
        response,
        elapsedMs,
      };
    },
  };
}
