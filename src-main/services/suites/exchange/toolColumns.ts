import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { readCount } from './callCounts.ts';
import { columnsOf, findFields, lastPart, quoteNames, saysExpectation } from './fieldNames.ts';
import { areActions, holdsTools } from './namePatterns.ts';
import { withValues, type SourceRecord } from './recordFields.ts';
import type { Change } from './suiteDraft.ts';
import type { ToolCatalog } from './toolCatalog.ts';
import { isEmpty, readBoolean } from './values.ts';

/** The name of the field that takes the place of columns that are tools. */
const joined = 'expected_tools';

const marks: ReadonlyMap<string, boolean> = new Map([
  ...['x', '✓', '✔', '✅', '☑'].map((mark) => [mark, true] as const),
  ...['-', '–', '✗', '✘', '❌', '☐'].map((mark) => [mark, false] as const),
]);

/** Whether a cell is ticked; null if it is no tick. Below `expected` it may also be a count. */
function tickOf(value: JsonValue | undefined, name: string): boolean | null {
  if (value === undefined || isEmpty(value)) return false;
  const mark = typeof value === 'string' ? marks.get(value.trim().toLowerCase()) : undefined;
  const count = name.includes('.') ? readCount(value) : null;
  return mark ?? readBoolean(value) ?? (count === null ? null : count.least > 0);
}

/** Two words or more, and none that a column of yes and no about a case has. */
const mayBeTool = (name: string): boolean =>
  /^[A-Za-z]\w*[_.:/-]\w|^[a-z]+[A-Z]/.test(name) &&
  !/^(?:is|has|was|can|needs?|should|must|requires?|expect(?:s|ed)?|multi|single|no|not|with)[_.A-Z-]/.test(
    name,
  );

interface ToolColumns {
  names: readonly string[];
  /** Of registered servers; else they are named like tools. */
  areKnown: boolean;
}

const none: ToolColumns = { names: [], areKnown: true };

/**
 * The columns of a table, or the switches of records, that are each a tool: `prompt, find_book,
 * reserve_book` with yes or no in each row. Those of registered servers, or else, where nothing says
 * what is expected, two or more that are named like tools, with a yes in some record. In an object that
 * also has texts and dates they are checks of another kind: `{intent: data, chart_present: true}`. None
 * if a person has said where the expected tools are.
 */
export function findToolColumns(
  records: readonly SourceRecord[],
  names: readonly string[],
  { map, catalog }: { map: ColumnMap; catalog: ToolCatalog },
): ToolColumns {
  const said = [map.tool ?? [], map.expected_calls ?? []].flat();
  if (said.some((name) => name !== joined)) return none;
  const { [joined]: _own, ...others } = Object.fromEntries(names.map((name) => [name, true]));
  if (_own !== undefined || saysExpectation(findFields(Object.keys(others), {}))) return none;
  const mapped = new Set(columnsOf(map));
  const ticked = names.filter((name) => {
    const values = records.map(({ values: own }) => own.get(name));
    return (
      !mapped.has(name) &&
      values.every((value) => tickOf(value, name) !== null) &&
      values.some((value) => value !== undefined && !isEmpty(value))
    );
  });
  const known = ticked.filter((name) => catalog.resolve(toolOf(name)) !== null);
  if (known.length > 0) return { names: known, areKnown: true };
  const read = new Set(Object.values(findFields(names, {})).flat());
  const mixed = new Set(
    names.filter((name) => !ticked.includes(name) && !read.has(name)).map(objectOf),
  );
  const likely = ticked.filter(
    (name) => mayBeTool(toolOf(name)) && !(name.includes('.') && mixed.has(objectOf(name))),
  );
  const isTicked = (name: string): boolean =>
    records.some(({ values }) => tickOf(values.get(name), name) === true);
  // Next to tools in an object that holds them, a word alone is one too.
  const objects = new Set(
    likely
      .map(objectOf)
      .filter(
        (object) =>
          holdsTools(object) &&
          areActions(ticked.filter((name) => objectOf(name) === object).map(lastPart)),
      ),
  );
  const all = ticked.filter((name) => likely.includes(name) || objects.has(objectOf(name)));
  return likely.length > 1 && all.some(isTicked) ? { names: all, areKnown: false } : none;
}

const objectOf = (name: string): string => name.slice(0, Math.max(name.lastIndexOf('.'), 0));

/** Without the object that it is a member of: `expected.find_book`. */
const toolOf = (name: string): string => {
  const at = name.indexOf('.');
  const object = name.slice(0, Math.max(at, 0));
  return holdsTools(object) || /^expect/i.test(object) ? name.slice(at + 1) : name;
};

/** The record with one list of the tools that its columns tick. */
export function joinToolColumns(
  record: SourceRecord,
  { names, areKnown }: ToolColumns,
): SourceRecord {
  const isSaid = names.some((name) => record.values.has(name));
  if (names.length === 0 || !isSaid) return record;
  const values = new Map(record.values);
  const tools: string[] = [];
  const open: string[] = [];
  const counts: Change[] = [];
  for (const name of names) {
    const tick = tickOf(record.values.get(name), name);
    values.delete(name);
    const { least, more } = readCount(record.values.get(name)) ?? { least: 1, more: null };
    if (tick === null) open.push(name);
    else if (more !== null) counts.push({ what: name, why: more });
    if (tick === true) for (let at = 0; at < least; at += 1) tools.push(toolOf(name));
  }
  // A cell that is neither yes nor no is refused where the list is read.
  values.set(
    joined,
    open.length > 0 ? open.map((name) => ({ [name]: record.values.get(name) ?? null })) : tools,
  );
  const [first] = names;
  const own = withValues(record, values, [
    ...counts,
    ...(areKnown
      ? []
      : [
          {
            what: quoteNames(names),
            why: 'Each is read as a tool that is expected where it says yes. No registered server has them.',
          },
        ]),
  ]);
  return {
    ...own,
    get label() {
      return record.label;
    },
    where: (name) => record.where(name === joined ? first : name),
  };
}

/** The names of all fields once the columns of tools are one. */
export const joinedNames = (names: readonly string[], columns: ToolColumns): string[] =>
  columns.names.length === 0
    ? [...names]
    : [...names.filter((name) => !columns.names.includes(name)), joined];
