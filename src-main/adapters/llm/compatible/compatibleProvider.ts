import { openOpenAiFormat } from '../openai/openAiProvider.ts';
import { responsesTools } from '../openai/responsesFormat.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { listModels, bearer, openEndpoint } from '../request/openEndpoint.ts';
import { describeFormat } from '../wire/wireFormat.ts';
import { chatTools } from './chatFormat.ts';

const provider = 'openai-compatible';

/** Any endpoint with Chat Completions or Responses: Ollama, LM Studio, vLLM, OpenRouter. */
export const compatibleProvider: ProviderAdapter = {
  provider,
  wireFormats: {
    'openai-chat': describeFormat(chatTools),
    'openai-responses': describeFormat(responsesTools),
  },
  open: (configuration, parts) =>
    openOpenAiFormat(configuration, parts, { provider, temperature: configuration.temperature }),
  listModels: async (endpoint, parts, signal) =>
    listModels(await openEndpoint({ ...endpoint, provider }, bearer, parts), '/models', {}, signal),
};
