import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import { isDeepStrictEqual } from 'node:util';
import type { McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import { fileShapeOf } from '../servers/import/clients.ts';
import { readJsonSource } from '../servers/import/jsonSource.ts';
import {
  type ChangedFile,
  type ClientEntry,
  lineEndOf,
  refusals,
  splitEntry,
  unreadable,
} from './clientEntry.ts';
import { addTomlEntry, tomlText } from './tomlEntry.ts';
import { addYamlEntry, yamlText } from './yamlEntry.ts';

function valueOf(client: McpClient, { name, command, args }: ClientEntry): JsonObject {
  const shape = fileShapeOf(client);
  if (shape.command === 'list')
    return { type: 'local', command: [command, ...args], enabled: true };
  if (shape.command === 'cmd')
    return { type: 'stdio', name, enabled: true, cmd: command, args: [...args] };
  return {
    ...(shape.typed && { type: 'stdio' }),
    ...(shape.list && { name }),
    ...{ command, args: [...args] },
  };
}

/** A configuration that holds only this entry. */
export function clientText(client: McpClient, entry: ClientEntry): string {
  const shape = fileShapeOf(client);
  const { syntax, table } = shape;
  if (syntax === 'toml') return tomlText(table, entry);
  if (syntax === 'yaml') return yamlText(shape, entry.name, valueOf(client, entry));
  const servers = { [entry.name]: valueOf(client, entry) };
  return `${JSON.stringify({ [table]: servers }, null, 2)}\n`;
}

/**
 * Adds the entry to a client's file or brings it up to date. Comments, other entries, and what a
 * person added to this one, such as `env`, are kept.
 *
 * @param before null if there is no file
 */
export function addEntry(
  before: string | null,
  client: McpClient,
  entry: ClientEntry,
): ChangedFile {
  const { name: entryName } = entry;
  if (before === null || before.trim() === '')
    return { act: 'create', text: clientText(client, entry) };
  const mark = before.startsWith('\ufeff') ? '\ufeff' : '';
  const text = before.slice(mark.length);
  const shape = fileShapeOf(client);
  const { syntax, table } = shape;
  if (syntax !== 'json') {
    const changed =
      syntax === 'toml'
        ? addTomlEntry(text, table, entry)
        : addYamlEntry(text, shape, entry, valueOf(client, entry));
    return changed.act === null ? changed : { ...changed, text: mark + changed.text };
  }
  const source = readJsonSource(text);
  if (!('value' in source)) return unreadable(source.problems);
  const refuse = (path: JsonPath, message: string): ChangedFile => {
    const { line, column } = source.problemAt(path, message);
    return { act: null, message, line, column };
  };
  if (!isJsonObject(source.value)) return refuse([], 'A configuration is an object: { … }.');
  const servers = source.value[table] ?? {};
  if (!isJsonObject(servers)) return refuse([table], `"${table}" must be an object of servers.`);
  const wanted = valueOf(client, entry);
  const found = servers[entryName];
  if (found === undefined) {
    const [path, name, value] =
      source.value[table] === undefined
        ? ([[], table, { [entryName]: wanted }] as const)
        : ([[table], entryName, wanted] as const);
    return { act: 'add', text: mark + insertFirst(text, path, name, value) };
  }
  if (!isJsonObject(found) || !entry.mayReplace(splitEntry(found)))
    return refuse([table, entryName], refusals.otherServer(entryName));
  if (entry.replacesWhole)
    return isDeepStrictEqual(found, wanted)
      ? { act: 'same', text: before }
      : { act: 'replace', text: mark + setValue(text, [table, entryName], wanted) };
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !isDeepStrictEqual(found[key], value),
  );
  if (changed.length === 0) return { act: 'same', text: before };
  const updated = changed.reduce(
    (edited, [key, value]) => setValue(edited, [table, entryName, key], value),
    text,
  );
  return { act: 'replace', text: mark + updated };
}

/**
 * Adds an entry before the others of an object. The library would format its neighbors anew, and
 * move a comment behind the last one.
 */
function insertFirst(text: string, path: JsonPath, name: string, value: JsonObject): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const object = root && findNodeAtLocation(root, [...path]);
  if (object === undefined) return text;
  const isEmpty = (object.children ?? []).length === 0;
  const at = object.offset + 1;
  const key = JSON.stringify(name);
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  if (!text.includes('\n'))
    return `${head}${key}:${JSON.stringify(value)}${isEmpty ? '' : ','}${tail}`;
  const { indent, eol } = layoutOf(text);
  const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', object.offset) + 1))?.[0] ?? '';
  const inner = `${eol}${outer}${indent}`;
  const written = JSON.stringify(value, null, indent).replaceAll('\n', inner);
  const end = isEmpty && /^[ \t]*\}/.test(tail) ? `${eol}${outer}` : '';
  return `${head}${inner}${key}: ${written}${isEmpty ? end : ','}${tail}`;
}

function setValue(text: string, path: JsonPath, value: unknown): string {
  const { indent, eol } = layoutOf(text);
  const formattingOptions = {
    tabSize: indent.length,
    insertSpaces: !indent.startsWith('\t'),
    eol,
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

/** One step of indentation and the line ends that the file has. */
function layoutOf(text: string): { indent: string; eol: string } {
  return {
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
    eol: lineEndOf(text),
  };
}
