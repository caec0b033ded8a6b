import { openSecretStore } from '../../../adapters/secrets/openSecretStore.ts';
import { createSecrets, type Secrets } from '../../../adapters/secrets/secrets.ts';
import { createSecretVault } from '../../../adapters/secrets/secretVault.ts';
import type { ReadAdditions } from '../../../adapters/llm/request/additions.ts';
import { RequestSecrets } from '../../../services/models/requestSecrets.ts';
import type { CommandContext } from '../commandContext.ts';
import { workspaceOf } from '../session.ts';
import { askPassphrase } from './askPassphrase.ts';

/**
 * Keys for a command that opens no workspace, and how additions to requests are read: a credential
 * that is given moves to the key store, as in a workspace.
 */
export function systemSecrets(context: Pick<CommandContext, 'globals' | 'io'>): {
  secrets: Secrets;
  additions: ReadAdditions;
  keep: RequestSecrets['keep'];
} {
  const { env: environment, secretGuard } = context.io;
  const folder = workspaceOf(context);
  const store = openSecretStore({ folder, environment, ask: askPassphrase(context.io) });
  const secrets = createSecrets({ store, environment, guard: secretGuard });
  const vault = createSecretVault({ store, environment, prefix: 'model:' });
  const requestSecrets = new RequestSecrets(vault, environment, secrets);
  return {
    secrets,
    keep: (model) => requestSecrets.keep(model),
    additions: async (model) => requestSecrets.read(await requestSecrets.keep(model)),
  };
}
