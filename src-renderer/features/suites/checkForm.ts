import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { isJsonPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import {
  byCheckKind,
  taskCheck,
  type CallsCheck,
  type ExpectedUse,
  type ReadingCheck,
  type TaskCheck,
} from '../../../src-shared/domain/task.ts';
import { checkKinds, type CheckKind } from '../../../src-shared/domain/checkKinds.ts';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { readParameters, readReference } from './caseForm.ts';
import { matcherProblem } from './matcherHelp.ts';

const count = z.union([z.number(), z.literal('')]);
/** Calls of a tool that a check looks for. */
const useForm = z.object({
  /** Identifies the row while it is edited. */
  row: z.number(),
  tool: z.string(),
  /** JSON text of the arguments that are compared. */
  arguments: z.string(),
  least: count,
  most: count,
  /** Neighbors with the same number come in any order among themselves; empty: in no group. */
  group: count,
});
export type UseForm = z.infer<typeof useForm>;
export const emptyUse: UseForm = {
  row: 0,
  tool: '',
  arguments: '{}',
  least: '',
  most: '',
  group: '',
};
const uses = z.array(useForm);
export const useLists = ['must', 'any', 'never'] as const;
type UseList = (typeof useLists)[number];

export const checkForm = z.object({
  /** Identifies the row while it is edited. */
  row: z.number(),
  kind: z.enum(checkKinds),
  id: z.string(),
  /** `server:tool` of a state check. */
  tool: z.string(),
  /** JSON text of the arguments of a state check. */
  arguments: z.string(),
  at: z.string(),
  test: z.enum(['contains', 'excludes', 'matches']),
  /** JSON text of what a state or an answer is compared with. */
  expected: z.string(),
  must: uses,
  any: uses,
  never: uses,
  ordered: z.boolean(),
  /** The words of a command. */
  command: z.array(z.string()),
  /** What a judge check asks. */
  rubric: z.string(),
  /** JSON text of what a check may say besides, as a suite file names it. */
  more: z.string(),
});
export type CheckForm = z.infer<typeof checkForm>;

export const emptyCheck: CheckForm = {
  row: 0,
  kind: 'state',
  id: '',
  tool: '',
  arguments: '{}',
  at: '',
  test: 'contains',
  expected: '',
  must: [],
  any: [],
  never: [],
  ordered: false,
  command: [],
  rubric: '',
  more: '{}',
};

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

export const formOfCheck = (check: TaskCheck, row: number): CheckForm => {
  const { own, more } = fieldsOf(check);
  const further = { ...more, ...(check.weight !== undefined && { weight: check.weight }) };
  return {
    ...emptyCheck,
    ...{ row, id: check.id, kind: check.kind, more: jsonText(further) },
    ...own,
  };
};
interface Fields {
  own: Partial<CheckForm>;
  more?: Record<string, unknown>;
}
const readingFields = ({ server, tool, at, arguments: args, ignore }: ReadingCheck): Fields => ({
  own: { at, arguments: jsonText(args), tool: toolId(server, tool) },
  more: { ...(ignore && { ignore }) },
});
const fieldsOf = byCheckKind<Fields>({
  state: ({ server, tool, at, test, arguments: args, expected }) => ({
    own: {
      ...{ at, test, arguments: jsonText(args), expected: jsonText(expected) },
      tool: toolId(server, tool),
    },
  }),
  end_state: (check) => readingFields(check),
  unchanged: (check) => readingFields(check),
  answer: ({ id: _id, kind: _kind, weight: _weight, expected, ...more }) => ({
    own: { expected: jsonText(expected) },
    more,
  }),
  calls: ({ must, ordered, any = [], never, total, repeats, neverOwn }) => ({
    own: { ordered, must: rowsOf(must), any: rowsOf(any), never: rowsOf(never) },
    more: {
      ...(total && { total }),
      ...(repeats === false && { repeats }),
      ...(neverOwn && { never_own: neverOwn }),
    },
  }),
  program: ({ command, timeout, exitCode }) => ({
    own: { command },
    more: {
      ...(timeout !== undefined && { timeout }),
      ...(exitCode !== undefined && { exit_code: exitCode }),
    },
  }),
  judge: ({ rubric }) => ({ own: { rubric } }),
});

type Use = CallsCheck['must'][number] | CallsCheck['never'][number];

const rowsOf = (list: readonly Use[]): UseForm[] =>
  list
    .flatMap((use, index) =>
      Array.isArray(use)
        ? use.map((each) => ({ ...formOfUse(each), group: index + 1 }))
        : [formOfUse(use)],
    )
    .map((form, row) => ({ ...form, row }));

function formOfUse(use: ExpectedUse): UseForm {
  if (typeof use === 'string') return { ...emptyUse, tool: use };
  const { tool, arguments: args, at_least: least, at_most: most } = use;
  return {
    ...{ ...emptyUse, tool, arguments: jsonText(args ?? {}) },
    // A name alone counts its mentions, which an entry that says "at least 1" doesn't.
    least: least ?? (args === undefined && most === undefined ? 1 : ''),
    most: most ?? '',
  };
}

/** What a list of calls looks for, in the notation of a check. */
function readUses(
  rows: readonly UseForm[],
  list: UseList,
  report: (field: string, problem: string) => void,
): unknown[] {
  const read: { group: number | ''; use: unknown }[] = [];
  for (const [index, row] of rows.entries()) {
    const place = `${list}.${index}`;
    if (row.tool.trim() === '') report(`${place}.tool`, 'Choose a tool.');
    const args = readParameters(row.arguments);
    const problem = args.ok ? matcherProblem(args.value) : args.problem;
    if (problem !== null) report(`${place}.arguments`, problem);
    const given = args.ok && Object.keys(args.value).length > 0 ? { arguments: args.value } : {};
    // Of calls that must not happen, there is no number.
    const least = row.least === '' || list === 'never' ? {} : { at_least: row.least };
    const most = row.most === '' || list === 'never' ? {} : { at_most: row.most };
    const more = { ...given, ...least, ...most };
    const use = Object.keys(more).length === 0 ? row.tool : { tool: row.tool, ...more };
    read.push({ group: list === 'must' ? row.group : '', use });
  }
  return read.flatMap(({ group, use }, index) => {
    if (group === '') return [use];
    if (read[index - 1]?.group === group) return [];
    const end = read.findIndex((other, at) => at > index && other.group !== group);
    return [read.slice(index, end === -1 ? undefined : end).map((each) => each.use)];
  });
}

/** The same check with the fields of another kind, which start empty. */
export function withCheckKind(form: CheckForm, kind: CheckKind): CheckForm {
  const expected = kind === 'answer' ? jsonText({ $contains: '' }) : '';
  return { ...emptyCheck, row: form.row, id: form.id, kind, expected };
}

/** A JSON value that a person typed. Text that isn't JSON is a problem and never taken as text. */
export function readValue(
  text: string,
): { ok: true; value: JsonValue } | { ok: false; problem: string } {
  if (text.trim() === '') return { ok: false, problem: 'Enter a JSON value, such as "milk" or 3.' };
  try {
    return { ok: true, value: parseJson(text) as JsonValue };
  } catch (error) {
    return { ok: false, problem: `This isn’t valid JSON: ${errorText(error)}.` };
  }
}

/**
 * Adds problems under the names of the fields: `tool`, `arguments`, `at`, `expected`, `must`,
 * `must.0.tool`, `command`, `more`.
 */
export function readCheck(
  form: CheckForm,
  index: number,
  report: (field: string, problem: string) => void,
): TaskCheck | null {
  const noted: string[] = [];
  const note = (field: string, problem: string): void => {
    noted.push(field);
    report(field, problem);
  };
  const id = form.id.trim() === '' ? `check-${index + 1}` : form.id.trim();
  const own = ownFields(form, note);
  const more = readObject(form.more);
  if (more === null) note('more', 'Enter a JSON object, such as {"weight": 2}.');
  if (noted.length > 0 || own === null || more === null) return null;
  const check = taskCheck.safeParse({ id, kind: form.kind, ...own, ...furtherFields(more) });
  const [issue] = check.error?.issues ?? [];
  if (issue !== undefined) {
    const [field = ''] = issue.path.map(String);
    const inForm = ['at', 'must', 'any', 'never', 'command', 'rubric'].includes(field);
    const place = inForm && form.kind !== 'answer' ? field : 'more';
    note(place, place === field || field === '' ? issue.message : `${field}: ${issue.message}`);
  }
  return check.data ?? null;
}

/** Members that a suite file names, as a check has them; those that say what is so anyway are left out. */
function furtherFields(given: JsonObject): JsonObject {
  const { exit_code: exitCode, repeats, never_own: neverOwn, ...more } = given;
  return {
    ...more,
    ...(exitCode === undefined || exitCode === false ? {} : { exitCode }),
    ...(repeats === undefined || repeats === true ? {} : { repeats }),
    ...(neverOwn === undefined ? {} : { neverOwn }),
  };
}

function ownFields(
  form: CheckForm,
  report: (field: string, problem: string) => void,
): Record<string, unknown> | null {
  const expected = (): JsonValue => {
    const read = readValue(form.expected);
    const problem = read.ok ? matcherProblem(read.value) : read.problem;
    if (problem !== null) report('expected', problem);
    return read.ok ? read.value : null;
  };
  switch (form.kind) {
    case 'state':
    case 'end_state':
    case 'unchanged': {
      const reference = readReference(form.tool);
      if (reference === null) report('tool', 'Choose the tool that reads the state.');
      const args = readParameters(form.arguments);
      if (!args.ok) report('arguments', args.problem);
      const { kind, at, test } = form;
      if (!isJsonPointer(at)) report('at', 'A JSON pointer is empty or begins with "/".');
      const compared = kind === 'state' ? { test, expected: expected() } : {};
      return args.ok ? { ...reference, arguments: args.value, at, ...compared } : null;
    }
    case 'answer':
      return { expected: expected() };
    case 'calls': {
      const { ordered } = form;
      const [must, any, never] = useLists.map((list) => readUses(form[list], list, report));
      const counts = Object.keys(readObject(form.more) ?? {}).some((name) => name !== 'weight');
      if (useLists.every((list) => form[list].length === 0) && !counts)
        report('must', 'Name a tool that must be called, or one that must not.');
      return { must, ordered, never, ...(form.any.length > 0 && { any }) };
    }
    case 'program':
      if (form.command.length === 0) report('command', 'Enter the program to start.');
      return { command: form.command };
    case 'judge':
      if (form.rubric.trim() === '') report('rubric', 'Enter what the run must meet.');
      return { rubric: form.rubric.trim() };
  }
}

/** The value that JSON text holds; undefined while it is not valid. */
export function valueOf(text: string): JsonValue | undefined {
  const read = readValue(text);
  return read.ok ? read.value : undefined;
}
