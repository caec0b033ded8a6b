import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import {
  defaultTaskLimits,
  defaultUserTurns,
  taskContent,
  taskLimits,
  type SimulatedUser,
  type SuiteTask,
  type TaskContent,
  type TaskLimits,
} from '../../../src-shared/domain/task.ts';
import { suiteFileTask } from '../../../src-shared/domain/taskFile.ts';
import { fixturesOf } from '../../../src-shared/domain/fixtureParts.ts';
import { nameFrom, readParameters, readReference } from './caseForm.ts';
import {
  type CheckForm,
  checkForm,
  formOfCheck,
  jsonText,
  readCheck,
  readValue,
} from './checkForm.ts';

/** A call of a tool, or a stub result for it. */
const toolCallForm = z.object({
  /** Identifies the row while it is edited. */
  row: z.number(),
  /** `server:tool`. */
  tool: z.string(),
  /** JSON text of the arguments. */
  arguments: z.string(),
});
export type ToolCallForm = z.infer<typeof toolCallForm>;

const stubForm = toolCallForm.extend({
  /** True if it answers every call of the tool. */
  always: z.boolean(),
  /** JSON text. */
  result: z.string(),
  isError: z.boolean(),
});
export type StubForm = z.infer<typeof stubForm>;

const limitNames = ['steps', 'toolCalls', 'seconds', 'tokens'] as const;
const limitForm = z.union([z.number(), z.literal('')]);

const shown = {
  name: true,
  turns: true,
  tags: true,
  servers: true,
  setup: true,
  solution: true,
  checks: true,
  limits: true,
  stubs: true,
  injection: true,
  faults: true,
  user: true,
  before: true,
  files: true,
  databases: true,
  reset: true,
} as const;
const { before, files, databases, reset, faults } = shown;
const circumstances = taskContent.pick({ before, files, databases, reset, faults });

const taskForm = z.object({
  key: z.string(),
  name: z.string(),
  turns: z.array(z.object({ row: z.number(), text: z.string() })),
  tags: z.array(z.string()),
  servers: z.array(z.string()),
  setup: z.array(toolCallForm),
  solution: z.array(toolCallForm).default([]),
  checks: z.array(checkForm),
  limits: z.record(z.enum(limitNames), limitForm),
  stubs: z.array(stubForm),
  /** JSON text of a hostile instruction, as a suite file writes it; without members: none. */
  injection: z.string(),
  /** JSON text of a simulated user; without members: none. */
  user: z.string(),
  /** JSON text of what a run finds when it starts, and of what tools do wrong on purpose. */
  fixtures: z.string().default('{}'),
  /** Not editable here; kept unchanged. */
  kept: taskContent.omit(shown),
});
export type TaskForm = z.infer<typeof taskForm>;

/** Problems by field: `name`, `turns.0`, `checks.1.expected`, `limits.steps`, `stubs.0.result`,
 * `injection.tool`, `user.goal`. */
export type TaskProblems = Readonly<Record<string, string>>;
export interface TaskInput {
  key?: string;
  content: TaskContent;
}
type TaskResult = { ok: true; input: TaskInput } | { ok: false; problems: TaskProblems };

export const emptyTaskForm: TaskForm = {
  key: '',
  name: '',
  turns: [{ row: 0, text: '' }],
  tags: [],
  servers: [],
  setup: [],
  solution: [],
  checks: [],
  limits: { ...defaultTaskLimits },
  stubs: [],
  injection: '{}',
  user: '{}',
  fixtures: '{}',
  kept: {},
};

export function formOfTask({ key, content }: Pick<SuiteTask, 'key' | 'content'>): TaskForm {
  const { name, turns, tags, servers, setup, solution, checks, limits, ...others } = content;
  const { stubs, injection, faults: wrong, user, ...rest } = others;
  const { before: _before, files: _files, databases: _databases, reset: _reset, ...kept } = rest;
  const { before: values, ...found } = fixturesOf(rest);
  return {
    key,
    name,
    turns: turns.map((text, row) => ({ row, text })),
    tags: [...tags],
    servers: [...servers],
    setup: setup.map(formOfCall),
    solution: (solution ?? []).map(formOfCall),
    checks: checks.map(formOfCheck),
    limits: { ...limits },
    stubs: stubs.map((stub, row) => ({
      row,
      tool: toolId(stub.server, stub.tool),
      always: stub.arguments === undefined,
      arguments: jsonText(stub.arguments ?? {}),
      result: jsonText(stub.result),
      isError: stub.isError,
    })),
    injection: jsonText(injection ?? {}),
    user: jsonText(user ? userPart(user) : {}),
    fixtures: jsonText({
      ...(values && { before: Object.entries(values).map(([as, value]) => ({ as, ...value })) }),
      ...found,
      ...(wrong && { faults: wrong }),
    }),
    kept,
  };
}

