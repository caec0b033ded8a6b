import { listModels } from '../request/listModels.ts';
import { silent } from '../request/openAiClient.ts';
import { openEndpoint } from '../request/openEndpoint.ts';
import { sentSettings } from '../request/sentSettings.ts';
import { readTemperature } from '../request/temperature.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { createWireModel, describeFormat } from '../wire/wireModel.ts';
import {
  createMessagesFormat,
  maxTokens,
  messagesTools,
  messagesWireApi,
} from './messagesFormat.ts';

/** Models up to 4.6; newer ones refuse a temperature. */
const takenBy = /^claude-(?:[23][-.]|[a-z]+-4(?:-[0-6])?(?:-\d{8})?$)/;
const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
const rules = {
  ownUrl: 'https://api.anthropic.com',
  keyNeeded: true,
  credential: (key: string) => ({ 'x-api-key': key }),
};

export const anthropicProvider: ProviderAdapter = {
  provider: 'anthropic',
  wireFormats: { [messagesWireApi]: describeFormat(messagesTools) },
  async open(configuration, parts) {
    const { model, reasoningEffort } = configuration;
    const temperature = readTemperature(configuration, { maximum: 1, takenBy });
    const common = sentSettings(
      configuration,
      { efforts, strict: false, deferTools: true, logprobs: false },
      parts.maxTurns,
    );
    const { baseURL, key, thing, redact, fetch, toolTexts } = await openEndpoint(
      configuration,
      rules,
      parts,
    );
    // Everything that the SDK would otherwise take from the environment or from files is given.
    const { default: Client } = await import('@anthropic-ai/sdk');
    const client = new Client({
      apiKey: key,
      authToken: null,
      webhookKey: null,
      baseURL,
      fetch,
      maxRetries: 0,
      timeout: 3_600_000,
      logLevel: 'off',
      logger: silent,
      openTelemetry: false,
    });
    const sent = { ...common, temperature, tool_choice: 'auto', max_tokens: maxTokens };
    const effort = efforts.find((each) => each === reasoningEffort) ?? null;
    return createWireModel(
      createMessagesFormat(client, { model, temperature, effort, sent }, thing),
      {
        configuration,
        sent,
        timing: parts.timing,
        throttle: parts.throttleOf(thing),
        thing,
        redact,
        toolTexts,
      },
    );
  },
  async listModels(configuration, parts, signal) {
    return listModels(
      await openEndpoint(configuration, rules, parts),
      '/v1/models?limit=1000',
      { 'anthropic-version': '2023-06-01' },
      signal,
    );
  },
};
