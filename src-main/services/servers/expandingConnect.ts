import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { serverConfig } from '../../../src-shared/domain/server.ts';
import type { ServerFileInput } from '../../../src-shared/domain/serverImport.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { expandVariables, inputValues, inputVariable, workspaceVariable, type Environment } from './variables.ts';

/** Variables get their values here, at launch, and nowhere else: where one has none, nothing is started. */
export function expandingConnect(connect: ConnectMcp, environment: Environment, inputsOf: (name: string) => readonly ServerFileInput[]): ConnectMcp {
  return async (target, signal) => {
    const { config, unresolved } = expandVariables(target.config, environment, inputValues(target.config, environment, inputsOf(target.name)));
    if (unresolved.length > 0) {
      const many = unresolved.length > 1;
      throw new ServiceError('TROUBLE', {
        thing: `Server ${target.name}`,
        cause: `${unresolved.join(', ')} ${many ? 'have' : 'has'} no value, so that it was not started.`,
        nextStep: `${[...new Set(unresolved.map(adviceFor))].join(' ')} Or write the value into the server's configuration.`,
      });
    }
    const checked = serverConfig.safeParse(config);
    if (!checked.success) {
      throw new ServiceError('TROUBLE', { thing: `Server ${target.name}`, cause: `With its variables filled in it can't be used: ${checked.error.issues[0]?.message ?? 'unknown shape'}`, nextStep: 'Correct the values of its variables.' });
    }
    return connect({ ...target, config: checked.data }, signal);
  };
}

function adviceFor(reference: string): string {
  const inner = reference.slice(2, -1);
  if (inner === '__dirname') return 'Unpack the bundle and put its folder in place of ${__dirname}.';
  if (inner.startsWith('workspaceFolder')) return `Set ${workspaceVariable} where the program is started.`;
  if (inner.startsWith('input:')) return `Set ${inputVariable(inner.slice('input:'.length))} where the program is started.`;
  return `Set ${inner.replace(/^env:/, '')} where the program is started.`;
}
