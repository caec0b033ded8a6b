import { join } from 'node:path';
import {
  keysFileName,
  passphraseVariable,
  SecretFile,
  type AskPassphrase,
  type SecretFileParts,
} from './secretFile.ts';
import { createSecretStore, type SecretStore } from './secretStore.ts';
import { systemKeychain } from './systemKeychain.ts';

interface SecretStoreOptions extends Pick<SecretFileParts, 'write'> {
  /** The folder of the encrypted file. */
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
