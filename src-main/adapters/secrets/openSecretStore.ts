import { join } from 'node:path';
import {
  keysFileName,
  passphraseVariable,
  SecretFile,
  type AskPassphrase,
  type SecretFileParts,
} from './secretFile.ts';
import { createSecretStore, type SecretStore } from './secretStore.ts';
import { createKeychain, noKeychain, type Keychain } from './keychain.ts';
import { entriesInChild } from './keychainInChild.ts';

interface SecretStoreOptions extends Pick<SecretFileParts, 'write'> {
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Asks a person for the passphrase; undefined if nobody is asked. */
  ask: AskPassphrase | undefined;
  /** The Node executable that asks the keychain. */
  node?: string | undefined;
}

/** The store of this machine and workspace: encrypted file, keychain and memory. */
export function openSecretStore({
  folder,
  environment,
  ask,
  node,
  ...parts
}: SecretStoreOptions): SecretStore {
  const file = new SecretFile({
    file: join(folder, keysFileName),
    passphrase: environment[passphraseVariable],
    ask,
    ...parts,
  });
  return createSecretStore({ keychain: systemKeychain({ environment, node }), file });
}

const timeLimitMs = 10_000;

interface SystemKeychainOptions {
  environment?: Readonly<Record<string, string | undefined>>;
  /** The Node executable that runs the child. */
  node?: string | undefined;
}

/**
 * The keychain of this machine. `TOUCHSTONE_KEYCHAIN=off` keeps keys in memory alone, on shared
 * machines and in tests.
 */
function systemKeychain({
  environment = process.env,
  node = process.execPath,
}: SystemKeychainOptions = {}): Keychain {
  if (environment['TOUCHSTONE_KEYCHAIN'] === 'off') return noKeychain('TOUCHSTONE_KEYCHAIN is off');
  // Elsewhere the system asks for permission for each program, and its calls wait on other threads.
  return process.platform === 'linux'
    ? createKeychain({ load: async () => entriesInChild({ node, timeLimitMs }), timeLimitMs })
    : createKeychain({ timeLimitMs });
}
