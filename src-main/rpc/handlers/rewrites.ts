import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';

/** Each call of the rewrites topic with the method of the service that answers it. */
export function rewritesHandlers(rewrites: Services['rewrites']): Handlers<'rewrites'> {
  return {
    list: os.rewrites.list.handler(({ input }) => rewrites.list(input)),
    plan: os.rewrites.plan.handler(({ input }) => rewrites.plan(input)),
    add: os.rewrites.add.handler(({ input }) => rewrites.add(input)),
    search: os.rewrites.search.handler(({ input }) => rewrites.search(input)),
    prove: os.rewrites.prove.handler(({ input }) => rewrites.prove(input)),
    propose: os.rewrites.propose.handler(({ input, context }) => rewrites.propose(input, context)),
    export: os.rewrites.export.handler(({ input }) => rewrites.export(input)),
  };
}
