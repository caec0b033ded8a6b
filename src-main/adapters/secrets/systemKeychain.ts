import { createKeychain, noKeychain, type Keychain } from './keychain.ts';
import { entriesInChild } from './keychainInChild.ts';

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
export function systemKeychain({
  environment = process.env,
  node = process.execPath,
}: SystemKeychainOptions = {}): Keychain {
  if (environment['TOUCHSTONE_KEYCHAIN'] === 'off') return noKeychain('TOUCHSTONE_KEYCHAIN is off');
  // Elsewhere the system asks for permission for each program, and its calls wait on other threads.
  return process.platform === 'linux'
    ? createKeychain({ load: async () => entriesInChild({ node, timeLimitMs }), timeLimitMs })
    : createKeychain({ timeLimitMs });
}