const formOfCall = (call: TaskContent['setup'][number], row: number): ToolCallForm => ({
  row,
  tool: toolId(call.server, call.tool),
  arguments: jsonText(call.arguments),
});

/** A copy to be saved as a new task with its own key. */
export function duplicateOfTask(task: SuiteTask): TaskForm {
  return { ...formOfTask(task), key: '', name: `${task.content.name} (copy)` };
}

/** A new task after one was saved: likely on the same servers, and prepared alike. */
export function formAfterTask(task: SuiteTask): TaskForm {
  const { servers, tags, setup, limits } = formOfTask(task);
  return { ...emptyTaskForm, servers, tags, setup, limits };
}

/** What a reading for a state check executes, or why there can't be one yet. */
export function readingOf(
  setup: readonly ToolCallForm[],
  check: Pick<CheckForm, 'tool' | 'arguments'>,
):
  | { ok: true; setup: TaskContent['setup']; read: TaskContent['setup'][number] }
  | { ok: false; problem: string } {
  const none = (): void => undefined;
  const prepared = setup.map((call) => readCall(call, none));
  const read = readCall({ row: 0, tool: check.tool, arguments: check.arguments }, none);
  if (read === null) return { ok: false, problem: 'Choose a tool and valid arguments first.' };
  if (prepared.includes(null)) return { ok: false, problem: 'Complete the setup calls first.' };
  return { ok: true, setup: prepared.filter((call) => call !== null), read };
}

export function nextRow(rows: readonly { row: number }[]): number {
  return Math.max(-1, ...rows.map(({ row }) => row)) + 1;
}

type Report = (field: string, problem: string) => void;

function readCall(form: ToolCallForm, report: Report) {
  const reference = readReference(form.tool);
  if (reference === null) report('tool', 'Choose a tool.');
  const args = readParameters(form.arguments);
  if (!args.ok) report('arguments', args.problem);
  return reference === null || !args.ok ? null : { ...reference, arguments: args.value };
}

function readStub(form: StubForm, report: Report): TaskContent['stubs'][number] | null {
  const call = readCall(form.always ? { ...form, arguments: '{}' } : form, report);
  const result = readValue(form.result);
  if (!result.ok) report('result', result.problem);
  if (call === null || !result.ok) return null;
  const { server, tool } = call;
  const given = form.always ? {} : { arguments: call.arguments };
  return { server, tool, ...given, result: result.value, isError: form.isError };
}

