import { isDeepStrictEqual } from 'node:util';
import type { McpClient } from '../../../src-shared/domain/clientConfig.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../src-shared/domain/jsonPointer.ts';
import { fileShapeOf } from '../servers/import/clients.ts';
import type { ClientFileShape } from '../servers/import/findTables.ts';
import { readJsonSource } from '../servers/import/jsonSource.ts';
import { readTomlSource } from '../servers/import/tomlSource.ts';
import { readSourceText } from '../files/sourceText.ts';
import {
  type ChangedFile,
  choicesIn,
  type ClientEntry,
  refusals,
  replacing,
  unreadable,
} from './clientEntry.ts';
import { insertFirst, setValue, takeOutJsonEntry } from './jsonEntry.ts';
import { addTomlEntry, takeOutTomlEntry, tomlText } from './tomlEntry.ts';
import { addYamlEntry, takeOutYamlEntry, yamlKey, yamlText } from './yamlEntry.ts';

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
  const replaced = replacing(entry, found);
  if (!isJsonObject(found) || replaced === 'nothing')
    return refuse([table, entryName], refusals.otherServer(entryName));
  if (replaced === 'all of it')
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

/** Whether the file of a client has an entry that this program wrote. */
export const hasOwnEntry = (text: string, client: McpClient, entry: ClientEntry): boolean =>
  replacing(entry, readServers(text, fileShapeOf(client), entry.name)?.entry ?? null) ===
  'its start';

/** Why an entry can't be taken back. */
export type NotTaken = 'missing' | 'changed' | 'unreadable' | 'by hand';

/**
 * Takes an entry back that was added. A file that is as it was written becomes what it was before.
 * Where its client has written to it since, only the entry goes, with what the client chose in it, or
 * the one that it replaced comes back; everything else stays with its comments.
 *
 * @param before the file before the entry was added; null if there was none
 * @returns the text, null if there is no file any more; whether something else had changed; and the
 *   choices that go with the entry
 */
export function takeOut(
  now: string | null,
  before: string | null,
  client: McpClient,
  entry: ClientEntry,
): { text: string | null; isPart: boolean; choices: string[] } | NotTaken {
  const written = addEntry(before, client, entry);
  if (now === null || now.trim() === '') return 'missing';
  if (written.act === null || written.act === 'same') return 'by hand';
  if (written.text === now) return { text: before, isPart: false, choices: [] };
  const shape = fileShapeOf(client);
  const [found, own, old] = [now, written.text, before ?? ''].map((text) =>
    readServers(text, shape, entry.name),
  );
  if (found === undefined || found === null) return 'unreadable';
  if (found.entry === undefined) return 'missing';
  const choices = choicesIn(found.entry, own?.entry ?? null);
  // Without a backup, what is there in its place may be what it had replaced.
  if (choices === null)
    return before === null && replacing(entry, found.entry) !== 'its start' ? 'missing' : 'changed';
  const mark = now.startsWith('\ufeff') ? '\ufeff' : '';
  const [text, earlier] = [now.slice(mark.length), before?.replace(/^\ufeff/, '') ?? null];
  const left =
    shape.syntax === 'toml'
      ? takeOutTomlEntry(text, earlier, shape.table, entry.name)
      : shape.syntax === 'yaml'
        ? takeOutYamlEntry(text, earlier, shape, entry.name)
        : takeOutJsonEntry(text, earlier, shape.table, entry.name);
  const after = readServers(left, shape, entry.name);
  const isWhole =
    after !== null &&
    isDeepStrictEqual(after.entry, old?.entry) &&
    isDeepStrictEqual(after.others, found.others) &&
    isDeepStrictEqual(after.settings, found.settings);
  if (!isWhole) return 'by hand';
  // Of a file that was created for it, nothing is left but what was created with it.
  const isEmpty =
    before === null &&
    isDeepStrictEqual(after.others, []) &&
    isDeepStrictEqual(after.settings, own?.settings) &&
    !/\/\/|\/\*|#/.test(left);
  return { text: isEmpty ? null : mark + left, isPart: true, choices };
}

/** What a file says of one server, of the others, and of anything else; null if it can't be read. */
function readServers(
  marked: string,
  { syntax, table }: ClientFileShape,
  name: string,
): { entry: JsonValue | undefined; others: [string, JsonValue][]; settings: JsonObject } | null {
  const text = marked.replace(/^\ufeff/, '');
  const source =
    syntax === 'toml'
      ? readTomlSource(text)
      : syntax === 'yaml'
        ? readSourceText(text)
        : readJsonSource(text);
  const root = 'value' in source ? (source.value ?? {}) : null;
  if (!isJsonObject(root)) return null;
  const { [table]: servers = null, ...settings } = root;
  const all = Array.isArray(servers)
    ? servers.map((one): [string, JsonValue] => [
        isJsonObject(one) && typeof one['name'] === 'string' ? one['name'] : '',
        one,
      ])
    : Object.entries(isJsonObject(servers) ? servers : {});
  const own = syntax === 'yaml' && !Array.isArray(servers) ? yamlKey(name) : name;
  return {
    entry: all.find(([one]) => one === own)?.[1],
    others: all.filter(([one]) => one !== own),
    settings,
  };
}
