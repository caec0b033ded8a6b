import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { variableOf } from '../../secrets/secrets.ts';
import type { OpenParts } from '../providerAdapter.ts';
import { readBaseUrl } from './baseUrl.ts';
import { createGuardedFetch } from './guardedFetch.ts';
import { ToolTexts } from './toolTexts.ts';

export interface Endpoint {
  baseURL: string;
  /** Null only where the provider needs none. */
  key: string | null;
  /** Names provider and host in every message. */
  thing: string;
  redact: (text: string) => string;
  fetch: ReturnType<typeof createGuardedFetch>;
  toolTexts: ToolTexts;
}

export interface EndpointRules {
  /** The provider's own address; null where the configuration must name one. */
  ownUrl: string | null;
  keyNeeded: boolean;
  credential: (key: string) => Record<string, string>;
}

/**
 * Address, key and the way there for one configuration. Throws ServiceError INVALID, before
 * anything is sent, where one is missing or wrong.
 */
export async function openEndpoint(
  { provider, baseUrl }: Pick<ModelConfiguration, 'provider' | 'baseUrl'>,
  { ownUrl, keyNeeded, credential }: EndpointRules,
  { secrets, warn, contacted }: Pick<OpenParts, 'secrets' | 'warn' | 'contacted'>,
): Promise<Endpoint> {
  const key = await secrets.get(provider);
  if (key === null && keyNeeded) {
    throw new ServiceError('INVALID', {
      thing: `Provider ${provider}`,
      cause: 'No API key is set.',
      nextStep: `Set ${variableOf(provider) ?? 'its key'} in the environment that Touchstone starts in, or the key under Settings or by \`touchstone keys set ${provider}\`.`,
      field: 'provider',
    });
  }
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    throw new ServiceError('INVALID', {
      thing: `Provider ${provider}`,
      cause: 'The key holds characters that no key has, such as spaces or line ends.',
      nextStep: `Set ${variableOf(provider) ?? 'it'} again.`,
      field: 'provider',
    });
  }
  const address = baseUrl ?? ownUrl;
  if (address === null)
    throw new ServiceError('INVALID', {
      thing: `Provider ${provider}`,
      cause: 'No base URL is given.',
      nextStep: 'Give the address of the endpoint, such as http://localhost:11434/v1.',
      field: 'baseUrl',
    });
  const url = readBaseUrl(address, { withKey: key !== null, warn });
  const redact = (text: string) => secrets.redact(text);
  const toolTexts = new ToolTexts();
  return {
    baseURL: url.href.replace(/\/$/, ''),
    key,
    thing: `${provider} (${url.host})`,
    redact,
    fetch: createGuardedFetch({
      origin: url.origin,
      credential: key === null ? {} : credential(key),
      redact,
      contacted,
      fill: (text) => toolTexts.fill(text),
    }),
    toolTexts,
  };
}