/** An empty limit is the default. */
function readLimits(form: TaskForm['limits'], report: Report): TaskLimits {
  const entries = limitNames.map((name) => {
    const value = form[name] === '' ? defaultTaskLimits[name] : form[name];
    const read = taskLimits.shape[name].safeParse(value);
    const { maxValue } = taskLimits.shape[name];
    if (!read.success)
      report(
        name,
        maxValue !== null && value > maxValue
          ? `At most ${maxValue.toLocaleString('en-US')}.`
          : 'Enter a whole number, at least 1.',
      );
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Record<(typeof limitNames)[number], number>;
}

const filePart = suiteFileTask.shape;
const parts = {
  fixtures: circumstances.strict(),
  injection: filePart.injection.unwrap(),
  user: filePart.user.unwrap(),
};

/** A simulated user as a suite file writes it, and back. */
const userPart = ({ maxTurns, persona, knows, ...user }: SimulatedUser) => ({
  ...user,
  ...(persona !== '' && { persona }),
  ...(knows.length > 0 && { knows }),
  max_turns: maxTurns,
});
const playedUser = (user: z.infer<(typeof parts)['user']>): SimulatedUser => {
  const { persona = '', knows = [], max_turns: maxTurns = defaultUserTurns, ...more } = user;
  return { ...more, persona, knows, maxTurns };
};

/** Of a value that is none of several shapes, what is wrong with it as the one that it is nearest to. */
function nearest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const [first] = issue.errors.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return first === undefined ? issue : { ...first, path: [...issue.path, ...first.path] };
}

/** What the JSON text of a part says; null if it has no members, or problems, which are reported. */
function readPart<Value>(
  part: z.ZodType<Value>,
  text: string,
  report: (path: string, problem: string) => void,
): Value | null {
  const read = readValue(text.trim() === '' ? '{}' : text);
  if (!read.ok) report('', read.problem);
  const value = read.ok ? withNames(read.value, report) : {};
  if (isJsonObject(value) && Object.keys(value).length === 0) return null;
  const checked = part.safeParse(value);
  for (const { path, code, message } of (checked.error?.issues ?? []).map(nearest)) {
    const missing = code === 'too_small' || (code === 'invalid_type' && path.length > 0);
    report(path.join('.'), missing ? 'Enter a value.' : message);
  }
  return checked.data ?? null;
}

/** Values from before by their names, which a form has in a list. */
function withNames(value: JsonValue, report: (path: string, problem: string) => void): JsonValue {
  if (!isJsonObject(value) || !Array.isArray(value['before'])) return value;
  const named = value['before'].map((each): [string, JsonValue] => {
    const { as, ...reading } = isJsonObject(each) ? each : {};
    return [typeof as === 'string' ? as : '', reading];
  });
  const twice = named.find(([as], at) => named.findIndex(([other]) => other === as) < at)?.[0];
  if (twice !== undefined) report('before', `“${twice}” is there twice. Give each value a name.`);
  return { ...value, before: Object.fromEntries(named) };
}

/** The form as the contract takes it, or what is wrong with each field. */
export function inputOfTaskForm(form: TaskForm): TaskResult {
  const problems: Record<string, string> = {};
  const under =
    (place: string): Report =>
    (field, problem) => {
      problems[`${place}.${field}`] = problem;
    };
  const readAll = <Row, Value>(
    list: string,
    rows: readonly Row[],
    read: (row: Row, index: number, report: Report) => Value | null,
  ): Value[] =>
    rows
      .map((row, index) => read(row, index, under(`${list}.${index}`)))
      .filter((value) => value !== null);
  for (const [index, { text }] of form.turns.entries())
    if (text.trim() === '') problems[`turns.${index}`] = 'Enter what the user says.';
  if (form.checks.length === 0) problems['checks'] = 'Add at least one check.';
  const turns = form.turns.map(({ text }) => text);
  const solution = readAll('solution', form.solution, (row, _index, report) =>
    readCall(row, report),
  );
  for (const [index, { kind }] of form.checks.entries())
    if (kind === 'end_state' && form.solution.length === 0)
      problems[`checks.${index}.tool`] = 'Add the reference solution that the state comes from.';
  const reportOf = (part: keyof typeof parts) => (path: string, problem: string) => {
    problems[path === '' ? part : `${part}.${path}`] ??= problem;
  };
  const user = readPart(parts.user, form.user, reportOf('user'));
  const injection = readPart(parts.injection, form.injection, reportOf('injection'));
  const fixtures = readPart(parts.fixtures, form.fixtures, reportOf('fixtures'));
  const content: TaskContent = {
    ...form.kept,
    name: form.name.trim() === '' ? nameFrom(turns[0] ?? '') : form.name.trim(),
    turns,
    tags: form.tags,
    servers: form.servers,
    setup: readAll('setup', form.setup, (row, _index, report) => readCall(row, report)),
    checks: readAll('checks', form.checks, readCheck),
    limits: readLimits(form.limits, under('limits')),
    stubs: readAll('stubs', form.stubs, (row, _index, report) => readStub(row, report)),
    injection,
    ...(user && { user: playedUser(user) }),
    ...(solution.length > 0 && { solution }),
    ...fixtures,
  };
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const key = form.key.trim();
  return { ok: true, input: { content, ...(key === '' ? {} : { key }) } };
}

/** A stored draft; null if another version of the program stored it in a different shape. */
export function readTaskDraft(content: unknown): TaskForm | null {
  const read = taskForm.safeParse(content);
  return read.success ? read.data : null;
}

/**
 * Maps field names of the contract to those of the form (`content.checks.0.server` →
 * `checks.0.tool`).
 */
export function fieldOfTaskForm(field: string): string {
  const path = field.replace(/^content\./u, '').split('.');
  const [list = '', at = '', part = ''] = path;
  if (list === 'user' || list === 'injection')
    return path.join('.').replace('maxTurns', 'max_turns');
  if (Object.hasOwn(circumstances.shape, list)) return `fixtures.${path.join('.')}`;
  if (!['checks', 'setup', 'solution', 'stubs'].includes(list) || at === '')
    return path.slice(0, list === 'limits' || list === 'turns' ? 2 : 1).join('.');
  return `${list}.${at}.${part === 'server' ? 'tool' : part}`;
}
