import { byCheckKind } from '../../../src-shared/domain/task.ts';
import {
  defaultTaskLimits,
  defaultUserTurns,
  type ReadingCheck,
  type SimulatedUser,
  type StateCheck,
  type TaskCheck,
  type TaskContent,
  type TaskLimits,
} from '../../../src-shared/domain/task.ts';
import {
  byFileCheckKind,
  type SuiteFileTask,
  type TaskFileCheck,
} from '../../../src-shared/domain/taskFile.ts';
import { fixturesOf } from '../../../src-shared/domain/fixtureParts.ts';

interface KeyedTask {
  key: string;
  content: TaskContent;
}
type FileUser = NonNullable<SuiteFileTask['user']>;
type FileLimits = NonNullable<SuiteFileTask['limits']>;

const defaultId = (at: number): string => `check-${at + 1}`;

/** Converts a task to its entry in a suite file. Empty values and defaults are left out. */
export function toFileTask({ key, content: task }: KeyedTask): SuiteFileTask {
  const limits = toFileLimits(task.limits);
  return {
    id: key,
    name: task.name,
    turns: task.turns,
    ...(task.tags.length > 0 && { tags: task.tags }),
    ...(task.servers.length > 0 && { servers: task.servers }),
    ...(task.setup.length > 0 && { setup: task.setup }),
    ...(task.solution && { solution: task.solution }),
    ...fixturesOf(task),
    checks: task.checks.map(toFileCheck),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(task.stubs.length > 0 && {
      stub_results: task.stubs.map(({ isError, ...stub }) => ({
        ...stub,
        ...(isError && { is_error: true }),
      })),
    }),
    ...(task.faults && { faults: task.faults }),
    ...(task.injection !== null && { injection: task.injection }),
    ...(task.user && { user: toFileUser(task.user) }),
  };
}

/** Converts an entry of a suite file to a task; missing values become empty or the default. */
export function fromFileTask(task: SuiteFileTask): KeyedTask {
  return {
    key: task.id,
    content: {
      name: task.name,
      turns: task.turns,
      tags: task.tags ?? [],
      servers: task.servers ?? [],
      setup: (task.setup ?? []).map(withArguments),
      checks: task.checks.map(fromFileCheck),
      limits: fromFileLimits(task.limits ?? {}),
      stubs: (task.stub_results ?? []).map(({ is_error: isError = false, ...stub }) => ({
        ...stub,
        isError,
      })),
      injection: task.injection ?? null,
      ...(task.user && { user: fromFileUser(task.user) }),
      ...(task.solution && { solution: task.solution.map(withArguments) }),
      ...(task.faults && { faults: task.faults }),
      ...fixturesOf(task),
    },
  };
}

const withArguments = (call: NonNullable<SuiteFileTask['setup']>[number]) => ({
  ...call,
  arguments: call.arguments ?? {},
});

/** The id of a check in a file: its own, or the one that its position gives it. */
export function checkIdOf(check: { id?: string | undefined }, at: number): string {
  return check.id ?? defaultId(at);
}

const toFileCheck = (check: TaskCheck, at: number): TaskFileCheck => ({
  ...(check.id !== defaultId(at) && { id: check.id }),
  ...contentOf(check),
  ...(check.weight !== undefined && { weight: check.weight }),
});

const contentOf = byCheckKind<TaskFileCheck>({
  state: ({ server, tool, arguments: args, at, test, expected }) => ({
    state: {
      server,
      tool,
      ...(Object.keys(args).length > 0 && { arguments: args }),
      ...(at !== '' && { at }),
      [test]: expected,
    },
  }),
  end_state: (check) => ({ end_state: toFileReading(check) }),
  unchanged: (check) => ({ unchanged: toFileReading(check) }),
  answer: ({ id: _id, kind: _kind, expected, ...reading }) => ({ answer: expected, ...reading }),
  calls: ({ must, ordered, any, never, total, repeats, neverOwn }) => ({
    calls: {
      ...(must.length > 0 && { must }),
      ...(ordered && { ordered: true }),
      ...(any && { any }),
      ...(never.length > 0 && { never }),
      ...(total && { total }),
      ...(repeats === false && { repeats }),
      ...(neverOwn && { never_own: neverOwn }),
    },
  }),
  program: ({ command, timeout, exitCode }) => ({
    program: {
      command,
      ...(timeout !== undefined && { timeout }),
      ...(exitCode === true && { exit_code: exitCode }),
    },
  }),
  judge: ({ rubric }) => ({ judge: rubric }),
});

