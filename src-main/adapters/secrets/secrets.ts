import type { Provider } from '../../../src-shared/domain/model.ts';

/** Where keys come from. Nothing but `status` may ever leave the process. */
export interface Secrets {
  get(provider: Provider): Promise<string | null>;
  status(provider: Provider): Promise<'set' | 'not set'>;
}

const variables: Readonly<Partial<Record<Provider, string>>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  // A key of its own: the one for OpenAI never goes to another host by chance.
  'openai-compatible': 'OPENAI_COMPATIBLE_API_KEY',
};

/** The environment variable that holds a provider's key; null where it needs none. */
export function variableOf(provider: Provider): string | null {
  return variables[provider] ?? null;
}

export interface SecretSources {
  /** Keys of this session: they go before those of the environment. */
  memory?: ReadonlyMap<Provider, string>;
  environment?: Readonly<Record<string, string | undefined>>;
}

export function createSecrets({ memory = new Map(), environment = process.env }: SecretSources = {}): Secrets {
  const find = (provider: Provider): string | null => {
    const name = variableOf(provider);
    const found = memory.get(provider) ?? (name === null ? undefined : environment[name]);
    return found?.trim() || null;
  };
  return {
    get: async (provider) => find(provider),
    status: async (provider) => (find(provider) === null ? 'not set' : 'set'),
  };
}
