import { toolId } from '../../../src-shared/domain/labels.ts';
import type { MadeCall, RunCause, ToolUse } from '../../../src-shared/domain/taskTools.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { causeOfRun } from '../../scoring/tasks/runCause.ts';
import { isCallOf } from '../../scoring/tasks/madeCalls.ts';
import { effectsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import {
  findFirstWrongStep,
  knownSteps,
  stepsOfReference,
  toolsOfRun,
} from '../../scoring/tasks/toolUse.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { FrozenTask } from '../../store/evaluations/entries.ts';
import type { StoredTaskRun } from '../../store/runs/playedTasks.ts';
import { FrozenTools } from '../evaluations/tools/offeredTools.ts';
import { serversOfTask } from './taskSources.ts';

/** The ids of tools that checks name; a name that none or several have stays as it is. */
export const namedTools =
  (offered: readonly Pick<Tool, 'server' | 'name'>[]) =>
  (name: string): string => {
    const named = offered.filter((tool) =>
      isCallOf({ server: tool.server, tool: tool.name }, name),
    );
    return named.length === 1 && named[0] ? toolId(named[0].server, named[0].name) : name;
  };

/** What a run did with tools, and why it failed. */
export interface ReadRun {
  /** Null: it has no steps. */
  toolUse: ToolUse | null;
  cause: RunCause | null;
}

/**
 * What each run of an evaluation did with tools, by id of the run. It is read from the stored steps,
 * so evaluations of any age have it.
 */
export function readToolUse(
  store: Store,
  row: TaskEvaluationRow,
  tasks: ReadonlyMap<number, FrozenTask>,
  runs: readonly StoredTaskRun[],
  made: ReadonlyMap<string, readonly (readonly MadeCall[])[]>,
): Map<string, ReadRun> {
  const snapshot = row.snapshotId === null ? null : store.toolSnapshots.get(row.snapshotId);
  const tools = snapshot?.tools ?? [];
  const frozen = snapshot && new FrozenTools(snapshot, () => null, row.settings.client);
  const readOnly = new Map(
    tools.map(({ server, name, annotations }) => [
      toolId(server, name),
      effectsOf(annotations).readOnly,
    ]),
  );
  const references = referencesOf(runs, made);
  const uses = new Map<string, ReadRun>();
  for (const run of runs) {
    const task = tasks.get(run.position);
    const steps = made.get(run.id) ?? [];
    if (task === undefined) continue;
    const { checks } = task.content;
    const { shown } = serversOfTask(task.content, row.settings, row.suite.servers);
    const offered = tools.filter(({ server }) => shown.includes(server));
    const reaching = frozen?.offer(shown).ids;
    const idOf = namedTools(offered);
    const known = knownSteps(checks);
    const reference = known?.expected.length ? undefined : references.get(run.position);
    const steering = {
      expected: reference?.order ?? known?.expected ?? [],
      isReadOnly: (tool: string) => readOnly.get(tool) ?? null,
      idOf,
    };
    const isFailed = run.outcome !== null && !['succeeded', 'not_scored'].includes(run.outcome);
    const firstWrong = isFailed
      ? findFirstWrongStep(steps, {
          ...steering,
          never: known?.never ?? [],
          by: reference === undefined ? 'check' : 'reference',
        })
      : null;
    uses.set(run.id, {
      toolUse: made.has(run.id)
        ? {
            tools: toolsOfRun(checks, steps, idOf),
            stepsKnown: known !== null || reference !== undefined,
            firstWrong,
          }
        : null,
      cause: causeOfRun(
        {
          outcome: run.outcome,
          end: run.ending,
          checks,
          results: run.verdict?.checks ?? [],
          steps,
          firstWrong,
        },
        {
          ...steering,
          reference: references.get(run.position)?.steps ?? null,
          hidden: new Set(
            offered
              .map(({ server, name }) => toolId(server, name))
              .filter((id) => reaching?.has(id) === false),
          ),
        },
      ),
    });
  }
  return uses;
}

interface Reference {
  order: string[];
  steps: readonly (readonly MadeCall[])[];
}

/** The shortest run of each task that succeeded and its order, by position of the task. */
function referencesOf(
  runs: readonly StoredTaskRun[],
  made: ReadonlyMap<string, readonly (readonly MadeCall[])[]>,
): Map<number, Reference> {
  const references = new Map<number, Reference>();
  for (const { id, position, outcome } of runs) {
    const steps = outcome === 'succeeded' ? made.get(id) : undefined;
    if (steps === undefined) continue;
    const order = stepsOfReference(steps);
    const best = references.get(position);
    if (best === undefined || order.length < best.order.length)
      references.set(position, { order, steps });
  }
  return references;
}
