import {
  columnRoles,
  mapSettings,
  type ColumnMap,
  type ColumnRole,
  type ImportColumns,
  type MapSetting,
} from '../contract/suites.ts';
import { formatCount } from './numbers.ts';

/** What a column is for, as menus name it, in their order. */
export const roleLabels: Readonly<Record<ColumnRole, string>> = {
  query: 'Query',
  tool: 'Expected tool',
  expected_calls: 'Expected tools, all of them',
  acceptable_tools: 'Alternatives, any of them',
  parameters: 'Arguments',
  no_tool: 'No tool (yes or no)',
  should_call: 'Tool needed (yes or no)',
  forbidden_tools: 'Forbidden tools',
  allowed_calls: 'Also allowed tools',
  tags: 'Tags',
  name: 'Name',
  id: 'ID',
  messages: 'Prior messages',
  conversation: 'Conversation (its ID)',
  context: 'Said before the query',
  system: 'System prompt',
  note: 'Note',
  answer: 'Right answer',
  server: 'Server of the tool',
  servers: 'Servers offered',
  order_dependent: 'Order matters (yes or no)',
  arguments_mode: 'Comparison of arguments',
  stub_results: 'Stub results',
  keep: 'Keep as note',
  ignore: 'Ignore',
};

/** Roles of which a record can have several columns. */
const severalOf: ReadonlySet<string> = new Set(['tags', 'keep', 'ignore']);

/** Two columns that say which tools are expected would contradict each other. */
const rivals: Readonly<Partial<Record<ColumnRole, readonly ColumnRole[]>>> = {
  tool: ['tool', 'expected_calls'],
  expected_calls: ['tool', 'expected_calls'],
};

/** Other words for roles in a map. */
const otherWords: Readonly<Record<string, ColumnRole>> = {
  request: 'query',
  tools: 'expected_calls',
  calls: 'expected_calls',
  arguments: 'parameters',
  args: 'parameters',
  alternatives: 'acceptable_tools',
  any_of: 'acceptable_tools',
  forbidden: 'forbidden_tools',
  allowed: 'allowed_calls',
  prior: 'messages',
  history: 'messages',
};

const isRole = (word: string): word is ColumnRole | MapSetting =>
  Object.hasOwn(roleLabels, word) || mapSettings.some((each) => each === word);

/** The role or setting of a word in a map, such as `query` or `request`; null for any other word. */
export function findRole(word: string): ColumnRole | MapSetting | null {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (isRole(plain)) return plain;
  return Object.hasOwn(otherWords, plain) ? (otherWords[plain] ?? null) : null;
}

export const roleOf = (map: ColumnMap, column: string): ColumnRole | null =>
  columnRoles.find((role) => [map[role] ?? []].flat().includes(column)) ?? null;

/**
 * A map in which a column has another role (null: none is said). A role of one column leaves the
 * column that had it before, which then is ignored, so that nobody guesses it again.
 */
export function withRole(map: ColumnMap, column: string, role: ColumnRole | null): ColumnMap {
  const columns = new Map<ColumnRole | MapSetting, string[]>();
  for (const each of columnRoles)
    columns.set(
      each,
      [map[each] ?? []].flat().filter((name) => name !== column),
    );
  for (const each of mapSettings) columns.set(each, [map[each] ?? []].flat());
  if (role === null) return toMap(columns);
  const isOfSeveral = severalOf.has(role);
  const left = isOfSeveral
    ? []
    : (rivals[role] ?? [role]).flatMap((each) => columns.get(each) ?? []);
  for (const each of rivals[role] ?? []) columns.delete(each);
  columns.set(role, isOfSeveral ? [...(columns.get(role) ?? []), column] : [column]);
  if (left.length > 0) columns.set('ignore', [...(columns.get('ignore') ?? []), ...left]);
  return toMap(columns);
}

/** A map with another setting; without values, none is said. */
export function withSetting(
  map: ColumnMap,
  setting: MapSetting,
  values: readonly string[],
): ColumnMap {
  const { [setting]: _before, ...rest } = map;
  const [first, ...more] = values;
  return first === undefined
    ? rest
    : { ...rest, [setting]: more.length === 0 ? first : [first, ...more] };
}

const toMap = (columns: ReadonlyMap<ColumnRole | MapSetting, readonly string[]>): ColumnMap =>
  Object.fromEntries(
    [...columns].flatMap(([role, [first, ...more]]) =>
      first === undefined ? [] : [[role, more.length === 0 ? first : [first, ...more]]],
    ),
  );

/** A list of a file, with how many entries it has where that is known. */
export const listLabel = ({ path, entries }: ImportColumns['lists'][number]): string =>
  (path === '[]' ? 'The whole file' : path) + (entries === 0 ? '' : ` (${formatCount(entries)})`);

/** A map as its option takes it, `query=prompt,tool=expected_tool`, or null if only a file can. */
export function mapOption(map: ColumnMap): string | null {
  const pairs = Object.entries(map).flatMap(([role, columns]) =>
    [columns].flat().map((column) => [role, column] as const),
  );
  return pairs.some(([, column]) => /[,=]|^\s|\s$/.test(column))
    ? null
    : pairs.map((pair) => pair.join('=')).join(',');
}

/** A map as a file (YAML) that the option takes as well. */
export const mapFile = (map: ColumnMap): string =>
  Object.entries(map)
    .map(([role, columns]) => `${role}: ${JSON.stringify(columns)}\n`)
    .join('');
