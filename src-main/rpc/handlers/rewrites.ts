import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the rewrites topic with the method of the service that answers it. */
export function rewritesHandlers(rewrites: Services['rewrites']): Handlers<'rewrites'> {
  return {
    list: os.rewrites.list.handler(({ input }) => rewrites.list(input)),
    latestEvaluation: os.rewrites.latestEvaluation.handler(({ input }) =>
      rewrites.latestEvaluation(input),
    ),
    problem: os.rewrites.problem.handler(({ input, context }) => rewrites.problem(input, context)),
    check: os.rewrites.check.handler(({ input, context }) => rewrites.check(input, context)),
    add: os.rewrites.add.handler(({ input }) => rewrites.add(input)),
    rename: os.rewrites.rename.handler(({ input }) => rewrites.rename(input)),
    remove: os.rewrites.remove.handler(({ input }) => rewrites.remove(input)),
    restore: os.rewrites.restore.handler(({ input }) => rewrites.restore(input)),
    search: os.rewrites.search.handler(({ input }) => rewrites.search(input)),
    prove: os.rewrites.prove.handler(({ input }) => rewrites.prove(input)),
    propose: os.rewrites.propose.handler(({ input, context }) => rewrites.propose(input, context)),
    export: os.rewrites.export.handler(({ input, context }) => rewrites.export(input, context)),
    sources: os.rewrites.sources.handler(({ input, context }) => rewrites.sources(input, context)),
  };
}
