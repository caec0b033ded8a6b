import { openSecretStore } from '../../../adapters/secrets/openSecretStore.ts';
import { createSecrets, type Secrets } from '../../../adapters/secrets/secrets.ts';
import type { CommandContext } from '../commandContext.ts';
import { workspaceOf } from '../session.ts';
import { askPassphrase } from './askPassphrase.ts';

/** Keys for a command that opens no workspace. It only reads them. */
export function systemSecrets(context: Pick<CommandContext, 'globals' | 'io'>): Secrets {
  const { env: environment, secretGuard } = context.io;
  const folder = workspaceOf(context);
  const store = openSecretStore({ folder, environment, ask: askPassphrase(context.io) });
  return createSecrets({ store, environment, guard: secretGuard });
}
