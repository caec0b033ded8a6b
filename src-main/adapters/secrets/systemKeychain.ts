import { createKeychain, noKeychain, type Keychain } from './keychain.ts';
import { entriesInChild } from './keychainInChild.ts';

const timeLimitMs = 10_000;

interface SystemKeychainOptions {
  environment?: Readonly<Record<string, string | undefined>>;
  /** A Node that runs scripts. */
  node?: string | undefined;
}

/**
 * The keychain of this machine. `TOUCHSTONE_KEYCHAIN=off` keeps keys in memory alone, on shared
 * machines and in tests.
 */
export function systemKeychain({
  environment = process.env,
  node = process.execPath,
}: SystemKeychainOptions = {}): Keychain {
  if (environment['TOUCHSTONE_KEYCHAIN'] === 'off') return noKeychain('TOUCHSTONE_KEYCHAIN is off');
  // Elsewhere the system asks for each program whether it may read an entry, and its calls wait on
  // threads of their own.
  return process.platform === 'linux'
    ? createKeychain({ load: async () => entriesInChild({ node, timeLimitMs }), timeLimitMs })
    : createKeychain({ timeLimitMs });
}
