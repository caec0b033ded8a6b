import { chatTools, chatWireApi, createChatFormat } from '../compatible/chatFormat.ts';
import type { OpenParts, ProviderAdapter } from '../providerAdapter.ts';
import { listModels } from '../request/listModels.ts';
import { createOpenAiClient } from '../request/openAiClient.ts';
import { openEndpoint } from '../request/openEndpoint.ts';
import { sentSettings } from '../request/sentSettings.ts';
import { readTemperature } from '../request/temperature.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import type { ChatModel } from '../chatModel.ts';
import { createWireModel, describeFormat } from '../wire/wireModel.ts';
import { createResponsesFormat, responsesTools, responsesWireApi } from './responsesFormat.ts';

/** Models that reason choose their own temperature and refuse one. */
const takenBy = /^(?:ft:)?(?:chat)?gpt-[34](?!\d)/;
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const rules = { ownUrl: 'https://api.openai.com/v1', keyNeeded: true, credential: bearer };

/** Any model of the two formats that OpenAI made: its own endpoint and the many that speak them. */
export async function openOpenAiFormat(
  configuration: ModelConfiguration,
  parts: OpenParts,
  given: {
    rules: Parameters<typeof openEndpoint>[1];
    temperature: number | null;
    api: 'responses' | 'chat';
  },
): Promise<ChatModel> {
  const { temperature, api } = given;
  const { model, reasoningEffort } = configuration;
  const responses = api === 'responses';
  const common = sentSettings(
    configuration,
    { efforts, strict: true, deferTools: responses, logprobs: !responses },
    parts.maxTurns,
  );
  const endpoint = await openEndpoint(configuration, given.rules, parts);
  const sent: ChatModel['sent'] = {
    ...common,
    temperature,
    tool_choice: 'auto',
    ...(responses && { strict: common['strict'] === true, store: false }),
  };
  const wire = {
    configuration,
    sent,
    timing: parts.timing,
    throttle: parts.throttleOf(endpoint.thing),
    thing: endpoint.thing,
    redact: endpoint.redact,
    toolTexts: endpoint.toolTexts,
  };
  const client = await createOpenAiClient(endpoint);
  const settings = { model, temperature, reasoningEffort, sent };
  return responses
    ? createWireModel(createResponsesFormat(client, settings, endpoint.thing), wire)
    : createWireModel(createChatFormat(client, settings, endpoint.thing), wire);
}

export const openAiProvider: ProviderAdapter = {
  provider: 'openai',
  wireFormats: {
    [responsesWireApi]: describeFormat(responsesTools),
    [chatWireApi]: describeFormat(chatTools),
  },
  async open(configuration, parts) {
    const temperature = readTemperature(configuration, { maximum: 2, takenBy });
    return openOpenAiFormat(configuration, parts, {
      rules,
      temperature,
      api: configuration.api ?? 'responses',
    });
  },
  async listModels(configuration, parts, signal) {
    return listModels(await openEndpoint(configuration, rules, parts), '/models', {}, signal);
  },
};
