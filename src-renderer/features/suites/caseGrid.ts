import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import { alternatives, type TestCase } from '../../../src-shared/domain/testCase.ts';
import { type ArgumentField, argumentFields } from '../../ui/arguments/argumentFields.ts';
import { type CaseInput, nameFrom } from './caseForm.ts';
import { matcherProblem } from './matcherHelp.ts';

/** One case to be: what a person would say, and what each argument equals, as typed. */
export interface GridRow {
  request: string;
  values: Readonly<Record<string, string>>;
}

/** Further arguments are added in the case itself. */
const maxArguments = 6;

/** The arguments of a tool as columns: those that it requires, then the others. */
export function gridColumns(schema: JsonObject | null): ArgumentField[] {
  const fields = argumentFields(schema ?? {}, {});
  return [
    ...fields.filter(({ required }) => required),
    ...fields.filter(({ required }) => !required),
  ].slice(0, maxArguments);
}

const expects = (testCase: TestCase, id: string): boolean =>
  testCase.expectedCalls.some((call) =>
    alternatives(call).some(({ server, tool }) => toolId(server, tool) === id),
  );

/** How many cases expect a tool, alone or as one of several. */
export const casesOf = (cases: readonly TestCase[], id: string): number =>
  cases.filter((testCase) => expects(testCase, id)).length;

const cellText = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/**
 * What each argument starts with: the only value that the schema allows, else the one that more than
 * half of the suite's cases with an argument of this name expect. Others start empty.
 */
export function prefillOf(
  columns: readonly ArgumentField[],
  cases: readonly TestCase[],
): Record<string, string> {
  const given = cases.flatMap(({ expectedCalls }) =>
    expectedCalls.map(({ parameters }) => parameters ?? {}),
  );
  return Object.fromEntries(
    columns.flatMap(({ name, choices }) => {
      if (choices.length === 1) return [[name, choices[0] ?? '']];
      const texts = given.flatMap((parameters) => {
        const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
        return value === undefined || isJsonObject(value) ? [] : [cellText(value)];
      });
      const usual = [...Map.groupBy(texts, (text) => text)].find(
        ([, same]) => same.length > texts.length / 2 && same.length > 1,
      );
      return usual === undefined ? [] : [[name, usual[0]]];
    }),
  );
}

/** A typed cell as what its argument is compared with; undefined accepts any valid value. */
export function readCell(
  { kind, choices }: Pick<ArgumentField, 'kind' | 'choices'>,
  typed: string,
): { value: JsonValue | undefined } | { problem: string } {
  const text = typed.trim();
  if (text === '') return { value: undefined };
  if (text.startsWith('{"$')) return readJsonCell(text);
  switch (kind) {
    case 'text':
      return { value: typed };
    case 'choice':
      return choices.includes(text)
        ? { value: text }
        : { problem: `One of: ${choices.join(', ')}.` };
    case 'number':
    case 'integer': {
      const value = Number(text);
      const isFit = kind === 'number' ? Number.isFinite(value) : Number.isInteger(value);
      return isFit
        ? { value }
        : { problem: `Enter ${kind === 'number' ? 'a number' : 'an integer'}.` };
    }
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { problem: 'Enter true or false.' };
    case 'texts':
      return text.startsWith('[')
        ? readJsonCell(text)
        : { value: text.split(',').map((part) => part.trim()) };
    case 'json':
      return readJsonCell(text);
  }
}

function readJsonCell(text: string): { value: JsonValue } | { problem: string } {
  try {
    const value = parseJson(text) as JsonValue;
    const problem = matcherProblem(value);
    return problem === null ? { value } : { problem };
  } catch {
    return { problem: 'Enter JSON, such as {"$contains": "text"} or [1, 2].' };
  }
}

/** Rows with a request as cases, or what is wrong, by `row:column`. Rows without one are left out. */
export function readGrid(
  rows: readonly GridRow[],
  columns: readonly ArgumentField[],
  id: string,
): { cases: CaseInput[]; problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const { server, tool } = splitToolId(id);
  const cases = rows.flatMap(({ request, values }, row): CaseInput[] => {
    if (request.trim() === '') return [];
    const parameters: JsonObject = {};
    for (const [at, column] of columns.entries()) {
      const read = readCell(column, values[column.name] ?? '');
      if ('problem' in read) problems[`${row}:${at + 1}`] = read.problem;
      else if (read.value !== undefined)
        Object.defineProperty(parameters, column.name, {
          value: read.value,
          ...{ enumerable: true, configurable: true, writable: true },
        });
    }
    return [
      {
        name: nameFrom(request),
        query: request.trim(),
        tags: [],
        servers: [],
        expectedCalls: [{ server, tool, parameters }],
        orderDependent: false,
        allowedCalls: [],
        stubResults: [],
      },
    ];
  });
  return { cases, problems };
}

/**
 * Fills rows from pasted lines, from a cell on: tabs separate cells, as spreadsheets copy them. Rows
 * are added as needed. Null where the text has one cell only, which is then pasted as it is.
 */
export function pasteLines(
  rows: readonly GridRow[],
  columns: readonly ArgumentField[],
  [row, column]: readonly [row: number, column: number],
  text: string,
  empty: GridRow,
): GridRow[] | null {
  const lines = text.replace(/\r\n?/gu, '\n').replace(/\n+$/u, '').split('\n');
  if (lines.length === 1 && !text.includes('\t')) return null;
  const filled = [...rows];
  for (const [at, line] of lines.entries()) {
    let next = filled[row + at] ?? empty;
    for (const [cell, value] of line.split('\t').entries()) {
      const target = column + cell;
      const name = columns[target - 1]?.name;
      if (target === 0) next = { ...next, request: value };
      else if (name !== undefined) next = { ...next, values: { ...next.values, [name]: value } };
    }
    filled[row + at] = next;
  }
  return filled;
}
