import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';
import { endWithReader } from '../stream.ts';

/** Each call of the evaluations topic with the method of the service that answers it. */
export function evaluationsHandlers(evaluations: Services['evaluations']): Handlers<'evaluations'> {
  return {
    list: os.evaluations.list.handler(({ input }) => evaluations.list(input)),
    get: os.evaluations.get.handler(({ input }) => evaluations.get(input)),
    plan: os.evaluations.plan.handler(({ input }) => evaluations.plan(input)),
    countPlan: os.evaluations.countPlan.handler(({ input, context }) =>
      evaluations.countPlan(input, context),
    ),
    start: os.evaluations.start.handler(({ input }) => evaluations.start(input)),
    whatIf: os.evaluations.whatIf.handler(({ input }) => evaluations.whatIf(input)),
    readTools: os.evaluations.readTools.handler(({ input }) => evaluations.readTools(input)),
    rerunCase: os.evaluations.rerunCase.handler(({ input }) => evaluations.rerunCase(input)),
    merge: os.evaluations.merge.handler(({ input }) => evaluations.merge(input)),
    cancel: os.evaluations.cancel.handler(({ input }) => evaluations.cancel(input)),
    resume: os.evaluations.resume.handler(({ input }) => evaluations.resume(input)),
    watch: os.evaluations.watch.handler(({ input, context }) =>
      endWithReader(evaluations.watch(input, context), context.signal),
    ),
    summary: os.evaluations.summary.handler(({ input }) => evaluations.summary(input)),
    runs: os.evaluations.runs.handler(({ input }) => evaluations.runs(input)),
    run: os.evaluations.run.handler(({ input }) => evaluations.run(input)),
    runPlace: os.evaluations.runPlace.handler(({ input }) => evaluations.runPlace(input)),
    snapshot: os.evaluations.snapshot.handler(({ input }) => evaluations.snapshot(input)),
    sentTools: os.evaluations.sentTools.handler(({ input }) => evaluations.sentTools(input)),
    toolChanges: os.evaluations.toolChanges.handler(({ input }) => evaluations.toolChanges(input)),
    rescore: os.evaluations.rescore.handler(({ input }) => evaluations.rescore(input)),
    deleteRawTraffic: os.evaluations.deleteRawTraffic.handler(({ input }) =>
      evaluations.deleteRawTraffic(input),
    ),
    remove: os.evaluations.remove.handler(({ input }) => evaluations.remove(input)),
  };
}
