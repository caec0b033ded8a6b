import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the servers topic with the method of the service that answers it. */
export function serversHandlers(servers: Services['servers']): Handlers<'servers'> {
  return {
    list: os.servers.list.handler(() => servers.list()),
    get: os.servers.get.handler(({ input }) => servers.get(input)),
    create: os.servers.create.handler(({ input }) => servers.create(input)),
    update: os.servers.update.handler(({ input }) => servers.update(input)),
    setValue: os.servers.setValue.handler(({ input }) => servers.setValue(input)),
    previewRemoval: os.servers.previewRemoval.handler(({ input }) => servers.previewRemoval(input)),
    remove: os.servers.remove.handler(({ input }) => servers.remove(input)),
    check: os.servers.check.handler(({ input, context }) => servers.check(input, context)),
    starting: os.servers.starting.handler(() => servers.starting()),
    markReviewed: os.servers.markReviewed.handler(({ input }) => servers.markReviewed(input)),
    refreshTools: os.servers.refreshTools.handler(({ input, context }) =>
      servers.refreshTools(input, context),
    ),
    history: os.servers.history.handler(({ input }) => servers.history(input)),
    changes: os.servers.changes.handler(({ input }) => servers.changes(input)),
    signIn: os.servers.signIn.handler(({ input }) => servers.signIn(input)),
    signOut: os.servers.signOut.handler(({ input }) => servers.signOut(input)),
    callTool: os.servers.callTool.handler(({ input, context }) => servers.callTool(input, context)),
    previewImport: os.servers.previewImport.handler(({ input }) => servers.previewImport(input)),
    import: os.servers.import.handler(({ input }) => servers.import(input)),
    export: os.servers.export.handler(({ input }) => servers.export(input)),
    knownFiles: os.servers.knownFiles.handler(() => servers.knownFiles()),
  };
}
