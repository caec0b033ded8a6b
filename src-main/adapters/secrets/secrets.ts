import { keyVariableOf } from '../../../src-shared/domain/keys.ts';
import { remoteProviders, type Provider } from '../../../src-shared/domain/provider.ts';
import { noKeychain, type Keychain, type KeychainState } from './keychain.ts';
import { createRedactor } from './redact.ts';

/** The key of a provider, or what `${secret:NAME}` stands for. */
export type SecretName = Provider | `secret:${string}`;

/** Where secrets come from. Nothing but `status` may ever leave the process. */
export interface Secrets {
  get(name: SecretName): Promise<string | null>;
  status(name: SecretName): Promise<'set' | 'not set'>;
  /** Without a keychain the value is kept in memory until the program ends. */
  set(name: SecretName, value: string): Promise<'keychain' | 'memory'>;
  /** Removes it from keychain and memory; an environment variable is unchanged. */
  remove(name: SecretName): Promise<void>;
  keychain(): Promise<KeychainState>;
  /** Registers a value that is stored elsewhere, so that it is redacted too. */
  guard(value: string): void;
  /** Replaces every secret that was read, set or guarded since the start, by value. */
  redact(text: string): string;
}

/** The environment variable that holds a provider's key; null if it needs none. */
function variableOf(name: SecretName): string | null {
  const provider = remoteProviders.find((each) => each === name);
  return provider === undefined ? null : keyVariableOf(provider);
}

export interface SecretSources {
  /** Values of this session; they take precedence over keychain and environment. */
  memory?: ReadonlyMap<SecretName, string>;
  environment?: Readonly<Record<string, string | undefined>>;
  keychain?: Keychain;
}

/** Secrets of memory, keychain and environment, in this order of precedence. */
export function createSecrets({
  memory = new Map(),
  environment = process.env,
  keychain = noKeychain('none is in use here'),
}: SecretSources = {}): Secrets {
  const session = new Map(memory);
  const guarded = new Set<string>();
  let redactor: ((text: string) => string) | null = null;

  const guard = (value: string): void => {
    if (guarded.has(value)) return;
    guarded.add(value);
    redactor = null;
  };
  const find = async (name: SecretName): Promise<string | null> => {
    const variable = variableOf(name);
    const found =
      session.get(name) ??
      (await keychain.get(name)) ??
      (variable === null ? undefined : environment[variable]);
    return found?.trim() || null;
  };
  for (const value of session.values()) guard(value.trim());
  for (const variable of remoteProviders.map(keyVariableOf)) {
    const value = environment[variable]?.trim();
    if (value) guard(value);
  }
  return {
    async get(name) {
      const found = await find(name);
      if (found !== null) guard(found);
      return found;
    },
    status: async (name) => ((await find(name)) === null ? 'not set' : 'set'),
    async set(name, value) {
      const trimmed = value.trim();
      guard(trimmed);
      if (await keychain.set(name, trimmed)) {
        session.delete(name);
        return 'keychain';
      }
      session.set(name, trimmed);
      return 'memory';
    },
    async remove(name) {
      session.delete(name);
      await keychain.remove(name);
    },
    keychain: () => keychain.state(),
    guard,
    redact: (text) => (redactor ??= createRedactor([...guarded]))(text),
  };
}
