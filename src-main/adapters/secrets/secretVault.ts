import type { KeyPlace, StorePlace } from '../../../src-shared/domain/keys.ts';
import { secretVariable, type NamedSecrets } from './namedSecrets.ts';
import { createSecretStore, type SecretStore, type StoreParts } from './secretStore.ts';

/**
 * Secrets by name, the values of `${secret:name}`. They are put into a request or a child's
 * environment, never into a file in the clear.
 */
export interface SecretVault extends NamedSecrets {
  /** Where the value is stored; null if there is none. */
  place(name: string): Promise<KeyPlace | null>;
  /** Stores a value and returns where: in memory it lasts only as long as the program. */
  set(name: string, value: string): Promise<StorePlace>;
  remove(name: string): Promise<void>;
  /** The names with a stored value, in order. */
  names(): Promise<string[]>;
}

export interface VaultSources extends StoreParts {
  environment?: Readonly<Record<string, string | undefined>>;
  /** Default: one made of the other parts. */
  store?: SecretStore;
  /** Stands before each name in the store, so that vaults share a store but no values. */
  prefix?: string;
}

/** What a person entered takes precedence over the environment. */
export function createSecretVault({
  environment = process.env,
  store,
  prefix = 'secret:',
  ...parts
}: VaultSources = {}): SecretVault {
  const kept = store ?? createSecretStore(parts);
  const accountOf = (name: string): string => `${prefix}${name}`;
  const inEnvironment = (name: string): string | null => environment[secretVariable(name)] || null;
  return {
    get: async (name) => (await kept.get(accountOf(name))) ?? inEnvironment(name),
    place: async (name) =>
      (await kept.place(accountOf(name))) ?? (inEnvironment(name) === null ? null : 'environment'),
    set: (name, value) => kept.set(accountOf(name), value),
    remove: (name) => kept.remove(accountOf(name)),
    names: async () =>
      (await kept.accounts())
        .filter((account) => account.startsWith(prefix))
        .map((account) => account.slice(prefix.length)),
    problem: () => kept.problem(),
  };
}
