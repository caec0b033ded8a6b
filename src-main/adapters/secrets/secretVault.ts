import { secretVariable, type NamedSecrets } from './namedSecrets.ts';

/** The part of the system keychain that is used here. Its calls end within a time limit. */
export interface ValueStore {
  get(account: string): Promise<string | null>;
  /** False if it can't be used; nothing was written then. */
  set(account: string, value: string): Promise<boolean>;
  remove(account: string): Promise<boolean>;
}

export type SecretPlace = 'keychain' | 'memory' | 'environment';

/**
 * Secrets by name, the values of `${secret:name}`. They are put into a request or a child's
 * environment, never into a file of this program.
 */
export interface SecretVault extends NamedSecrets {
  /** Where the value is stored; null if there is none. */
  place(name: string): Promise<SecretPlace | null>;
  /** Stores a value and returns where: in memory it lasts only as long as the program. */
  set(name: string, value: string): Promise<SecretPlace>;
  remove(name: string): Promise<void>;
}

export interface VaultSources {
  /** Without one, values last as long as the program. */
  keychain?: ValueStore | null;
  environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Values of this session take precedence over the keychain, and the keychain over the environment.
 * A keychain that fails counts as missing.
 */
export function createSecretVault({
  keychain = null,
  environment = process.env,
}: VaultSources = {}): SecretVault {
  const memory = new Map<string, string>();
  const accountOf = (name: string): string => `secret:${name}`;
  const inKeychain = async (name: string): Promise<string | null> =>
    keychain === null ? null : keychain.get(accountOf(name)).catch(() => null);
  const inEnvironment = (name: string): string | null => environment[secretVariable(name)] || null;
  return {
    get: async (name) => memory.get(name) ?? (await inKeychain(name)) ?? inEnvironment(name),
    async place(name) {
      if (memory.has(name)) return 'memory';
      if ((await inKeychain(name)) !== null) return 'keychain';
      return inEnvironment(name) === null ? null : 'environment';
    },
    async set(name, value) {
      const kept =
        keychain !== null && (await keychain.set(accountOf(name), value).catch(() => false));
      if (kept) memory.delete(name);
      else memory.set(name, value);
      return kept ? 'keychain' : 'memory';
    },
    async remove(name) {
      memory.delete(name);
      await keychain?.remove(accountOf(name)).catch(() => false);
    },
  };
}
