import { createOpenAiClient } from '../request/openAiClient.ts';
import { openEndpoint } from '../request/openEndpoint.ts';
import { readTemperature } from '../request/temperature.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { createWireModel, describeWith } from '../wire/wireModel.ts';
import { createResponsesFormat, responsesSettings, responsesWireApi, writeResponsesTool } from './responsesFormat.ts';

/** Models that reason choose their own temperature and refuse one. */
const takenBy = /^(?:ft:)?(?:chat)?gpt-[34](?!\d)/;

export const openAiProvider: ProviderAdapter = {
  provider: 'openai',
  wireFormats: { [responsesWireApi]: describeWith('openai', writeResponsesTool) },
  async open(configuration, parts) {
    const temperature = readTemperature(configuration, { maximum: 2, takenBy });
    const rules = { ownUrl: 'https://api.openai.com/v1', keyNeeded: true, credential: (key: string) => ({ authorization: `Bearer ${key}` }) };
    const endpoint = await openEndpoint(configuration, rules, parts);
    const format = createResponsesFormat(await createOpenAiClient(endpoint), configuration.model, temperature, endpoint.thing);
    return createWireModel(format, { configuration, sent: responsesSettings(temperature), timing: parts.timing, thing: endpoint.thing, redact: endpoint.redact });
  },
};
