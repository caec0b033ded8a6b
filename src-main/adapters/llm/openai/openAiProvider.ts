import { chatTools, createChatFormat } from '../compatible/chatFormat.ts';
import type { OpenParts, ProviderAdapter } from '../providerAdapter.ts';
import { listModels, bearer, openEndpoint } from '../request/openEndpoint.ts';
import { createOpenAiClient } from '../request/openAiClient.ts';
import { sentSettings, withOwnFields } from '../request/sentSettings.ts';
import { sentTemperature } from '../request/temperature.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { providerTable, wireApiOf } from '../../../../src-shared/domain/provider.ts';
import type { ChatModel } from '../chatModel.ts';
import { describeFormat } from '../wire/wireFormat.ts';
import { createWireModel } from '../wire/wireModel.ts';
import { createResponsesFormat, responsesTools } from './responsesFormat.ts';

/** Reasoning models choose their own temperature and reject one. */
const takenBy = /^(?:ft:)?(?:chat)?gpt-[34](?!\d)/;

/** A model in one of OpenAI's two wire formats, at OpenAI or at a compatible endpoint. */
export async function openOpenAiFormat(
  configuration: ModelConfiguration,
  parts: OpenParts,
  {
    provider,
    temperature,
  }: { provider: 'openai' | 'openai-compatible'; temperature: number | null },
): Promise<ChatModel> {
  const { model, api, reasoningEffort } = configuration;
  const responses = wireApiOf({ provider, api }) === 'openai-responses';
  const common = sentSettings(
    configuration,
    provider,
    responses ? 'openai-responses' : 'openai-chat',
    parts.maxTurns,
  );
  const endpoint = await openEndpoint({ ...configuration, provider }, bearer, parts);
  const sent = withOwnFields(
    {
      ...common,
      temperature,
      tool_choice: 'auto',
      ...(responses && { strict: common['strict'] === true, store: false }),
    },
    configuration,
  );
  const wire = {
    configuration,
    sent,
    timing: parts.timing,
    throttle: parts.throttleOf(endpoint.thing),
    thing: endpoint.thing,
    redactValue: endpoint.redactValue,
    toolTexts: endpoint.toolTexts,
    refused: parts.refused,
    additions: endpoint.additions,
  };
  const client = await createOpenAiClient(endpoint);
  const reasons = provider !== 'openai' || !takenBy.test(model);
  const settings = { model, temperature, reasoningEffort, reasons, sent };
  return responses
    ? createWireModel(createResponsesFormat(client, settings, endpoint.thing), wire)
    : createWireModel(createChatFormat(client, settings, endpoint.thing), wire);
}

export const openAiProvider: ProviderAdapter = {
  provider: 'openai',
  wireFormats: {
    'openai-responses': describeFormat(responsesTools),
    'openai-chat': describeFormat(chatTools),
  },
  async open(configuration, parts) {
    const temperature = sentTemperature(configuration, {
      maximum: providerTable.openai.maxTemperature,
      takenBy,
    });
    return openOpenAiFormat(configuration, parts, { provider: 'openai', temperature });
  },
  async listModels(endpoint, parts, signal) {
    return listModels(
      await openEndpoint({ ...endpoint, provider: 'openai' }, bearer, parts),
      '/models',
      {},
      signal,
    );
  },
};
