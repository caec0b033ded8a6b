import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { readClientEntry } from './clientEntry.ts';
import { toPackageLaunch } from './registryLaunch.ts';
import { firstList, RegistryValues, firstText, type Launch } from './registryValues.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

/**
 * Reads `server.json` of the MCP registry, in both of its spellings, alone, under `server`, or as
 * the registry's list. Each package and each remote becomes an entry.
 */
export function readRegistryFile(source: FileSource, root: JsonObject): ServerFile {
  const file: ServerFile = { format: 'registry', entries: [], skipped: [], problems: [] };
  const list = root['servers'];
  if (!Array.isArray(list))
    readServer(
      file,
      source,
      isJsonObject(root['server']) ? ['server'] : [],
      isJsonObject(root['server']) ? root['server'] : root,
    );
  else {
    for (const [index, item] of list.entries()) {
      if (!isJsonObject(item)) continue;
      if (isJsonObject(item['server']))
        readServer(file, source, ['servers', index, 'server'], item['server']);
      else readServer(file, source, ['servers', index], item);
    }
  }
  return file;
}

function readServer(
  file: ServerFile,
  source: FileSource,
  path: JsonPath,
  server: JsonObject,
): void {
  const base = firstText(server, 'name') ?? 'server';
  const packages = firstList(server, 'packages').map((item, index) => ({
    at: [...path, 'packages', index],
    kind: firstText(item, 'registryType', 'registry_type', 'registry_name') ?? 'package',
    make: () => toPackageLaunch(item),
  }));
  const remotes = firstList(server, 'remotes').map((item, index) => ({
    at: [...path, 'remotes', index],
    kind: firstText(item, 'type', 'transportType', 'transport_type') ?? 'remote',
    make: () => toRemoteLaunch(item),
  }));
  const all = [...packages, ...remotes];
  if (all.length === 0)
    file.skipped.push({
      name: base,
      problem: source.problemAt(path, 'It lists neither packages nor remotes.'),
    });
  const used = new Set<string>();
  for (const { at, kind, make } of all) {
    const name =
      [base, `${base} (${kind})`, ...all.map((_, index) => `${base} (${kind} ${index + 2})`)].find(
        (each) => !used.has(each),
      ) ?? base;
    used.add(name);
    addLaunch(file, source, { name, at, made: make() });
  }
}

/** Adds a described server to a file. Its description is not kept: no client could read it. */
export function addLaunch(
  file: ServerFile,
  source: FileSource,
  { name, at, made }: { name: string; at: JsonPath; made: Launch },
): void {
  const read =
    'refused' in made
      ? ({ readable: false, path: [], message: made.refused } as const)
      : readClientEntry(made.entry);
  const place = source.problemAt(at, read.readable ? '' : read.message);
  if (!read.readable) file.skipped.push({ name, problem: place });
  else if (!('refused' in made))
    file.entries.push({
      name,
      config: read.config,
      extra: {},
      notCarried: read.notCarried,
      inputs: [...made.inputs, ...read.inputs],
      warnings: [...made.warnings, ...read.warnings],
      line: place.line,
      column: place.column,
    });
}

function toRemoteLaunch(remote: JsonObject): Launch {
  const values = new RegistryValues();
  const type = firstText(remote, 'type', 'transportType', 'transport_type') ?? 'streamable-http';
  const headers = firstList(remote, 'headers').flatMap((header): [string, JsonValue][] => {
    const name = firstText(header, 'name');
    const value = name === null ? null : values.resolveField(header, name);
    return name === null || value === null ? [] : [[name, value]];
  });
  const url = values.expandVariables(firstText(remote, 'url') ?? '', remote);
  return {
    entry: {
      type: type === 'streamable' ? 'streamable-http' : type,
      url,
      headers: Object.fromEntries(headers),
    },
    inputs: values.inputs,
    warnings: values.warnings,
  };
}
