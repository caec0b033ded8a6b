import { z } from 'zod';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { isJsonPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import {
  byCheckKind,
  taskCheck,
  type ReadingCheck,
  type TaskCheck,
} from '../../../src-shared/domain/task.ts';
import { checkKinds, type CheckKind } from '../../../src-shared/domain/checkKinds.ts';
import { readParameters, readReference } from './caseForm.ts';
import { matcherProblem } from './matcherHelp.ts';

export const checkForm = z.object({
  /** Identifies the row while it is edited. */
  row: z.number(),
  kind: z.enum([...checkKinds, 'json']),
  id: z.string(),
  /** `server:tool` of a state check. */
  tool: z.string(),
  /** JSON text of the arguments of a state check. */
  arguments: z.string(),
  at: z.string(),
  test: z.enum(['contains', 'excludes', 'matches']),
  /** JSON text of what a state or an answer is compared with. */
  expected: z.string(),
  /** Tools that must be called, or the words of a command. */
  must: z.array(z.string()),
  ordered: z.boolean(),
  never: z.array(z.string()),
  /** What a judge check asks. Drafts of earlier versions lack it. */
  rubric: z.string().default(''),
  /** JSON text of a check that has no fields here. */
  json: z.string(),
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
  ordered: false,
  never: [],
  rubric: '',
  json: '',
};

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

export const formOfCheck = (check: TaskCheck, row: number): CheckForm => ({
  ...emptyCheck,
  row,
  id: check.id,
  ...(check.weight === undefined ? fieldsOf(check) : asJson(check)),
});
const readingFields = (check: ReadingCheck): Partial<CheckForm> =>
  check.ignore === undefined
    ? {
        ...{ kind: check.kind, at: check.at, arguments: jsonText(check.arguments) },
        tool: toolId(check.server, check.tool),
      }
    : asJson(check);
const asJson = (check: TaskCheck) => ({ kind: 'json' as const, json: jsonText(check) });

const fieldsOf = byCheckKind<Partial<CheckForm>>({
  state: ({ kind, server, tool, at, test, arguments: args, expected }) => ({
    ...{ kind, at, test, arguments: jsonText(args) },
    tool: toolId(server, tool),
    expected: jsonText(expected),
  }),
  end_state: (check) => readingFields(check),
  unchanged: (check) => readingFields(check),
  answer: (check) => {
    const { id: _, kind, expected, ...reading } = check;
    return Object.keys(reading).length === 0
      ? { kind, expected: jsonText(expected) }
      : asJson(check);
  },
  calls: (check) => {
    const { kind, must, ordered, any, never } = check;
    const isText = (entry: unknown): entry is string => typeof entry === 'string';
    return any === undefined && must.every(isText) && never.every(isText)
      ? { kind, must: [...must], ordered, never: [...never] }
      : asJson(check);
  },
  program: (check) =>
    check.timeout === undefined && check.exitCode === undefined
      ? { kind: check.kind, must: check.command }
      : asJson(check),
  judge: ({ kind, rubric }) => ({ kind, rubric }),
});

/** The same check with the fields of another kind, which start empty; as JSON, it stays what it is. */
export function withCheckKind(form: CheckForm, kind: CheckKind | 'json', index = 0): CheckForm {
  if (kind === 'json') {
    const broken: string[] = [];
    const check = readCheck(form, index, (field) => broken.push(field));
    const json = broken.length === 0 && check !== null ? jsonText(check) : '';
    return { ...emptyCheck, row: form.row, kind, json };
  }
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

/** Adds problems under the names of the fields: `tool`, `arguments`, `at`, `expected`, `must`, `json`. */
export function readCheck(
  form: CheckForm,
  index: number,
  report: (field: string, problem: string) => void,
): TaskCheck | null {
  const id = form.id.trim() === '' ? `check-${index + 1}` : form.id.trim();
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
      if (!isJsonPointer(form.at)) report('at', 'A JSON pointer is empty or begins with "/".');
      const { kind, at, test } = form;
      const value = kind === 'state' ? expected() : null;
      if (reference === null || !args.ok) return null;
      const read = { id, ...reference, arguments: args.value, at };
      return kind === 'state' ? { kind, ...read, test, expected: value } : { kind, ...read };
    }
    case 'answer':
      return { id, kind: form.kind, expected: expected() };
    case 'calls': {
      const { kind, must, ordered, never } = form;
      if (must.length + never.length === 0)
        report('must', 'Name a tool that must be called, or one that must not.');
      return { id, kind, must, ordered, never };
    }
    case 'program':
      if (form.must.length === 0) report('must', 'Enter the program to start.');
      return { id, kind: form.kind, command: form.must };
    case 'judge':
      if (form.rubric.trim() === '') report('rubric', 'Enter what the run must meet.');
      return { id, kind: form.kind, rubric: form.rubric.trim() };
    case 'json': {
      const read = readValue(form.json);
      const check = taskCheck.safeParse(read.ok ? read.value : null);
      if (!read.ok) report('json', read.problem);
      else if (!check.success) report('json', check.error.issues[0]?.message ?? 'Not a check.');
      return check.data ?? null;
    }
  }
}

/** The value that JSON text holds; undefined while it is not valid. */
export function valueOf(text: string): JsonValue | undefined {
  const read = readValue(text);
  return read.ok ? read.value : undefined;
}
