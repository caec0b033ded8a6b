import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';
import { findSecrets } from '../secrets/findSecrets.ts';
import { maxServers, readClientEntry, type EntryRules } from './clientEntry.ts';
import type { ServerTable } from './findTables.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

export interface TableRules extends EntryRules {
  inputs?: { inputs: ServerFileInput[]; notCarried: readonly string[] };
}

/** Reads the entries of a table into `file`; one that is invalid is skipped. */
export function readTable(
  file: ServerFile,
  source: FileSource,
  { path, entries, project, type }: ServerTable,
  rules: TableRules = {},
): void {
  if (!isJsonObject(entries) && !Array.isArray(entries)) {
    file.problems.push(source.problemAt(path, 'This is an object of servers by name.'));
    return;
  }
  const all: (readonly [string | number, JsonValue])[] = Array.isArray(entries)
    ? [...entries.entries()]
    : Object.entries(entries);
  if (all.length > maxServers) {
    file.problems.push(source.problemAt(path, `More than ${maxServers} servers are listed here.`));
    return;
  }
  const taken = new Set([...file.entries, ...file.skipped].map(({ name }) => name));
  for (const [key, entry] of all) {
    const own =
      typeof key === 'number'
        ? ownName(asObject(entry), file.entries.length + file.skipped.length)
        : { name: key, rest: withoutName(entry, key) };
    const isTwice = project !== undefined && taken.has(own.name);
    const name = isTwice ? `${own.name} (${lastSegment(project)})` : own.name;
    readEntry(
      file,
      source,
      { name, path: [...path, key], rest: own.rest },
      type === undefined ? rules : { ...rules, type },
    );
    const made = file.entries.at(-1);
    if (project !== undefined && made?.name === name)
      made.warnings.push(`It belongs to the project ${project}.`);
  }
}

/** Reads one entry into `file`. `rest` is the entry without what names it. */
export function readEntry(
  file: ServerFile,
  source: FileSource,
  at: { name: string; path: JsonPath; rest: JsonValue },
  { inputs = { inputs: [], notCarried: [] }, ...rules }: TableRules = {},
): void {
  const { name, path } = at;
  const read = readClientEntry(at.rest, rules);
  if (!read.readable) {
    const problem = source.problemAt([...path, ...read.path], read.message);
    file.skipped.push({ name, problem });
    return;
  }
  const { line, column } = source.problemAt(path, '');
  const used = JSON.stringify(read.config);
  const declared = inputs.inputs.filter(({ id }) => used.includes(`\${input:${id}}`));
  file.entries.push({
    name,
    config: read.config,
    extra: read.extra,
    inputs: [
      ...declared,
      ...read.inputs.filter(({ id }) => !declared.some((each) => each.id === id)),
    ],
    notCarried: [
      ...read.notCarried,
      ...inputs.notCarried.filter((each) =>
        declared.some(({ id }) => each.startsWith(`inputs.${id}.`)),
      ),
    ],
    warnings: read.warnings,
    line,
    column,
  });
}

const nameKeys = ['name', 'serverName', 'server_label', 'server_name', 'id', 'label', 'title'];

/** An item of a list may be nothing but an address or a command (OpenHands, fast-agent). */
const asObject = (entry: JsonValue): JsonValue =>
  typeof entry !== 'string' ? entry : /^https?:/.test(entry) ? { url: entry } : { command: entry };

/** The name that an entry of a list gives itself; Open WebUI writes it under `info`. */
function ownName(entry: JsonValue, index: number): { name: string; rest: JsonValue } {
  if (isJsonObject(entry))
    for (const key of nameKeys) {
      const { [key]: name, ...rest } = entry;
      if (typeof name === 'string' && name !== '') return { name, rest };
    }
  if (isJsonObject(entry) && isJsonObject(entry['info'])) {
    const { name, ...info } = entry['info'];
    if (typeof name === 'string' && name !== '') return { name, rest: { ...entry, info } };
  }
  return { name: `server ${index + 1}`, rest: entry };
}

/** A name within an entry that repeats that of the table says nothing more. */
function withoutName(entry: JsonValue, name: string): JsonValue {
  if (!isJsonObject(entry) || entry['name'] !== name) return entry;
  const { name: _, ...rest } = entry;
  return rest;
}

const lastSegment = (folder: string): string =>
  folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder;

/** Values to enter as VS Code declares them, and the settings of each that have no meaning here. */
export function readInputs(value: JsonValue | undefined): {
  inputs: ServerFileInput[];
  notCarried: string[];
} {
  const declared = (Array.isArray(value) ? value : []).filter(
    (input): input is JsonObject & { id: string } =>
      isJsonObject(input) && typeof input['id'] === 'string' && input['id'] !== '',
  );
  return {
    inputs: declared.map(({ id, description, password, default: given }) => ({
      id,
      description: typeof description === 'string' ? description : null,
      // A credential that is written as a default moves to the key store, like one that is declared.
      password:
        password === true || (typeof given === 'string' && findSecrets(id, given).length > 0),
      default: typeof given === 'string' ? given : null,
    })),
    notCarried: declared.flatMap((input) =>
      Object.keys(input)
        .filter((key) => !['id', 'type', 'description', 'password', 'default'].includes(key))
        .map((key) => `inputs.${input.id}.${key}`),
    ),
  };
}
