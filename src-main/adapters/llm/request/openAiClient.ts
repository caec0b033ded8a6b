import type OpenAI from 'openai';
import type { Endpoint } from './openEndpoint.ts';

/**
 * Everything that the SDK would otherwise take from the environment is given. It is loaded when
 * first needed: a start does not wait for it.
 */
export async function createOpenAiClient({ baseURL, key, fetch }: Endpoint): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    // The SDK wants some text; what is really sent as the key is up to `fetch`.
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL,
    fetch,
    maxRetries: 0,
    timeout: 3_600_000,
    logLevel: 'off',
    logger: silent,
  });
}

const nothing = () => undefined;
export const silent = { error: nothing, warn: nothing, info: nothing, debug: nothing };
