import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';

export interface Workspace {
  servers: readonly ServerOverview[];
  suites: readonly Suite[];
  /** Newest first. */
  evaluations: readonly Evaluation[];
  /** Newest first. */
  tasks: readonly TaskEvaluation[];
  /** True while the evaluation of the sample data is about to run, or runs. */
  sampleEvaluating: boolean;
}

/** The step before there is a verdict, or while another one is on its way. */
export type NextStep =
  | { kind: 'add-server' }
  | { kind: 'add-suite' }
  | { kind: 'write-cases'; suite: Suite }
  | { kind: 'sample' }
  | { kind: 'first-run'; suite: Suite }
  | { kind: 'first-tasks'; suite: Suite }
  | { kind: 'watch'; running: RunningEvaluation };

/** An evaluation of either kind that is under way. */
interface RunningEvaluation {
  name: string;
  suiteName: string;
  /** Runs that have not ended. */
  left: number;
  to: string;
}

/** The last evaluation that has ended and that a person started for its own sake. */
export function lastEvaluation(evaluations: readonly Evaluation[]): Evaluation | null {
  return evaluations.find(({ origin, state }) => origin === null && hasEnded(state)) ?? null;
}

/** The last task evaluation that has ended. */
export const lastTaskEvaluation = (tasks: readonly TaskEvaluation[]): TaskEvaluation | null =>
  tasks.find(({ state }) => hasEnded(state)) ?? null;

function runningEvaluation({
  evaluations,
  tasks,
}: Pick<Workspace, 'evaluations' | 'tasks'>): RunningEvaluation | null {
  const cases = evaluations.find(({ state }) => !hasEnded(state));
  if (cases)
    return {
      name: `Evaluation #${cases.number}`,
      suiteName: cases.suiteName,
      left: cases.counts.open,
      to: `/results/${cases.id}`,
    };
  const working = tasks.find(({ state }) => !hasEnded(state));
  return working
    ? {
        name: `Task evaluation #${working.number}`,
        suiteName: working.suiteName,
        left: working.outcomes.not_run,
        to: `/results/${working.id}`,
      }
    : null;
}

/** The next step; null if it is that of the last evaluation's verdict. */
export function nextStep({
  servers,
  suites,
  evaluations,
  tasks,
  sampleEvaluating,
}: Workspace): NextStep | null {
  const running = runningEvaluation({ evaluations, tasks });
  if (running !== null) return { kind: 'watch', running };
  if (lastEvaluation(evaluations) !== null || lastTaskEvaluation(tasks) !== null) return null;
  if (sampleEvaluating) return { kind: 'sample' };
  const suite = suites.find(({ caseCount }) => caseCount > 0);
  if (suite !== undefined) return { kind: 'first-run', suite };
  const ofTasks = suites.find(({ taskCount }) => taskCount > 0);
  if (ofTasks !== undefined) return { kind: 'first-tasks', suite: ofTasks };
  const empty = suites[0];
  if (empty !== undefined) return { kind: 'write-cases', suite: empty };
  return servers.length === 0 ? { kind: 'add-server' } : { kind: 'add-suite' };
}
