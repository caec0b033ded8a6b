import { providerTable } from '../../../../src-shared/domain/provider.ts';
import { withoutErrors } from '../request/endpointErrors.ts';
import {
  listModels,
  openEndpoint,
  type Credential,
  type Endpoint,
} from '../request/openEndpoint.ts';
import { silentLogger } from '../request/openAiClient.ts';
import { sentSettings, withOwnFields } from '../request/sentSettings.ts';
import { sentTemperature } from '../request/temperature.ts';
import type { OpenParts, ProviderAdapter } from '../providerAdapter.ts';
import type { ListedEndpoint } from '../request/additions.ts';
import { describeFormat } from '../wire/wireFormat.ts';
import { createWireModel } from '../wire/wireModel.ts';
import { createMessagesFormat, messagesTools } from './messagesFormat.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';

/** Models up to 4.6; newer ones reject a temperature. */
const takenBy = /^claude-(?:[23][-.]|[a-z]+-4(?:-[0-6])?(?:-\d{8})?$)/;
const { efforts, maxTemperature } = providerTable.anthropic;
const credential: Credential = (key) => ({ 'x-api-key': key });

/** The paths of this format begin with /v1, which people also write into the address of a gateway. */
async function openAnthropic(configuration: ListedEndpoint, parts: OpenParts): Promise<Endpoint> {
  const provider = 'anthropic';
  const endpoint = await openEndpoint({ ...configuration, provider }, credential, parts);
  return { ...endpoint, baseURL: endpoint.baseURL.replace(/\/v1$/, '') };
}

export const anthropicProvider: ProviderAdapter = {
  provider: 'anthropic',
  wireFormats: { 'anthropic-messages': describeFormat(messagesTools) },
  async open(configuration, parts) {
    const { model, reasoningEffort } = configuration;
    const temperature = sentTemperature(configuration, { maximum: maxTemperature, takenBy });
    const common = sentSettings(configuration, 'anthropic', 'anthropic-messages', parts.maxTurns);
    const { baseURL, key, thing, redactValue, fetch, toolTexts, additions } = await openAnthropic(
      configuration,
      parts,
    );
    // Everything is set that the SDK would otherwise read from the environment or from files.
    const { default: Client } = await import('@anthropic-ai/sdk');
    const client = new Client({
      // The SDK requires some text; `fetch` sets the key that is sent.
      apiKey: key ?? 'none',
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
    const sent = withOwnFields(
      { ...common, temperature, tool_choice: 'auto', max_tokens: maxTokens },
      configuration,
    );
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
        refused: parts.refused,
        additions,
      },
    );
  },
  async listModels(endpoint, parts, signal) {
    return listModels(
      await openAnthropic(endpoint, parts),
      '/v1/models?limit=1000',
      { 'anthropic-version': '2023-06-01' },
      signal,
    );
  },
};

/** What every model from Claude 3.7 on accepts; longer replies choose no tool. */
const usual = 32_000;
/** The most that older models accept, as their maker states it. */
const older: readonly [RegExp, number][] = [
  [/^claude-3-5-/, 8_192],
  [/^claude-(?:3-(?:opus|sonnet|haiku)|2|instant)/, 4_096],
];

/**
 * `max_tokens` of each request: the format requires a limit, and a reply beyond it is cut off and not
 * scored. At most half of a context that is given, because a small model's endpoint refuses a limit
 * that leaves no room for the request. In tokens.
 */
export function outputLimit({
  model,
  contextTokens,
}: Pick<ModelConfiguration, 'model' | 'contextTokens'>): number {
  const limit = older.find(([pattern]) => pattern.test(model))?.[1] ?? usual;
  return contextTokens === null ? limit : Math.max(1, Math.min(limit, contextTokens >> 1));
}
