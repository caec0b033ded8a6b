import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the suites topic with the method of the service that answers it. */
export function suitesHandlers(suites: Services['suites']): Handlers<'suites'> {
  return {
    list: os.suites.list.handler(() => suites.list()),
    get: os.suites.get.handler(({ input }) => suites.get(input)),
    create: os.suites.create.handler(({ input }) => suites.create(input)),
    update: os.suites.update.handler(({ input }) => suites.update(input)),
    remove: os.suites.remove.handler(({ input }) => suites.remove(input)),
    cases: os.suites.cases.handler(({ input }) => suites.cases(input)),
    tasks: os.suites.tasks.handler(({ input }) => suites.tasks(input)),
    createCase: os.suites.createCase.handler(({ input }) => suites.createCase(input)),
    updateCase: os.suites.updateCase.handler(({ input }) => suites.updateCase(input)),
    removeCases: os.suites.removeCases.handler(({ input }) => suites.removeCases(input)),
    editCases: os.suites.editCases.handler(({ input }) => suites.editCases(input)),
    duplicateCases: os.suites.duplicateCases.handler(({ input }) => suites.duplicateCases(input)),
    createTask: os.suites.createTask.handler(({ input }) => suites.createTask(input)),
    updateTask: os.suites.updateTask.handler(({ input }) => suites.updateTask(input)),
    removeTasks: os.suites.removeTasks.handler(({ input }) => suites.removeTasks(input)),
    duplicateTasks: os.suites.duplicateTasks.handler(({ input }) => suites.duplicateTasks(input)),
    problems: os.suites.problems.handler(({ input }) => suites.problems(input)),
    drafts: os.suites.drafts.handler(({ input }) => suites.drafts(input)),
    saveDraft: os.suites.saveDraft.handler(({ input }) => suites.saveDraft(input)),
    proposeCases: os.suites.proposeCases.handler(({ input, context }) =>
      suites.proposeCases(input, context),
    ),
    acceptProposals: os.suites.acceptProposals.handler(({ input }) =>
      suites.acceptProposals(input),
    ),
    previewImport: os.suites.previewImport.handler(({ input, context }) =>
      suites.previewImport(input, context),
    ),
    import: os.suites.import.handler(({ input, context }) => suites.import(input, context)),
    export: os.suites.export.handler(({ input }) => suites.export(input)),
  };
}
