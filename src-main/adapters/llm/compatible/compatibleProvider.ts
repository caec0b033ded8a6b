import { openOpenAiFormat } from '../openai/openAiProvider.ts';
import { responsesTools, responsesWireApi } from '../openai/responsesFormat.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { listModels } from '../request/listModels.ts';
import { openEndpoint } from '../request/openEndpoint.ts';
import { describeFormat } from '../wire/wireModel.ts';
import { chatTools, chatWireApi } from './chatFormat.ts';

const rules = {
  ownUrl: null,
  keyNeeded: false,
  credential: (key: string) => ({ authorization: `Bearer ${key}` }),
};

/** Any endpoint that speaks Chat Completions or Responses: Ollama, LM Studio, vLLM, OpenRouter. */
export const compatibleProvider: ProviderAdapter = {
  provider: 'openai-compatible',
  wireFormats: {
    [chatWireApi]: describeFormat(chatTools),
    [responsesWireApi]: describeFormat(responsesTools),
  },
  open: (configuration, parts) =>
    openOpenAiFormat(configuration, parts, {
      rules,
      temperature: configuration.temperature,
      api: configuration.api ?? 'chat',
    }),
  async listModels(configuration, parts, signal) {
    return listModels(await openEndpoint(configuration, rules, parts), '/models', {}, signal);
  },
};
