import { keyVariableOf, type KeyPlace, type StorePlace } from '../../../src-shared/domain/keys.ts';
import { remoteProviders, type Provider } from '../../../src-shared/domain/provider.ts';
import { createSecretGuard, type SecretGuard } from './secretGuard.ts';
import { createSecretStore, type SecretStore, type StoreParts } from './secretStore.ts';

/** The key of a provider, or what `${secret:NAME}` stands for. */
export type SecretName = Provider | `secret:${string}`;

/**
 * Where secrets come from, and the guard that knows them. Nothing but `status` may ever leave the
 * process.
 */
export interface Secrets extends SecretGuard {
  get(name: SecretName): Promise<string | null>;
  status(name: SecretName): Promise<'set' | 'not set'>;
  /** Where the value comes from; null if there is none. */
  place(name: SecretName): Promise<KeyPlace | null>;
  /** Returns where the value is kept; in memory it lasts as long as the program. */
  set(name: SecretName, value: string): Promise<StorePlace>;
  /** Removes it from wherever it is kept; an environment variable is unchanged. */
  remove(name: SecretName): Promise<void>;
  readonly store: SecretStore;
}

/** The environment variable that holds a provider's key; null if it needs none. */
function variableOf(name: SecretName): string | null {
  const provider = remoteProviders.find((each) => each === name);
  return provider === undefined ? null : keyVariableOf(provider);
}

export interface SecretSources extends StoreParts {
  environment?: Readonly<Record<string, string | undefined>>;
  /** Takes precedence over the environment; default: one made of the other parts. */
  store?: SecretStore;
  /** Learns every value, so that sinks beyond this object redact it too. */
  guard?: SecretGuard | undefined;
}

/** Secrets of memory, file, keychain and environment, in this order of precedence. */
export function createSecrets({
  environment = process.env,
  store,
  guard: secretGuard = createSecretGuard(),
  ...parts
}: SecretSources = {}): Secrets {
  const kept = store ?? createSecretStore(parts);
  const { guard } = secretGuard;
  const find = async (name: SecretName): Promise<string | null> => {
    const variable = variableOf(name);
    const found = (await kept.get(name)) ?? (variable === null ? undefined : environment[variable]);
    return found?.trim() || null;
  };
  for (const value of parts.memory?.values() ?? []) guard(value.trim());
  for (const variable of remoteProviders.map(keyVariableOf)) {
    const value = environment[variable]?.trim();
    if (value) guard(value);
  }
  return {
    ...secretGuard,
    async get(name) {
      const found = await find(name);
      if (found !== null) guard(found);
      return found;
    },
    status: async (name) => ((await find(name)) === null ? 'not set' : 'set'),
    place: async (name) =>
      (await kept.place(name)) ?? ((await find(name)) === null ? null : 'environment'),
    async set(name, value) {
      guard(value.trim());
      return kept.set(name, value.trim());
    },
    remove: (name) => kept.remove(name),
    store: kept,
  };
}
