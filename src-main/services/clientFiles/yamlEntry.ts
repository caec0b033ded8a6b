import { isDeepStrictEqual } from 'node:util';
import { isMap, isSeq, parseDocument, type Node, type Pair } from 'yaml';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import { readSourceText } from '../files/sourceText.ts';
import {
  type ChangedFile,
  type ClientEntry,
  lineEndOf,
  refusals,
  unreadable,
} from './clientEntry.ts';

/** Every text in double quotes, which YAML reads as JSON does. */
const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('","', '", "');

const linesOf = ({ name, command, args }: ClientEntry): string[] => [
  `- name: ${quoted(name)}`,
  `  command: ${quoted(command)}`,
  `  args: ${quoted(args)}`,
];

/** What a file of Continue begins with: https://docs.continue.dev/reference */
const head = ['name: Local Config', 'version: 1.0.0', 'schema: v1'];

/** A configuration that holds only this entry. */
export const yamlText = (table: string, entry: ClientEntry): string =>
  `${[...head, `${table}:`, ...linesOf(entry).map((line) => `  ${line}`)].join('\n')}\n`;

/**
 * Adds the entry to a list of servers in a YAML file, or brings it up to date in its place. The
 * library that reads YAML would format the whole file anew, so the text is changed, and the result is
 * used only if it reads as the file before with nothing but this entry changed.
 */
export function addYamlEntry(before: string, table: string, entry: ClientEntry): ChangedFile {
  const source = readSourceText(before);
  if (!source.readable) return unreadable(source.problems);
  const refuse = (path: JsonPath, message: string): ChangedFile => {
    const { line, column } = source.problemAt(path, message);
    return { act: null, message, line, column };
  };
  const root = source.value ?? {};
  if (!isJsonObject(root)) return refuse([], 'A configuration is a mapping: "name: value".');
  const servers = root[table] ?? [];
  if (!Array.isArray(servers)) return refuse([table], refusals.noList(table));
  const index = servers.findIndex((one) => isJsonObject(one) && one['name'] === entry.name);
  const found = servers[index];
  const { name, command, args } = entry;
  const wanted: JsonObject = { name, command, args: [...args] };
  if (found !== undefined && (!isJsonObject(found) || !entry.mayReplace(found)))
    return refuse([table, index], refusals.otherServer(name));
  const value = entry.replacesWhole || found === undefined ? wanted : { ...found, ...wanted };
  if (isDeepStrictEqual(found, value)) return { act: 'same', text: before };
  const text =
    found === undefined ? added(before, table, entry) : replaced(before, table, index, entry);
  const after = readSourceText(text);
  const others = servers.filter((_, at) => at !== index);
  const list = after.readable && isJsonObject(after.value) ? after.value[table] : undefined;
  const isAsWanted =
    Array.isArray(list) &&
    after.readable &&
    isDeepStrictEqual({ ...root, [table]: list }, after.value) &&
    isDeepStrictEqual(
      list.filter((one) => !isDeepStrictEqual(one, value)),
      others,
    ) &&
    list.length === others.length + 1;
  return isAsWanted
    ? { act: found === undefined ? 'add' : 'replace', text }
    : refuse([table], refusals.byHand(table));
}

/** Where a node begins and where its value ends. */
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
function added(text: string, table: string, entry: ClientEntry): string {
  const eol = lineEndOf(text);
  const pair = pairOf(parseDocument(text).contents, table);
  if (pair === undefined) {
    const end = text.endsWith('\n') ? '' : eol;
    const lines = linesOf(entry).map((line) => `  ${line}${eol}`);
    return `${text}${end}${table}:${eol}${lines.join('')}`;
  }
  const [start, end] = rangeOf(pair.value);
  if (isSeq(pair.value) && pair.value.items.length > 0) {
    if (pair.value.flow === true) {
      const { name, command, args } = entry;
      return splice(text, start + 1, start + 1, `${quoted({ name, command, args })}, `);
    }
    const indent = columnOf(text, start);
    const line = text.indexOf('\n', rangeOf(pair.key)[1]) + 1;
    return splice(
      text,
      line,
      line,
      linesOf(entry)
        .map((one) => `${indent}${one}${eol}`)
        .join(''),
    );
  }
  // "[]", "null" or nothing after the colon.
  const colon = text.indexOf(':', rangeOf(pair.key)[1]) + 1;
  const lines = linesOf(entry).map(
    (line) => `${eol}${columnOf(text, rangeOf(pair.key)[0])}  ${line}`,
  );
  return splice(text, colon, Math.max(colon, end), lines.join(''));
}

/** The entry with another command and other arguments, or as a whole. */
function replaced(text: string, table: string, index: number, entry: ClientEntry): string {
  const list = pairOf(parseDocument(text).contents, table)?.value;
  const item = isSeq(list) ? list.items[index] : undefined;
  const [start, end] = rangeOf(item);
  const indent = `${lineEndOf(text)}${columnOf(text, start)}`;
  const lines = linesOf(entry).map((line) => line.slice(2));
  if (isMap(item) && item.flow === true) {
    const { name, command, args } = entry;
    const value = entry.replacesWhole
      ? { name, command, args }
      : { ...(item.toJSON() as JsonObject), name, command, args };
    return splice(text, start, end, quoted(value));
  }
  if (entry.replacesWhole) return splice(text, start, trimmed(text, end), lines.join(indent));
  const [, ...changed] = lines;
  return ['command', 'args']
    .map((key, at) => ({ pair: pairOf(item, key), line: changed[at] ?? '' }))
    .toSorted((a, b) => rangeOf(b.pair?.key)[0] - rangeOf(a.pair?.key)[0])
    .reduce(
      (edited, { pair, line }) =>
        pair === undefined
          ? splice(edited, start, start, `${line}${indent}`)
          : splice(edited, rangeOf(pair.key)[0], trimmed(edited, rangeOf(pair.value)[1]), line),
      text,
    );
}

const splice = (text: string, start: number, end: number, part: string): string =>
  text.slice(0, start) + part + text.slice(end);

/** An end without the whitespace in front of it. */
const trimmed = (text: string, end: number): number => text.slice(0, end).trimEnd().length;
