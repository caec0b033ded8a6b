import type { Server, ServerInput } from '../../../src-shared/domain/server.ts';
import type { Store } from '../../store/store.ts';
import type { Output } from '../contractTypes.ts';
import { workshopServer } from './runTool.ts';

/** Registers a server. */
export type RegisterServer = (input: ServerInput) => Promise<Pick<Server, 'id' | 'name'>>;

/** Registers the workshop's own MCP server unless it is registered already. */
export async function registerWorkshop(
  store: Store,
  register: RegisterServer,
): Promise<Output<'workshop', 'register'>> {
  const config = { ...workshopServer, args: [...workshopServer.args] };
  const known = store.servers
    .list()
    .find(
      (server) =>
        JSON.stringify(server.config) === JSON.stringify(config) ||
        runsSameCommand(server.config, config),
    );
  if (known !== undefined) return { serverId: known.id, name: known.name, made: false };
  let name = 'workshop';
  for (let number = 2; store.servers.getByName(name) !== null; number += 1)
    name = `workshop-${number}`;
  const made = await register({ name, config });
  return { serverId: made.id, name: made.name, made: true };
}

function runsSameCommand(config: Server['config'], other: typeof workshopServer): boolean {
  return (
    config.transport === 'stdio' &&
    config.command === other.command &&
    config.args.join('\0') === other.args.join('\0')
  );
}
