import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';
import { endWithReader } from '../stream.ts';

/** Each call of the optimizations topic with the method of the service that answers it. */
export function optimizationsHandlers(
  optimizations: Services['optimizations'],
): Handlers<'optimizations'> {
  return {
    list: os.optimizations.list.handler(() => optimizations.list()),
    get: os.optimizations.get.handler(({ input }) => optimizations.get(input)),
    plan: os.optimizations.plan.handler(({ input }) => optimizations.plan(input)),
    start: os.optimizations.start.handler(({ input }) => optimizations.start(input)),
    watch: os.optimizations.watch.handler(({ input, context }) =>
      endWithReader(optimizations.watch(input, context), context.signal),
    ),
    pause: os.optimizations.pause.handler(({ input }) => optimizations.pause(input)),
    resume: os.optimizations.resume.handler(({ input }) => optimizations.resume(input)),
    cancel: os.optimizations.cancel.handler(({ input }) => optimizations.cancel(input)),
    export: os.optimizations.export.handler(({ input }) => optimizations.export(input)),
  };
}
