import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { readTomlSource, tableKeyOf } from '../servers/import/tomlSource.ts';
import {
  type ChangedFile,
  type ClientEntry,
  lineEndOf,
  refusals,
  replacing,
  unreadable,
} from './clientEntry.ts';

/** A key as TOML writes it: bare where it can be. */
const keyText = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

const commandLine = ({ command }: ClientEntry): string => `command = ${JSON.stringify(command)}`;
const argsLine = ({ args }: ClientEntry): string =>
  `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`;

const blockOf = (table: string, entry: ClientEntry): string[] => [
  `[${table}.${keyText(entry.name)}]`,
  commandLine(entry),
  argsLine(entry),
];

/** A configuration that holds only this entry. */
export const tomlText = (table: string, entry: ClientEntry): string =>
  `${blockOf(table, entry).join('\n')}\n`;

/**
 * Adds the entry at the end of a TOML file, or brings it up to date in its place. The library that
 * reads TOML keeps no comments, so lines are changed, and the result is used only if it reads as the
 * file before with nothing but this entry changed.
 */
export function addTomlEntry(before: string, table: string, entry: ClientEntry): ChangedFile {
  const source = readTomlSource(before);
  if (!('value' in source)) return unreadable(source.problems);
  const refuse = (message: string): ChangedFile => {
    const { line, column } = source.problemAt([table, entry.name], message);
    return { act: null, message, line, column };
  };
  const root = isJsonObject(source.value) ? source.value : {};
  const servers = root[table] ?? {};
  if (!isJsonObject(servers)) return refuse(refusals.noTable(table));
  const wanted: JsonObject = { command: entry.command, args: [...entry.args] };
  const found = servers[entry.name];
  const act = found === undefined ? 'all of it' : replacing(entry, found);
  if (act === 'nothing') return refuse(refusals.otherServer(entry.name));
  const isWhole = act === 'all of it';
  const value = isWhole || !isJsonObject(found) ? wanted : { ...found, ...wanted };
  if (isDeepStrictEqual(found, value)) return { act: 'same', text: before };
  const text =
    found === undefined ? appended(before, table, entry) : replaced(before, table, entry, isWhole);
  const after = readTomlSource(text);
  const expected = { ...root, [table]: { ...servers, [entry.name]: value } };
  if (!('value' in after) || !isDeepStrictEqual(after.value, expected))
    return refuse(refusals.byHand(table));
  return { act: found === undefined ? 'add' : 'replace', text };
}

function appended(before: string, table: string, entry: ClientEntry): string {
  const eol = lineEndOf(before);
  const end = before.endsWith('\n') ? '' : eol;
  return `${before}${end}${eol}${blockOf(table, entry).join(eol)}${eol}`;
}

function replaced(before: string, table: string, entry: ClientEntry, isWhole: boolean): string {
  const eol = lineEndOf(before);
  const lines = before.split(/\r?\n/);
  const found = blockIn(lines, table, entry.name, isWhole);
  if (found === null) return before;
  const { head, end } = found;
  const own = isWhole ? blockOf(table, entry).slice(1) : updated(lines.slice(head + 1, end), entry);
  return [...lines.slice(0, head + 1), ...own, ...lines.slice(end)].join(eol);
}

/**
 * The lines of an entry, from its header on.
 *
 * @param whole whether the tables in it belong to it
 */
function blockIn(
  lines: readonly string[],
  table: string,
  name: string,
  whole: boolean,
): { head: number; end: number } | null {
  const key = `${table}\u0000${name}`;
  const head = lines.findIndex((line) => tableKeyOf(line.trimEnd()) === key);
  if (head < 0) return null;
  const isOwn = (line: string): boolean =>
    !/^\s*\[/.test(line) ||
    (whole && tableKeyOf(line.trimEnd())?.startsWith(`${key}\u0000`) === true);
  let end = head + 1;
  while (end < lines.length && isOwn(lines[end] ?? '')) end += 1;
  // Comments in front of the next table are that table's.
  while (end > head + 1 && /^\s*(?:#.*)?\s*$/.test(lines[end - 1] ?? '')) end -= 1;
  return { head, end };
}

/**
 * A TOML file without the entry, or with the one that an earlier text has in its place. All other
 * lines stay as they are.
 */
export function takeOutTomlEntry(
  now: string,
  earlier: string | null,
  table: string,
  name: string,
): string {
  const [lines, old] = [now, earlier ?? ''].map((text) => text.split(/(?<=\n)/));
  const found = blockIn(lines ?? [], table, name, true);
  if (lines === undefined || found === null) return now;
  const before = blockIn(old ?? [], table, name, true);
  const put = before === null ? [] : (old ?? []).slice(before.head, before.end);
  if (put.length > 0 && found.end < lines.length && put.at(-1)?.endsWith('\n') === false)
    put.push(lineEndOf(now));
  // Adding put an empty line in front of it.
  const isApart = put.length === 0 && lines[found.head - 1]?.trim() === '';
  return [
    ...lines.slice(0, found.head - (isApart ? 1 : 0)),
    ...put,
    ...lines.slice(found.end),
  ].join('');
}

/** The lines of the entry with another command and other arguments. */
function updated(lines: readonly string[], entry: ClientEntry): string[] {
  const kept: string[] = [];
  let inList = false;
  for (const line of lines) {
    if (inList) inList = !/\]\s*(?:#.*)?$/.test(line);
    else if (/^\s*args\s*=/.test(line)) inList = !/\]\s*(?:#.*)?$/.test(line);
    else if (!/^\s*command\s*=/.test(line)) kept.push(line);
  }
  return [commandLine(entry), argsLine(entry), ...kept];
}
