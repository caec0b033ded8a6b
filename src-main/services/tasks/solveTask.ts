import { isByModel, needsSolution, readsServer } from '../../../src-shared/domain/checkKinds.ts';
import type {
  ExecutionMode,
  TaskContent,
  TaskResult,
  Trajectory,
  TrajectoryCall,
} from '../../../src-shared/domain/task.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { isExecuted } from './answerCall.ts';
import { maxKeptReading } from './reduceReading.ts';
import { renderResult } from './renderResult.ts';
import { readStates, startRun, type ReadingRun } from './startRun.ts';
import type { TaskEnvironment } from './taskEnvironment.ts';
import type { TaskJudge } from './taskJudge.ts';

/** Why the reference solution of a task says nothing: it is a fault of the task, not of a model. */
export class SolutionTrouble extends Error {
  override readonly name = 'SolutionTrouble';
}

type Solved = Pick<TaskContent, 'turns' | 'setup' | 'checks' | 'solution' | 'before' | 'reset'>;

/**
 * Why the reference solution of a task can't be run, though a check needs it: the mode doesn't execute
 * one of its tools, or one of its servers has one copy of its data for all runs. Null if it can, or
 * no check needs it.
 */
export function solutionObstacle(
  { setup, checks, solution = [] }: Solved,
  mode: ExecutionMode,
  known: readonly Pick<SnapshotTool, 'server' | 'name' | 'annotations'>[],
  isApart: (server: string) => boolean,
): string | null {
  const needing = checks.filter(needsSolution);
  if (needing.length === 0) return null;
  const refused = solution.find((call) => !isExecuted(call, { mode, known }));
  if (refused !== undefined)
    return `execution mode ${mode} doesn't execute ${refused.tool}, which its reference solution needs.`;
  const shared = [...setup, ...solution, ...needing].find(({ server }) => !isApart(server));
  return shared === undefined
    ? null
    : `server ${shared.server} doesn't give each run its own data, so its reference solution has no copy to work on.`;
}

/** Whether the reference solution runs: always where it can, so that a wrong one is found. */
export const runsSolution = (
  content: Solved,
  mode: ExecutionMode,
  known: readonly Pick<SnapshotTool, 'server' | 'name' | 'annotations'>[],
  isApart: (server: string) => boolean,
): boolean =>
  content.solution !== undefined &&
  mode !== 'stub' &&
  [...content.setup, ...content.solution].every(
    (call) => isApart(call.server) && isExecuted(call, { mode, known }),
  ) &&
  content.checks.every((check) => !readsServer(check) || isApart(check.server));

interface SolvingParts {
  mode: ExecutionMode;
  known: ReadingRun['known'];
  environment: TaskEnvironment;
  judge: TaskJudge;
  today?: string;
}

/**
 * Runs the reference solution of a task on servers opened for it alone, and returns what the checks
 * that need it read afterwards. Throws SolutionTrouble if a call fails, or if the solution doesn't
 * pass a check that it can: of states and of calls. Answers, and programs
 * that may read them, have no part in it.
 */
export async function solveTask(
  content: Solved,
  { mode, known, environment, judge, today }: SolvingParts,
  signal: AbortSignal,
): Promise<Trajectory['states']> {
  const fail = (reason: string): never => {
    throw new SolutionTrouble(reason);
  };
  const { turns, setup, checks: given, solution: givenCalls = [], before, reset } = content;
  const asked = { turns, setup, checks: given, solution: givenCalls, before, reset };
  const started = await startRun({ ...asked, mode, known, environment, judge }, signal, today);
  if ('end' in started) {
    const { end } = started;
    return fail(end.by === 'infrastructure' ? end.message : end.by);
  }
  const { run, values } = started;
  const { checks, solution } = run;
  const calls: TrajectoryCall[] = [];
  for (const { server, tool, arguments: args } of solution) {
    const called = await environment.call(server, tool, args, signal);
    const result: TaskResult = renderResult(called, maxKeptReading);
    if (result.isError) fail(`${tool} returned an error: ${result.text.slice(0, 300)}`);
    calls.push({
      ...{ id: `call_${calls.length + 1}`, server, tool, name: tool, arguments: args },
      ...{ argumentsText: null, answeredBy: 'executed', result, durationMs: called.durationMs },
    });
  }
  const { states, end } = await readStates(run, signal);
  if (end?.by === 'infrastructure') fail(end.message);
  const own = Object.fromEntries(
    checks.filter(needsSolution).flatMap(({ id }) => (states[id] ? [[id, states[id]]] : [])),
  );
  const step = { turn: 0, text: null, reasoning: null, usage: null, elapsedMs: 0 };
  const { checks: results } = await judge.judge(
    checks.filter((check) => !isByModel(check) && !['answer', 'program'].includes(check.kind)),
    {
      ...(values && { values }),
      steps: [{ ...step, stopReason: 'called', calls }],
      ...{ end: { by: 'answered' }, states, references: { ...own, ...started.before } },
    },
  );
  const failed = results.find(({ passed, advisory }) => passed !== true && advisory !== true);
  if (failed !== undefined) fail(`It doesn't pass the check ${failed.id}. ${failed.reason}`);
  return own;
}
