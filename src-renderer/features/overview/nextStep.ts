import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { splitToolId } from '../../../src-shared/domain/labels.ts';
import type { SampleData } from '../../../src-shared/domain/sampleData.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';

export interface Workspace {
  servers: readonly ServerOverview[];
  suites: readonly Suite[];
  /** Newest first. */
  evaluations: readonly Evaluation[];
  /** Newest first. */
  tasks: readonly TaskEvaluation[];
  /** Proven candidates that their servers don't offer yet, the newest first. */
  proven: readonly Candidate[];
}

/** The step before there is a verdict, or one that matters more than that of the verdict. */
export type NextStep =
  | { kind: 'add-server' }
  | { kind: 'add-suite' }
  | { kind: 'write-cases'; suite: Suite }
  | { kind: 'first-cases'; server: ServerOverview }
  | { kind: 'connect'; server: ServerOverview }
  | { kind: 'sample' }
  | { kind: 'first-run'; suite: Suite }
  | { kind: 'first-tasks'; suite: Suite }
  | { kind: 'proven'; candidate: Candidate }
  | { kind: 'watch'; running: RunningEvaluation };

type Sample = Pick<SampleData, 'servers' | 'suites'>;

/**
 * What counts: everything while there are only sample servers, or while the settings show the
 * sample; else what isn't part of it.
 */
export function ownPart(all: Workspace, sample: Sample, showSample: boolean): Workspace {
  const isOwn = ({ name }: { name: string }): boolean => !sample.servers.includes(name);
  if (showSample || !all.servers.some(isOwn)) return all;
  const ofOwn = ({ suiteName }: { suiteName: string }): boolean =>
    !sample.suites.includes(suiteName);
  return {
    servers: all.servers.filter(isOwn),
    suites: all.suites.filter(({ name }) => !sample.suites.includes(name)),
    evaluations: all.evaluations.filter(ofOwn),
    tasks: all.tasks.filter(ofOwn),
    proven: all.proven.filter(({ toolId }) => isOwn({ name: splitToolId(toolId).server })),
  };
}

/** An evaluation of either kind that is under way. */
interface RunningEvaluation {
  name: string;
  suiteName: string;
  /** Runs that have not ended. */
  left: number;
  to: string;
}

/** A result that has ended and that a person started for its own sake. */
export type Last =
  { unit: 'case'; evaluation: Evaluation } | { unit: 'task'; evaluation: TaskEvaluation };

const runsOf = (last: Last): number =>
  last.unit === 'case'
    ? last.evaluation.counts.total
    : Object.values(last.evaluation.outcomes).reduce((sum, count) => sum + count, 0);

const sizeOf = (last: Last): number => {
  const { models, settings } = last.evaluation;
  return runsOf(last) / Math.max(1, models.length * settings.repetitions);
};

/**
 * The result that the overview leads with: the last one of an own suite, else of the sample. A part
 * of a suite, a single case or task, and what has less than half of the cases of another listed
 * result of its suite are trials, which lead only while there is nothing else.
 */
export function lastResult(
  { evaluations, tasks }: Pick<Workspace, 'evaluations' | 'tasks'>,
  sample: Pick<Sample, 'suites'>,
): Last | null {
  const ended: Last[] = [
    ...evaluations
      .filter(({ origin, state }) => origin === null && hasEnded(state))
      .map((evaluation): Last => ({ unit: 'case', evaluation })),
    ...tasks
      .filter(({ state }) => hasEnded(state))
      .map((evaluation): Last => ({ unit: 'task', evaluation })),
  ].sort((a, b) => Date.parse(b.evaluation.createdAt) - Date.parse(a.evaluation.createdAt));
  const own = ended.filter(({ evaluation }) => !sample.suites.includes(evaluation.suiteName));
  const chosen = own.length > 0 ? own : ended;
  const largest = (one: Last): number =>
    Math.max(
      ...chosen
        .filter(
          ({ unit, evaluation }) =>
            unit === one.unit && evaluation.suiteName === one.evaluation.suiteName,
        )
        .map(sizeOf),
    );
  const isTrial = (one: Last): boolean =>
    one.evaluation.settings.shard !== null || sizeOf(one) <= 1 || sizeOf(one) * 2 < largest(one);
  return chosen.find((one) => !isTrial(one)) ?? chosen[0] ?? null;
}

function runningEvaluation(
  props: Pick<Workspace, 'evaluations' | 'tasks'>,
): RunningEvaluation | null {
  const { evaluations, tasks } = props;
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

/** The next step; null if it is that of the last verdict. */
export function nextStep(
  { servers, suites, evaluations, tasks, proven }: Workspace,
  {
    sample,
    sampleEvaluating,
  }: {
    sample: Sample;
    /** True while the evaluation of the sample data is about to run, or runs. */
    sampleEvaluating: boolean;
  },
): NextStep | null {
  const running = runningEvaluation({ evaluations, tasks });
  if (running !== null) return { kind: 'watch', running };
  const [candidate] = proven;
  if (candidate !== undefined) return { kind: 'proven', candidate };
  if (lastResult({ evaluations, tasks }, sample) !== null) return null;
  const own = servers.filter(({ name }) => !sample.servers.includes(name));
  if (sampleEvaluating && own.length === 0) return { kind: 'sample' };
  const suite = suites.find(({ caseCount }) => caseCount > 0);
  if (suite !== undefined) return { kind: 'first-run', suite };
  const ofTasks = suites.find(({ taskCount }) => taskCount > 0);
  if (ofTasks !== undefined) return { kind: 'first-tasks', suite: ofTasks };
  const listed = own.find(({ toolCount }) => (toolCount ?? 0) > 0);
  if (listed !== undefined && suites.length === 0) return { kind: 'first-cases', server: listed };
  const [empty] = suites;
  if (empty !== undefined) return { kind: 'write-cases', suite: empty };
  const [server] = own;
  if (server !== undefined && !server.checking && server.toolCount === null)
    return { kind: 'connect', server };
  return servers.length === 0 ? { kind: 'add-server' } : { kind: 'add-suite' };
}
