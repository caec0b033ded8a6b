import { toolId } from '../../../src-shared/domain/labels.ts';
import type { MadeCall, ToolUse } from '../../../src-shared/domain/taskTools.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { isCallOf } from '../../scoring/tasks/taskChecks.ts';
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
): Map<string, ToolUse> {
  const tools =
    row.snapshotId === null ? [] : (store.toolSnapshots.get(row.snapshotId)?.tools ?? []);
  const readOnly = new Map(
    tools.map(({ server, name, annotations }) => [
      toolId(server, name),
      effectsOf(annotations).readOnly,
    ]),
  );
  const references = referencesOf(runs, made);
  const uses = new Map<string, ToolUse>();
  for (const run of runs) {
    const task = tasks.get(run.position);
    const steps = made.get(run.id);
    if (task === undefined || steps === undefined) continue;
    const { checks } = task.content;
    const shown = new Set(serversOfTask(task.content, row.settings, row.suite.servers).shown);
    const offered = tools.filter(({ server }) => shown.has(server));
    const idOf = namedTools(offered);
    const known = knownSteps(checks);
    const reference = known?.expected.length ? undefined : references.get(run.position);
    const isFailed = run.outcome !== null && !['succeeded', 'not_scored'].includes(run.outcome);
    uses.set(run.id, {
      tools: toolsOfRun(checks, steps, idOf),
      stepsKnown: known !== null || reference !== undefined,
      firstWrong: isFailed
        ? findFirstWrongStep(steps, {
            expected: reference ?? known?.expected ?? [],
            never: known?.never ?? [],
            by: reference === undefined ? 'check' : 'reference',
            isReadOnly: (tool) => readOnly.get(tool) ?? null,
            idOf,
          })
        : null,
    });
  }
  return uses;
}

/** The order of the shortest run of each task that succeeded, by position of the task. */
function referencesOf(
  runs: readonly StoredTaskRun[],
  made: ReadonlyMap<string, readonly (readonly MadeCall[])[]>,
): Map<number, string[]> {
  const references = new Map<number, string[]>();
  for (const { id, position, outcome } of runs) {
    const steps = outcome === 'succeeded' ? made.get(id) : undefined;
    if (steps === undefined) continue;
    const order = stepsOfReference(steps);
    const best = references.get(position);
    if (best === undefined || order.length < best.length) references.set(position, order);
  }
  return references;
}
