import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isPair, isSeq, parseDocument, type Node, type Pair } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import { readSourceText } from '../files/sourceText.ts';
import type { ClientFileShape } from '../servers/import/findTables.ts';
import {
  type ChangedFile,
  type ClientEntry,
  lineEndOf,
  refusals,
  replacing,
  unreadable,
  withoutItem,
} from './clientEntry.ts';

type Shape = Pick<ClientFileShape, 'table' | 'list'>;

/** Every text in double quotes, which YAML reads as JSON does. */
const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('","', '", "');

const membersOf = (value: JsonObject): string[] =>
  Object.entries(value).map(([key, one]) => `${key}: ${quoted(one)}`);

/** The key of an entry, as goose makes it of a name (crates/goose/src/config/extensions.rs). */
export const yamlKey = (name: string): string =>
  name
    .replace(/\s+/gu, '')
    .replace(/[^\w-]/gu, '_')
    .toLowerCase();

/** A key as YAML writes it: bare where no version of YAML reads more than a text. */
const keyText = (key: string): string =>
  /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][\w-]*$/.test(key) ? key : quoted(key);

/** The lines of an entry of a list or a mapping, and the same in braces. */
function written(
  { list }: Shape,
  name: string,
  value: JsonObject,
): { lines: string[]; flow: string } {
  const [first = '', ...more] = membersOf(value);
  const indented = (lines: string[]): string[] => lines.map((line) => `  ${line}`);
  const key = keyText(yamlKey(name));
  return list === undefined
    ? { lines: [`${key}:`, ...indented([first, ...more])], flow: `${key}: ${quoted(value)}` }
    : { lines: [`- ${first}`, ...indented(more)], flow: quoted(value) };
}

/** A configuration that holds only this entry. */
export function yamlText(shape: Shape, name: string, value: JsonObject): string {
  const lines = written(shape, name, value).lines.map((line) => `  ${line}`);
  return `${[...(shape.list ?? []), `${shape.table}:`, ...lines].join('\n')}\n`;
}

/**
 * Adds the entry to a list or a mapping of servers in a YAML file, or brings it up to date in its
 * place. The library that reads YAML would format the whole file anew, so the text is changed, and
 * the result is used only if it reads as the file before with nothing but this entry changed.
 *
 * @param wanted the entry as its client reads it
 */
export function addYamlEntry(
  before: string,
  shape: Shape,
  entry: ClientEntry,
  wanted: JsonObject,
): ChangedFile {
  const { table, list } = shape;
  const source = readSourceText(before);
  if (!source.readable) return unreadable(source.problems);
  const refuse = (path: JsonPath, message: string): ChangedFile => {
    const { line, column } = source.problemAt(path, message);
    return { act: null, message, line, column };
  };
  const root = source.value ?? {};
  if (!isJsonObject(root)) return refuse([], 'A configuration is a mapping: "name: value".');
  const servers = root[table] ?? (list === undefined ? {} : []);
  if (list === undefined ? !isJsonObject(servers) : !Array.isArray(servers))
    return refuse([table], refusals[list === undefined ? 'noTable' : 'noList'](table));
  const key = Array.isArray(servers)
    ? servers.findIndex((one) => isJsonObject(one) && one['name'] === entry.name)
    : yamlKey(entry.name);
  const members = new Map<string, JsonValue>(Object.entries(servers));
  const found = members.get(`${key}`);
  const act = found === undefined ? 'all of it' : replacing(entry, found);
  if (act === 'nothing') return refuse([table, key], refusals.otherServer(entry.name));
  const kept = act === 'its start' && isJsonObject(found) ? found : null;
  const value = { ...kept, ...wanted };
  if (isDeepStrictEqual(found, value)) return { act: 'same', text: before };
  const text =
    found === undefined
      ? added(before, table, written(shape, entry.name, wanted))
      : replaced(before, [table, key], kept, value);
  const after = readSourceText(text);
  const changed = !Array.isArray(servers)
    ? { ...(servers as JsonObject), [key]: value }
    : found === undefined
      ? [value, ...servers]
      : servers.with(Number(key), value);
  return after.readable && isDeepStrictEqual(after.value, { ...root, [table]: changed })
    ? { act: found === undefined ? 'add' : 'replace', text }
    : refuse([table], refusals.byHand(table));
}

const rangeOf = (node: unknown): readonly [number, number] => {
  const [start = 0, end = 0] = (node as Node | null)?.range ?? [];
  return [start, end];
};

const pairOf = (map: unknown, key: string): Pair | undefined =>
  isMap(map) ? map.items.find((pair) => String(pair.key) === key) : undefined;

/** The whitespace in front of an offset, if nothing else is in its line. */
const columnOf = (text: string, offset: number): string =>
  ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));

