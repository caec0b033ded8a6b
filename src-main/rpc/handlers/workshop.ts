import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';
import { endWithReader } from '../stream.ts';

/** Each call of the workshop topic with the method of the service that answers it. */
export function workshopHandlers(workshop: Services['workshop']): Handlers<'workshop'> {
  return {
    list: os.workshop.list.handler(({ input }) => workshop.list(input)),
    tags: os.workshop.tags.handler(() => workshop.tags()),
    get: os.workshop.get.handler(({ input }) => workshop.get(input)),
    getByName: os.workshop.getByName.handler(({ input }) => workshop.getByName(input)),
    create: os.workshop.create.handler(({ input, context }) => workshop.create(input, context)),
    save: os.workshop.save.handler(({ input, context }) => workshop.save(input, context)),
    setStatus: os.workshop.setStatus.handler(({ input }) => workshop.setStatus(input)),
    setCategory: os.workshop.setCategory.handler(({ input }) => workshop.setCategory(input)),
    remove: os.workshop.remove.handler(({ input }) => workshop.remove(input)),
    undelete: os.workshop.undelete.handler(({ input }) => workshop.undelete(input)),
    purge: os.workshop.purge.handler(({ input }) => workshop.purge(input)),
    check: os.workshop.check.handler(({ input, context }) => workshop.check(input, context)),
    secrets: os.workshop.secrets.handler(({ input }) => workshop.secrets(input)),
    setSecret: os.workshop.setSecret.handler(({ input }) => workshop.setSecret(input)),
    removeSecret: os.workshop.removeSecret.handler(({ input }) => workshop.removeSecret(input)),
    versions: os.workshop.versions.handler(({ input }) => workshop.versions(input)),
    version: os.workshop.version.handler(({ input }) => workshop.version(input)),
    restore: os.workshop.restore.handler(({ input }) => workshop.restore(input)),
    categories: os.workshop.categories.handler(() => workshop.categories()),
    createCategory: os.workshop.createCategory.handler(({ input }) =>
      workshop.createCategory(input),
    ),
    updateCategory: os.workshop.updateCategory.handler(({ input }) =>
      workshop.updateCategory(input),
    ),
    removeCategory: os.workshop.removeCategory.handler(({ input }) =>
      workshop.removeCategory(input),
    ),
    draft: os.workshop.draft.handler(({ input }) => workshop.draft(input)),
    keepDraft: os.workshop.keepDraft.handler(({ input }) => workshop.keepDraft(input)),
    dropDraft: os.workshop.dropDraft.handler(({ input }) => workshop.dropDraft(input)),
    drafts: os.workshop.drafts.handler(() => workshop.drafts()),
    start: os.workshop.start.handler(({ input, context }) => workshop.start(input, context)),
    startDraft: os.workshop.startDraft.handler(({ input, context }) =>
      workshop.startDraft(input, context),
    ),
    wait: os.workshop.wait.handler(({ input, context }) => workshop.wait(input, context)),
    execute: os.workshop.execute.handler(({ input, context }) => workshop.execute(input, context)),
    cancel: os.workshop.cancel.handler(({ input }) => workshop.cancel(input)),
    execution: os.workshop.execution.handler(({ input }) => workshop.execution(input)),
    executions: os.workshop.executions.handler(({ input }) => workshop.executions(input)),
    callers: os.workshop.callers.handler(() => workshop.callers()),
    models: os.workshop.models.handler(({ input }) => workshop.models(input)),
    model: os.workshop.model.handler(({ input }) => workshop.model(input)),
    watch: os.workshop.watch.handler(({ input, context }) =>
      endWithReader(workshop.watch(input, context), context.signal),
    ),
    serving: os.workshop.serving.handler(() => workshop.serving()),
    serve: os.workshop.serve.handler(({ input }) => workshop.serve(input)),
    stopServing: os.workshop.stopServing.handler(() => workshop.stopServing()),
    clients: os.workshop.clients.handler(() => workshop.clients()),
    addToClient: os.workshop.addToClient.handler(({ input }) => workshop.addToClient(input)),
    undoClient: os.workshop.undoClient.handler(({ input }) => workshop.undoClient(input)),
    proposeCases: os.workshop.proposeCases.handler(({ input, context }) =>
      workshop.proposeCases(input, context),
    ),
    register: os.workshop.register.handler(() => workshop.register()),
    export: os.workshop.export.handler(({ input }) => workshop.export(input)),
    previewImport: os.workshop.previewImport.handler(({ input, context }) =>
      workshop.previewImport(input, context),
    ),
    import: os.workshop.import.handler(({ input, context }) => workshop.import(input, context)),
    settings: os.workshop.settings.handler(() => workshop.settings()),
    updateSettings: os.workshop.updateSettings.handler(({ input }) =>
      workshop.updateSettings(input),
    ),
    interpreter: os.workshop.interpreter.handler(({ context }) =>
      workshop.interpreter(undefined, context),
    ),
    limits: os.workshop.limits.handler(() => workshop.limits()),
  };
}
