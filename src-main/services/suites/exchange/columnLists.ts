import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { findFields, noMap, plainName, saysExpectation } from './fieldNames.ts';
import { isRequestList } from './plainRecords.ts';

const namesOfColumns: ReadonlySet<string> = new Set(
  'columns columnnames header headers fields'.split(' '),
);

const isTexts = (value: JsonValue | undefined): value is string[] =>
  Array.isArray(value) && value.length > 1 && value.every((each) => typeof each === 'string');

const isWhole = (names: readonly string[]): boolean => {
  const fields = findFields(names, noMap);
  return fields.query !== undefined && saysExpectation(fields);
};

/** Rows of values as objects by the names of their columns; null if one has more or fewer values. */
function byNames(names: readonly string[], rows: readonly JsonValue[]): JsonObject[] | null {
  const records = rows.flatMap((row) =>
    Array.isArray(row) && row.length === names.length
      ? [Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]))]
      : [],
  );
  return records.length === rows.length && records.length > 0 ? records : null;
}

/** A list of rows of which the first one names the columns; null if it doesn’t. */
export function recordsOfRows([first, ...rows]: readonly JsonValue[]): JsonObject[] | null {
  return isTexts(first) && isWhole(first) ? byNames(first, rows) : null;
}

/** `{"0": …, "1": …}` as a list. */
function listOf(value: JsonValue): JsonValue {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return entries.length > 1 && entries.every(([name], at) => name === String(at))
    ? entries.map(([, each]) => each)
    : value;
}

/**
 * The records of a table that a program wrote by its columns, `{query: […], expected_tool: […]}`, with
 * a list or an object by number for each, or by its rows with the names beside them, `{columns: […],
 * data: [[…]]}`. Null for every other object.
 */
export function recordsOfColumns(object: JsonObject): JsonObject[] | null {
  const named = Object.entries(object).find(
    ([name, value]) => namesOfColumns.has(plainName(name)) && isTexts(value),
  );
  const rows = Object.entries(object).flatMap(([name, value]) =>
    name !== named?.[0] && Array.isArray(value) ? [value] : [],
  );
  if (named !== undefined && isTexts(named[1]))
    return rows.length === 1 && rows[0] !== undefined ? byNames(named[1], rows[0]) : null;
  const columns = Object.entries(object).map(([name, value]) => [
    isRequestList(name) ? 'query' : name,
    listOf(value),
  ]) as [string, JsonValue][];
  const lists = columns.flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []));
  const [{ list: { length } } = { list: [] }] = lists;
  const areColumns =
    length > 1 &&
    lists.length > 1 &&
    lists.every(({ list }) => list.length === length) &&
    lists.some(
      ({ name, list }) => findFields([name], noMap).query !== undefined && isTexts(list),
    ) &&
    columns.every(([, value]) => Array.isArray(value) || typeof value !== 'object') &&
    isWhole(lists.map(({ name }) => name));
  return areColumns
    ? (lists[0]?.list.map((_value, at) =>
        Object.fromEntries(lists.map(({ name, list }) => [name, list[at] ?? null])),
      ) ?? null)
    : null;
}
