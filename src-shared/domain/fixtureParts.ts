import type { TaskFixtures } from './taskFixtures.ts';
import type { TaskProgram } from './taskProgram.ts';

type ResetStep = NonNullable<TaskFixtures['reset']>[number];
type ResetCall = Extract<ResetStep, { tool: string }>;

/** The fixtures of a task alone, as a file writes them too; what it lacks is left out. */
export const fixturesOf = ({ before, files, databases, reset }: TaskFixtures): TaskFixtures => ({
  ...(before && { before }),
  ...(files && { files }),
  ...(databases && { databases }),
  ...(reset && { reset }),
});

const isCall = (step: ResetStep): step is ResetCall => 'tool' in step;
/** The calls of `reset`, in order, as calls of a setup. */
export const resetCalls = ({ reset = [] }: Pick<TaskFixtures, 'reset'>) =>
  reset.filter(isCall).map((call) => ({ ...call, arguments: call.arguments ?? {} }));
/** The readings before the first turn, as calls of a setup. */
export const callsBefore = ({ before = {} }: Pick<TaskFixtures, 'before'>) =>
  Object.values(before).map(({ server: of, tool, arguments: args = {} }) => ({
    ...{ server: of, tool },
    arguments: args,
  }));
/** The programs that prepare a run, in the order in which they run. */
export const fixturePrograms = ({
  files = [],
  reset = [],
}: Pick<TaskFixtures, 'files' | 'reset'>): TaskProgram[] => [
  ...files.flatMap((each) => ('program' in each ? [each.program] : [])),
  ...reset.flatMap((step) =>
    isCall(step) ? [] : [{ command: step.command, timeout: step.timeout }],
  ),
];
export const readsFolder = ({ files = [], databases = [] }: TaskFixtures): boolean =>
  databases.length > 0 || files.some((each) => 'from' in each);
/** Whether the folder of the suite makes a difference to a task: its files or its programs are there. */
export const needsFolder = (
  task: TaskFixtures & { checks: readonly { kind: string }[] },
): boolean =>
  readsFolder(task) ||
  fixturePrograms(task).length > 0 ||
  task.checks.some(({ kind }) => kind === 'program');

export const renamedFixtures = (
  { before, files, databases, reset }: TaskFixtures,
  renamed: <Reference extends { server: string; tool: string }>(given: Reference) => Reference,
): TaskFixtures =>
  fixturesOf({
    ...{ files, databases },
    before:
      before &&
      Object.fromEntries(Object.entries(before).map(([name, reading]) => [name, renamed(reading)])),
    reset: reset?.map((step) =>
      isCall(step) ? renamed(step) : { ...step, server: renamed({ ...step, tool: '' }).server },
    ),
  });