const toFileReading = ({ server, tool, arguments: args, at, ignore }: ReadingCheck) => ({
  ...{ server, tool },
  ...(Object.keys(args).length > 0 && { arguments: args }),
  ...(at !== '' && { at }),
  ...(ignore && { ignore }),
});
type FileReading = Extract<TaskFileCheck, { unchanged: unknown }>['unchanged'];
const fromFileReading = ({ arguments: args = {}, at = '', ...reading }: FileReading) => ({
  ...{ arguments: args, at },
  ...reading,
});

const fromFileCheck = (check: TaskFileCheck, at: number): TaskCheck => ({
  ...withId(check, checkIdOf(check, at)),
  ...(check.weight !== undefined && { weight: check.weight }),
});

const withId = byFileCheckKind<TaskCheck, [id: string]>({
  state({ state: { server, tool, arguments: args = {}, at = '', ...tests } }, id) {
    return { id, kind: 'state', server, tool, arguments: args, at, ...testOf(tests) };
  },
  end_state: (check, id) => ({ id, kind: 'end_state', ...fromFileReading(check.end_state) }),
  unchanged: (check, id) => ({ id, kind: 'unchanged', ...fromFileReading(check.unchanged) }),
  answer: ({ id: _id, answer, ...reading }, id) => ({
    ...{ id, kind: 'answer', expected: answer },
    ...reading,
  }),
  calls({ calls: { must = [], ordered = false, never = [], never_own: own, ...more } }, id) {
    return { id, kind: 'calls', must, ordered, never, ...more, ...(own && { neverOwn: own }) };
  },
  program: ({ program: { exit_code: exitCode, ...program } }, id) => ({
    ...{ id, kind: 'program', ...program },
    ...(exitCode === true && { exitCode }),
  }),
  judge: ({ judge }, id) => ({ id, kind: 'judge', rubric: judge }),
});

/** The schema allows exactly one of the three. */
function testOf(
  tests: Pick<
    Extract<TaskFileCheck, { state: unknown }>['state'],
    'contains' | 'excludes' | 'matches'
  >,
): Pick<StateCheck, 'test' | 'expected'> {
  for (const test of ['contains', 'excludes', 'matches'] as const) {
    const expected = tests[test];
    if (expected !== undefined) return { test, expected };
  }
  throw new Error('A state check compares nothing.');
}

function toFileUser({ goal, persona, knows, script, maxTurns }: SimulatedUser): FileUser {
  return {
    goal,
    ...(persona !== '' && { persona }),
    ...(knows.length > 0 && { knows }),
    ...(script && { script }),
    ...(maxTurns !== defaultUserTurns && { max_turns: maxTurns }),
  };
}

const fromFileUser = ({
  goal,
  persona,
  knows,
  script,
  max_turns: maxTurns,
}: FileUser): SimulatedUser => ({
  goal,
  persona: persona ?? '',
  knows: knows ?? [],
  ...(script && { script }),
  maxTurns: maxTurns ?? defaultUserTurns,
});

function toFileLimits({ steps, toolCalls, seconds, tokens }: TaskLimits): FileLimits {
  return {
    ...(steps !== defaultTaskLimits.steps && { steps }),
    ...(toolCalls !== defaultTaskLimits.toolCalls && { tool_calls: toolCalls }),
    ...(seconds !== defaultTaskLimits.seconds && { seconds }),
    ...(tokens !== defaultTaskLimits.tokens && { tokens }),
  };
}

function fromFileLimits({ steps, tool_calls, seconds, tokens }: FileLimits): TaskLimits {
  return {
    steps: steps ?? defaultTaskLimits.steps,
    toolCalls: tool_calls ?? defaultTaskLimits.toolCalls,
    seconds: seconds ?? defaultTaskLimits.seconds,
    tokens: tokens ?? defaultTaskLimits.tokens,
  };
}