/** Puts the entry before the others, or at the end of a file that has none. */
function added(text: string, table: string, { lines, flow }: ReturnType<typeof written>): string {
  const eol = lineEndOf(text);
  const pair = pairOf(parseDocument(text).contents, table);
  if (pair === undefined) {
    const end = text.endsWith('\n') ? '' : eol;
    return `${text}${end}${table}:${eol}${lines.map((line) => `  ${line}${eol}`).join('')}`;
  }
  const [start, end] = rangeOf(pair.value);
  if ((isSeq(pair.value) || isMap(pair.value)) && pair.value.items.length > 0) {
    if (pair.value.flow === true) return splice(text, start + 1, start + 1, `${flow}, `);
    const indent = columnOf(text, start);
    const line = text.indexOf('\n', rangeOf(pair.key)[1]) + 1;
    return splice(text, line, line, lines.map((one) => `${indent}${one}${eol}`).join(''));
  }
  // "[]", "{}", "null" or nothing after the colon.
  const colon = text.indexOf(':', rangeOf(pair.key)[1]) + 1;
  const indent = `${eol}${columnOf(text, rangeOf(pair.key)[0])}  `;
  return splice(text, colon, Math.max(colon, end), lines.map((line) => indent + line).join(''));
}

/**
 * The file with another value at a place.
 *
 * @param kept the value before, if members that stay the same keep their text
 */
function replaced(
  text: string,
  path: readonly [string, string | number],
  kept: JsonObject | null,
  value: JsonObject,
): string {
  const item = parseDocument(text).getIn(path);
  const [start, end] = rangeOf(item);
  const indent = `${lineEndOf(text)}${columnOf(text, start)}`;
  if (isMap(item) && item.flow === true) return splice(text, start, end, quoted(value));
  if (kept === null) return splice(text, start, trimmed(text, end), membersOf(value).join(indent));
  return Object.entries(value)
    .filter(([key, one]) => !isDeepStrictEqual(kept[key], one))
    .map(([key, one]) => ({ pair: pairOf(item, key), line: `${key}: ${quoted(one)}` }))
    .toSorted((a, b) => rangeOf(b.pair?.key)[0] - rangeOf(a.pair?.key)[0])
    .reduce(
      (edited, { pair, line }) =>
        pair === undefined
          ? splice(edited, start, start, `${line}${indent}`)
          : splice(edited, rangeOf(pair.key)[0], trimmed(edited, rangeOf(pair.value)[1]), line),
      text,
    );
}

/**
 * A YAML file without the entry, or with the one that an earlier text has in its place. All other
 * lines stay as they are.
 */
export function takeOutYamlEntry(
  now: string,
  earlier: string | null,
  { table, list }: Shape,
  name: string,
): string {
  const found = findEntry(now, table, name);
  if (found === null) return now;
  const before = earlier === null ? null : findEntry(earlier, table, name);
  const [start, end] = rangeOf(found.value);
  if (before !== null && earlier !== null)
    return splice(
      now,
      start,
      trimmed(now, end),
      movedText(earlier, before.value, now, found.value),
    );
  const { items, at } = found;
  if (found.isFlow)
    return withoutItem(now, startOf(items[at]), end, at === 0 ? null : endOf(items[at - 1]));
  const text = withoutLines(now, startOf(items[at]), end);
  if (items.length > 1) return text;
  const key = rangeOf(found.pair.key);
  const colon = text.indexOf(':', key[1]) + 1;
  return earlier !== null && pairOf(parseDocument(earlier).contents, table) === undefined
    ? withoutLines(text, key[0], colon)
    : splice(text, colon, colon, list === undefined ? ' {}' : ' []');
}

/** The text of an earlier value as it is written in the place of another one. */
function movedText(earlier: string, value: Node, now: string, place: Node): string {
  const isFlow = (node: Node): boolean => isMap(node) && node.flow === true;
  if (isFlow(place) && !isFlow(value) && isMap(value)) return quoted(value.toJSON());
  const [from, to] = rangeOf(value);
  const [old, wanted] = [columnOf(earlier, from), columnOf(now, rangeOf(place)[0])];
  return earlier
    .slice(from, trimmed(earlier, to))
    .split(/\r?\n/)
    .map((line, at) => (at > 0 && line.startsWith(old) ? wanted + line.slice(old.length) : line))
    .join(lineEndOf(now));
}

interface FoundEntry {
  /** The table that it is in. */
  pair: Pair;
  items: readonly unknown[];
  isFlow: boolean;
  at: number;
  value: Node;
}

function findEntry(text: string, table: string, name: string): FoundEntry | null {
  const pair = pairOf(parseDocument(text).contents, table);
  const servers = pair?.value;
  if (pair === undefined || !(isSeq(servers) || isMap(servers))) return null;
  const items: readonly unknown[] = servers.items;
  const at = items.findIndex((one) =>
    isPair(one) ? String(one.key) === yamlKey(name) : isMap(one) && one.get('name') === name,
  );
  const item = items[at];
  const value = isPair(item) ? item.value : item;
  return isNode(value) ? { pair, items, isFlow: servers.flow === true, at, value } : null;
}

const startOf = (item: unknown): number => rangeOf(isPair(item) ? item.key : item)[0];
const endOf = (item: unknown): number => rangeOf(isPair(item) ? item.value : item)[1];

/** The text without a block, whose lines go with it if nothing but it is in them. */
function withoutLines(text: string, start: number, end: number): string {
  const stop = trimmed(text, end);
  const [rest] = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(stop)) ?? [];
  return rest === undefined
    ? splice(text, start, stop, '')
    : splice(text, text.lastIndexOf('\n', start - 1) + 1, stop + rest.length, '');
}

const splice = (text: string, start: number, end: number, part: string): string =>
  text.slice(0, start) + part + text.slice(end);

/** An end without the whitespace in front of it. */
const trimmed = (text: string, end: number): number => text.slice(0, end).trimEnd().length;
