import { secretVariable, type NamedSecrets } from './namedSecrets.ts';

/** The keychain of the operating system, as far as it is used here; its calls end in time. */
export interface ValueStore {
  get(account: string): Promise<string | null>;
  /** False where it can't be used: then nothing was written. */
  set(account: string, value: string): Promise<boolean>;
  remove(account: string): Promise<boolean>;
}

export type SecretPlace = 'keychain' | 'memory' | 'environment';

/**
 * Values by name: what `${secret:name}` stands for. They go into a request or a child's environment
 * and into no file of this program.
 */
export interface SecretVault extends NamedSecrets {
  /** Where the value lies; null where it has none. */
  place(name: string): Promise<SecretPlace | null>;
  /** Keeps a value; says where, because in memory it is gone with the program. */
  set(name: string, value: string): Promise<SecretPlace>;
  remove(name: string): Promise<void>;
}

export interface VaultSources {
  /** Left out: there is none, and values live as long as the program. */
  keychain?: ValueStore | null;
  environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * This session's values go before the keychain's, and those before the environment's. A keychain
 * that fails is one that is not there.
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
