import type OpenAI from 'openai';
import { withoutErrors } from './endpointErrors.ts';
import type { Endpoint } from './openEndpoint.ts';

/**
 * Sets everything that the SDK would otherwise read from the environment. The SDK is loaded when it
 * is first needed, so that it doesn't delay the start.
 */
export async function createOpenAiClient({ baseURL, key, fetch }: Endpoint): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    // The SDK requires some text; `fetch` sets the key that is sent.
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL,
    fetch: withoutErrors(fetch),
    maxRetries: 0,
    timeout: 3_600_000,
    logLevel: 'off',
    logger: silentLogger,
  });
}

const nothing = () => undefined;
export const silentLogger = { error: nothing, warn: nothing, info: nothing, debug: nothing };
