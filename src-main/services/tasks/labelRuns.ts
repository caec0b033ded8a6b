import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import { isByModel } from '../../../src-shared/domain/checkKinds.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { findTaskRun } from './findTaskRun.ts';

/** Keeps labels of judge checks. Throws before any is kept if a run or a check doesn't exist. */
export function labelRuns(
  store: Store,
  labels: Input<'tasks', 'label'>['labels'],
): Output<'tasks', 'label'> {
  return store.transaction(() => {
    for (const { runId, checkId, label } of labels) {
      const id = store.runs.evaluationOf(runId);
      const { task } = findTaskRun(store, { id: id ?? '', runId });
      const judges = task.content.checks.filter(isByModel);
      const check = checkId === null && judges.length === 1 ? judges[0] : undefined;
      const found = check ?? judges.find((one) => one.id === checkId);
      if (!found)
        throw new ServiceError('INVALID', {
          thing: `Label of run ${runId}`,
          cause:
            checkId === null
              ? `Task ${task.key} has ${counted(judges.length, 'judge check')}.`
              : `Task ${task.key} has no judge check ${checkId}.`,
          nextStep: 'Name one of its judge checks.',
        });
      if (label === null) store.labels.remove(runId, found.id);
      else store.labels.put(runId, found.id, label);
    }
    return { labels: labels.length };
  });
}
