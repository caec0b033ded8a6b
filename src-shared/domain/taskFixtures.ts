import { z } from 'zod';
import { jsonObject } from './json.ts';
import { readingsBefore } from './runValues.ts';
import { taskProgram, type TaskProgram } from './taskProgram.ts';
import { toolReference } from './testCase.ts';

/** A path that begins in a folder and never leads out of it, on every system. */
const innerPath = z
  .string()
  .min(1)
  .max(1_000)
  .refine(
    (path) => !/^[/~]|^[A-Za-z]:|[\\\u0000-\u001f]/u.test(path) && !path.split('/').includes('..'),
    'A path is written with "/", begins in its folder, and never leads out of it.',
  );

const copied = z.strictObject({
  from: innerPath.describe(
    'A file, a folder, or an archive (.zip, .tar, .tar.gz, .tgz), which is unpacked. The path begins in the folder of the suite file.',
  ),
  to: innerPath
    .describe(
      'Where it goes in the folder of the run. Left out: its own name there; of an archive, the folder of the run.',
    )
    .optional(),
});
const generated = z.strictObject({
  program: taskProgram.describe(
    'A program that writes them into the folder TOUCHSTONE_RUN_DIR. It runs only if you allow programs.',
  ),
});
const server = toolReference.shape.server;

/** What a run finds when it starts. */
export const taskFixtures = {
  before: readingsBefore
    .describe(
      'Values that are read after the setup and before the first turn, by name: {{before.NAME}}.',
    )
    .optional(),
  files: z
    .array(z.union([copied, generated]))
    .min(1)
    .describe('What is copied into the folder of each run before its servers start.')
    .optional(),
  databases: z
    .array(
      z.strictObject({
        from: innerPath.describe(
          'A SQLite database, which is copied, or an SQL dump (.sql), which is loaded into a new one. The path begins in the folder of the suite file.',
        ),
        to: innerPath.describe('The database in the folder of the run, such as shop.db.'),
      }),
    )
    .min(1)
    .describe('SQLite databases in the folder of each run, before its servers start.')
    .optional(),
  reset: z
    .array(
      z.union([
        toolReference.extend({ arguments: jsonObject.optional() }),
        taskProgram.extend({ server }),
      ]),
    )
    .min(1)
    .describe(
      'Before each run: a call of a tool, or a program, that brings the data of a shared server back to its start.',
    )
    .optional(),
};
const fixtures = z.object(taskFixtures);
export type TaskFixtures = z.infer<typeof fixtures>;
export type ResetStep = NonNullable<TaskFixtures['reset']>[number];
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
/** Whether a task needs a file of the folder of its suite. */
export const readsFolder = ({ files = [], databases = [] }: TaskFixtures): boolean =>
  databases.length > 0 || files.some((each) => 'from' in each);
/** Whether the folder of the suite makes a difference to a task: its files or its programs are there. */
export const needsFolder = (
  task: TaskFixtures & { checks: readonly { kind: string }[] },
): boolean =>
  readsFolder(task) ||
  fixturePrograms(task).length > 0 ||
  task.checks.some(({ kind }) => kind === 'program');

/** The fixtures with other references to tools. */
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
