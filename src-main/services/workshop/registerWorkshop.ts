import type { Server, ServerInput } from '../../../src-shared/domain/server.ts';
import type { Store } from '../../store/store.ts';
import type { Output } from '../contractTypes.ts';
import { workshopServer } from './runTool.ts';

export type RegisterServer = (input: ServerInput) => Promise<Pick<Server, 'id' | 'name'>>;

const config = { ...workshopServer, args: [...workshopServer.args] };

/** Registers the workshop's own MCP server unless it is registered already. */
export async function registerWorkshop(
  store: Store,
  register: RegisterServer,
): Promise<Output<'workshop', 'register'>> {
  const { id, name } = findWorkshopServer(store);
  if (id !== null) return { serverId: id, name, made: false };
  const made = await register({ name, config });
  return { serverId: made.id, name: made.name, made: true };
}

export function findWorkshopServer(store: Store): { id: string | null; name: string } {
  const known = store.servers
    .list()
    .find(
      (server) =>
        JSON.stringify(server.config) === JSON.stringify(config) ||
        runsSameCommand(server.config, config),
    );
  if (known !== undefined) return { id: known.id, name: known.name };
  let name = 'workshop';
  for (let number = 2; store.servers.getByName(name) !== null; number += 1)
    name = `workshop-${number}`;
  return { id: null, name };
}

function runsSameCommand(config: Server['config'], other: typeof workshopServer): boolean {
  return (
    config.transport === 'stdio' &&
    config.command === other.command &&
    config.args.join('\0') === other.args.join('\0')
  );
}
