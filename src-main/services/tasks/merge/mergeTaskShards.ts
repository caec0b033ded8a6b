import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import {
  taskContent,
  taskVerdict,
  trajectory,
  type TaskContent,
  type TaskVerdict,
  type Trajectory,
} from '../../../../src-shared/domain/task.ts';
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
import { insertMerged, snapshotOf } from '../../runs/merge/shardParts.ts';
import { isByModel } from '../../../../src-shared/domain/checkKinds.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import { modelSettings } from '../../../../src-shared/domain/model.ts';
import { price } from '../../../../src-shared/domain/price.ts';
import { withJudgements } from '../../../scoring/tasks/judgeTask.ts';
import { effectsOf } from '../../../scoring/tasks/trajectoryFacts.ts';
import { runFacts } from '../runFacts.ts';
import type { TaskJudge } from '../taskJudge.ts';
import { failureOf, whyUnscored } from '../unscoredEnds.ts';

/**
 * Judges the trajectories of all parts again and counts their facts again. Returns the runs that
 * differ, one sentence each. What a judge said, and what it cost, is known to its part alone.
 */
export async function recheckTasks(
  judge: TaskJudge,
  reports: readonly PartOf<TaskShardHead, TaskShardRun>[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const { shard, eachRun } of reports) {
    const settings = storedTaskSettings.parse(parseJson(shard.settings));
    const effects = new Map(
      snapshotOf(shard).tools.map((tool) => [
        toolId(tool.server, tool.name),
        effectsOf(tool.annotations),
      ]),
    );
    const prices = new Map(
      shard.models.map(({ settings: text, price: paid }) => [
        modelSettings.parse(parseJson(text)).id,
        paid === null ? null : price.parse(JSON.parse(paid)),
      ]),
    );
    const tasks = new Map(
      shard.tasks.map(({ position, key, content }) => [
        position,
        { key, content: taskContent.parse(parseJson(content)) },
      ]),
    );
    for (const run of eachRun()) {
      const { key, content } = tasks.get(run.position) ?? {};
      const name = `Part ${shard.index}: the outcome of ${key ?? run.run_id}`;
      if (content === undefined) problems.push(`${name} has no task.`);
      else if (!isOutcome(run, await judgedAgain(judge, content, run, settings)))
        problems.push(`${name} doesn’t follow from what was called and answered.`);
      else if (run.trajectory !== null && run.facts !== null) {
        const known = taskFacts.parse(parseJson(run.facts));
        const again = runFacts(content, trajectory.parse(parseJson(run.trajectory)), {
          effects,
          price: prices.get(run.model_id) ?? null,
          userPrice: settings.userPrice,
          ...{ judgeCost: known.judgeCost, spend: known.spend },
        });
        if (!isDeepStrictEqual(taskFacts.parse(parseJson(JSON.stringify(again))), known))
          problems.push(`${name}: its counts don’t follow from its steps.`);
      }
    }
  }
  return problems;
}

/** The verdicts that a run may have: with what a judge said, and without. */
async function judgedAgain(
  judge: TaskJudge,
  { checks }: TaskContent,
  { trajectory: played, verdict: stored }: TaskShardRun,
  { judgeTerms }: { judgeTerms: { counts: boolean } | null },
): Promise<{ run: Trajectory; stored: TaskVerdict; rules: TaskVerdict[] } | null> {
  if (played === null || stored === null) return null;
  const run = trajectory.parse(parseJson(played));
  const known = taskVerdict.parse(parseJson(stored));
  const ruled = await judge.judge(checks, run);
  const said = new Map(known.checks.filter(isByModel).map((check) => [check.id, check]));
  return {
    run,
    stored: known,
    rules: [ruled, ...(judgeTerms ? [withJudgements(ruled, run, said, judgeTerms.counts)] : [])],
  };
}

function isOutcome(
  { outcome, failure }: TaskShardRun,
  again: Awaited<ReturnType<typeof judgedAgain>>,
): boolean {
  // Without a verdict, nothing was scored.
  if (again === null) return outcome === null || outcome === 'not_scored';
  const { run, stored, rules } = again;
  const unscored = whyUnscored(stored, failureOf(run.end));
  const isCut = failure === 'cancelled' || failure === 'interrupted';
  return (
    rules.some((rule) => isDeepStrictEqual(rule, stored)) &&
    (isCut
      ? outcome === null
      : failure === unscored && outcome === (unscored === null ? stored.outcome : 'not_scored'))
  );
}

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
