import { nextStepHere } from '../../../runtime/window.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { keyVariableOf } from '../../../../src-shared/domain/keys.ts';
import { providerTable, type RemoteProvider } from '../../../../src-shared/domain/provider.ts';
import { ownAddressOf } from '../../../../src-shared/domain/providerAddress.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { OpenParts } from '../providerAdapter.ts';
import type { Additions, ListedEndpoint } from './additions.ts';
import { readBaseUrl } from './baseUrl.ts';
import { createGuardedFetch } from './guardedFetch.ts';
import { ToolTexts } from './toolTexts.ts';

export interface Endpoint {
  baseURL: string;
  /** Null only where the provider requires none. */
  key: string | null;
  /** Names provider and host in every message. */
  thing: string;
  redactValue: Secrets['redactValue'];
  fetch: ReturnType<typeof createGuardedFetch>;
  toolTexts: ToolTexts;
  additions: Additions;
}

/** Headers that sign in: one that a person gives takes the place of the key. */
const signsIn = /^(?:authorization|x-api-key|api-key|x-goog-api-key)$/i;

/** The headers that carry a key. */
export type Credential = (key: string) => Record<string, string>;
export const bearer: Credential = (key) => ({ authorization: `Bearer ${key}` });

/**
 * Checks address and key of a configuration and opens a guarded way to its endpoint. Throws
 * ServiceError INVALID, before anything is sent, where one is missing or wrong.
 */
export async function openEndpoint(
  configuration: Omit<ListedEndpoint, 'provider'> & { provider: RemoteProvider },
  credential: Credential,
  {
    secrets,
    warn,
    contacted,
    additions: readAdditions,
  }: Pick<OpenParts, 'secrets' | 'warn' | 'contacted' | 'additions'>,
): Promise<Endpoint> {
  const { provider, baseUrl } = configuration;
  const { key: rules } = providerTable[provider];
  const additions = await readAdditions(configuration);
  const hasOwnKey = Object.keys(additions.headers).some((name) => signsIn.test(name));
  const key = hasOwnKey ? null : await secrets.get(provider);
  if (key === null && rules.required && !hasOwnKey) {
    const problem = await secrets.store.problem();
    const isLocked = problem?.locked === true;
    throw new ServiceError('INVALID', {
      thing: `Provider ${provider}`,
      cause: problem?.text ?? 'No API key is set.',
      nextStep: nextStepHere({
        window:
          (isLocked ? 'Unlock the keys under Settings, or set' : 'Set') +
          ` the key under Settings, or ${keyVariableOf(provider)} in the environment that ` +
          'Touchstone starts in.',
        terminal: `${isLocked ? 'Unlock the keys, or set' : 'Set'} ${keyVariableOf(provider)} in the environment that Touchstone starts in.`,
      }),
      // While the file can't be read, a key that is set would be lost with the command.
      ...((problem === null || isLocked) && {
        onCommandLine: `The command is \`touchstone keys ${isLocked ? 'unlock' : `set ${provider}`}\`.`,
      }),
      field: 'provider',
    });
  }
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    throw new ServiceError('INVALID', {
      thing: `Provider ${provider}`,
      cause: 'The key contains characters that keys never have, such as spaces or line breaks.',
      nextStep: `Set ${keyVariableOf(provider)} again.`,
      field: 'provider',
    });
  }
  const address = baseUrl ?? ownAddressOf(provider);
  if (address === null)
    throw new ServiceError('INVALID', {
      thing: `Provider ${provider}`,
      cause: 'No base URL is set.',
      nextStep: 'Enter the address of the endpoint, such as http://localhost:11434/v1.',
      field: 'baseUrl',
    });
  const withKey = key !== null || additions.secretsHash !== null;
  const url = readBaseUrl(address, { withKey, warn });
  const query = { ...Object.fromEntries(url.searchParams), ...additions.query };
  url.search = '';
  const toolTexts = new ToolTexts();
  return {
    baseURL: url.href.replace(/\/$/, ''),
    key,
    thing: `${provider} (${url.host})`,
    redactValue: secrets.redactValue,
    fetch: createGuardedFetch({
      origin: url.origin,
      credential: key === null ? {} : credential(key),
      redact: secrets.redact,
      contacted,
      headers: additions.headers,
      query,
      fill: (text) => toolTexts.fill(text),
    }),
    toolTexts,
    additions,
  };
}
