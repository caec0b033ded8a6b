import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';
import { endWithReader } from '../stream.ts';

/** Each call of the task evaluations topic with the method of the service that answers it. */
export function taskEvaluationsHandlers(
  tasks: Services['taskEvaluations'],
): Handlers<'taskEvaluations'> {
  const topic = os.taskEvaluations;
  return {
    list: topic.list.handler(({ input }) => tasks.list(input)),
    get: topic.get.handler(({ input }) => tasks.get(input)),
    plan: topic.plan.handler(({ input }) => tasks.plan(input)),
    start: topic.start.handler(({ input }) => tasks.start(input)),
    snapshot: topic.snapshot.handler(({ input }) => tasks.snapshot(input)),
    planWhatIf: topic.planWhatIf.handler(({ input }) => tasks.planWhatIf(input)),
    whatIf: topic.whatIf.handler(({ input }) => tasks.whatIf(input)),
    shard: topic.shard.handler(({ input }) => tasks.shard(input)),
    merge: topic.merge.handler(({ input }) => tasks.merge(input)),
    cancel: topic.cancel.handler(({ input }) => tasks.cancel(input)),
    resume: topic.resume.handler(({ input }) => tasks.resume(input)),
    watch: topic.watch.handler(({ input, context }) =>
      endWithReader(tasks.watch(input, context), context.signal),
    ),
    report: topic.report.handler(({ input }) => tasks.report(input)),
    runs: topic.runs.handler(({ input }) => tasks.runs(input)),
    run: topic.run.handler(({ input }) => tasks.run(input)),
    otherRuns: topic.otherRuns.handler(({ input }) => tasks.otherRuns(input)),
    align: topic.align.handler(({ input }) => tasks.align(input)),
    label: topic.label.handler(({ input }) => tasks.label(input)),
    exchanges: topic.exchanges.handler(({ input }) => tasks.exchanges(input)),
    remove: topic.remove.handler(({ input }) => tasks.remove(input)),
  };
}
