import { startEnvironment } from '../../../adapters/secrets/environment.ts';
import { createSecrets, type Secrets } from '../../../adapters/secrets/secrets.ts';
import { systemKeychain } from '../../../adapters/secrets/systemKeychain.ts';
import type { CommandIo } from '../commandIo.ts';

/** Keys for a command that opens no workspace: from the keychain and the environment. */
export function systemSecrets({ env }: CommandIo): Secrets {
  const environment = startEnvironment(env);
  return createSecrets({ keychain: systemKeychain({ environment }), environment });
}
