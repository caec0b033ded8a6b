import { z } from 'zod';
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
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import { signalWithTimeout } from '../../../runtime/deadline.ts';
import { excerpt } from './excerpt.ts';

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

const listed = z.looseObject({ data: z.array(z.looseObject({ id: z.string().min(1) })) });
const timeLimitMs = 10_000;

/** The models that an endpoint lists, sorted. Throws ServiceError TROUBLE where it lists none. */
export async function listModels(
  endpoint: Endpoint,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<{ host: string; models: string[] }> {
  const host = new URL(endpoint.baseURL).host;
  let text: string;
  let status: number;
  try {
    const response = await endpoint.fetch(`${endpoint.baseURL}${path}`, {
      headers: { accept: 'application/json', ...headers },
      signal: signalWithTimeout(signal, timeLimitMs),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw listError(
      endpoint.thing,
      late
        ? `It didn't answer within ${timeLimitMs / 1000} s.`
        : `It can't be reached: ${excerpt(causeOf(error))}`,
    );
  }
  if (status === 401 || status === 403)
    throw listError(endpoint.thing, `It answered ${status}: the key was refused. ${excerpt(text)}`);
  const read = status === 200 ? listed.safeParse(parse(text)) : null;
  if (!read?.success)
    throw listError(endpoint.thing, `It lists no models (status ${status}): ${excerpt(text)}`);
  return { host, models: [...new Set(read.data.data.map(({ id }) => id))].sort() };
}

function parse(text: string): unknown {
  return orElse((): unknown => JSON.parse(text), null);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function listError(thing: string, cause: string): ServiceError {
  return new ServiceError('TROUBLE', {
    thing: `Models of ${thing}`,
    cause,
    nextStep: 'Check the address and the key, or enter the model name.',
    field: 'model',
  });
}
