import { silent } from '../request/openAiClient.ts';
import { openEndpoint } from '../request/openEndpoint.ts';
import { readTemperature } from '../request/temperature.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { createWireModel, describeWith } from '../wire/wireModel.ts';
import { createMessagesFormat, maximumTokens, messagesWireApi, writeMessagesTool } from './messagesFormat.ts';

/** Models up to 4.6; newer ones refuse a temperature. */
const takenBy = /^claude-(?:[23][-.]|[a-z]+-4(?:-[0-6])?(?:-\d{8})?$)/;

export const anthropicProvider: ProviderAdapter = {
  provider: 'anthropic',
  wireFormats: { [messagesWireApi]: describeWith('anthropic', writeMessagesTool) },
  async open(configuration, parts) {
    const temperature = readTemperature(configuration, { maximum: 1, takenBy });
    const rules = { ownUrl: 'https://api.anthropic.com', keyNeeded: true, credential: (key: string) => ({ 'x-api-key': key }) };
    const { baseURL, key, thing, redact, fetch } = await openEndpoint(configuration, rules, parts);
    // Everything that the SDK would otherwise take from the environment or from files is given.
    const { default: Client } = await import('@anthropic-ai/sdk');
    const client = new Client({ apiKey: key, authToken: null, webhookKey: null, baseURL, fetch, maxRetries: 0, timeout: 3_600_000, logLevel: 'off', logger: silent, openTelemetry: false });
    const sent = { temperature, tool_choice: 'auto', max_tokens: maximumTokens };
    return createWireModel(createMessagesFormat(client, configuration.model, temperature, thing), { configuration, sent, timing: parts.timing, thing, redact });
  },
};
