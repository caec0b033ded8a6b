import { createOpenAiClient } from '../request/openAiClient.ts';
import { openEndpoint } from '../request/openEndpoint.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { createWireModel, describeWith } from '../wire/wireModel.ts';
import { chatWireApi, createChatFormat, writeChatTool } from './chatFormat.ts';

/** Any endpoint that speaks Chat Completions: Ollama, LM Studio, vLLM, OpenRouter. */
export const compatibleProvider: ProviderAdapter = {
  provider: 'openai-compatible',
  wireFormats: { [chatWireApi]: describeWith('openai', writeChatTool) },
  async open(configuration, parts) {
    const { model, temperature } = configuration;
    const rules = { ownUrl: null, keyNeeded: false, credential: (key: string) => ({ authorization: `Bearer ${key}` }) };
    const endpoint = await openEndpoint(configuration, rules, parts);
    const format = createChatFormat(await createOpenAiClient(endpoint), model, temperature, endpoint.thing);
    return createWireModel(format, { configuration, sent: { temperature, tool_choice: 'auto' }, timing: parts.timing, thing: endpoint.thing, redact: endpoint.redact });
  },
};
