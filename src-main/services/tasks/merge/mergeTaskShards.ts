import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { taskContent, taskVerdict, trajectory } from '../../../../src-shared/domain/task.ts';
import {
  agreementCounts,
  storedTaskSettings,
  taskFacts,
} from '../../../../src-shared/domain/taskEvaluation.ts';
import type { ShardEntry } from '../../../../src-shared/domain/shardContent.ts';
import type {
  TaskShardHead,
  TaskShardRun,
} from '../../../../src-shared/domain/taskShardContent.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Store } from '../../../store/store.ts';
import type { PartOf } from '../../runs/merge/partFile.ts';
import { insertMerged } from '../../runs/merge/shardParts.ts';

export type TaskShardPart = PartOf<TaskShardHead, TaskShardRun>;

interface MergeParts {
  store: Store;
  clock: Clock;
  owner: string;
}

/** Inserts the rows of a merged evaluation, one task or run per step. */
export function insertMergedTasks(
  { store, clock, owner }: MergeParts,
  { shard: plan }: TaskShardPart,
  reports: readonly TaskShardPart[],
  entries: readonly ShardEntry[],
): Generator<undefined, void> {
  const at = clock.now();
  return insertMerged({ store, owner }, reports, {
    unit: 'task',
    createdAt: at,
    settings: {
      ...storedTaskSettings.parse(parseJson(plan.settings)),
      ...(plan.agreement !== null && {
        mergedAgreement: agreementCounts.parse(parseJson(plan.agreement)),
      }),
    },
    entries,
    content: taskContent,
    end: (run) => {
      insertEnd(store, run, at);
    },
  });
}

function insertEnd(store: Store, run: TaskShardRun, at: string): void {
  const { run_id: id, failure, error, facts } = run;
  const played = run.trajectory === null ? null : trajectory.parse(parseJson(run.trajectory));
  if (run.outcome !== null && played !== null) {
    const verdict = run.verdict === null ? null : taskVerdict.parse(parseJson(run.verdict));
    store.runs.finishTask({
      id,
      outcome: run.outcome,
      failure,
      errorMessage: error,
      trajectory: played,
      exchanges: [],
      verdict,
      facts: facts === null ? null : taskFacts.parse(parseJson(facts)),
      completedAt: at,
    });
  } else if (run.status === 'failed') {
    if (played !== null) store.steps.write(id, { steps: played.steps, exchanges: [] }, 0);
    store.runs.fail(id, failure, error, { at, end: played?.end ?? null });
  }
}
