import { providerTable } from '../../../../src-shared/domain/provider.ts';
import { withoutErrors } from '../request/endpointErrors.ts';
import { listModels } from '../request/listModels.ts';
import { silentLogger } from '../request/openAiClient.ts';
import { openEndpoint, type Credential } from '../request/openEndpoint.ts';
import { sentSettings } from '../request/sentSettings.ts';
import { sentTemperature } from '../request/temperature.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { describeFormat } from '../wire/wireFormat.ts';
import { createWireModel } from '../wire/wireModel.ts';
import { createMessagesFormat, messagesTools } from './messagesFormat.ts';
import { outputLimit } from './outputLimit.ts';

/** Models up to 4.6; newer ones reject a temperature. */
const takenBy = /^claude-(?:[23][-.]|[a-z]+-4(?:-[0-6])?(?:-\d{8})?$)/;
const { efforts, maxTemperature } = providerTable.anthropic;
const credential: Credential = (key) => ({ 'x-api-key': key });

export const anthropicProvider: ProviderAdapter = {
  provider: 'anthropic',
  wireFormats: { 'anthropic-messages': describeFormat(messagesTools) },
  async open(configuration, parts) {
    const { model, baseUrl, reasoningEffort } = configuration;
    const temperature = sentTemperature(configuration, { maximum: maxTemperature, takenBy });
    const common = sentSettings(configuration, 'anthropic', 'anthropic-messages', parts.maxTurns);
    const { baseURL, key, thing, redactValue, fetch, toolTexts } = await openEndpoint(
      { provider: 'anthropic', baseUrl },
      credential,
      parts,
    );
    // Everything is set that the SDK would otherwise read from the environment or from files.
    const { default: Client } = await import('@anthropic-ai/sdk');
    const client = new Client({
      apiKey: key,
      authToken: null,
      webhookKey: null,
      baseURL,
      fetch: withoutErrors(fetch),
      maxRetries: 0,
      timeout: 3_600_000,
      logLevel: 'off',
      logger: silentLogger,
      openTelemetry: false,
    });
    const maxTokens = outputLimit(configuration);
    const sent = { ...common, temperature, tool_choice: 'auto', max_tokens: maxTokens };
    const effort = efforts.find((each) => each === reasoningEffort) ?? null;
    return createWireModel(
      createMessagesFormat(client, { model, temperature, maxTokens, effort, sent }, thing),
      {
        configuration,
        sent,
        timing: parts.timing,
        throttle: parts.throttleOf(thing),
        thing,
        redactValue,
        toolTexts,
      },
    );
  },
  async listModels({ baseUrl }, parts, signal) {
    return listModels(
      await openEndpoint({ provider: 'anthropic', baseUrl }, credential, parts),
      '/v1/models?limit=1000',
      { 'anthropic-version': '2023-06-01' },
      signal,
    );
  },
};
