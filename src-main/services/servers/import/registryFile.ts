import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { readClientEntry } from './clientEntry.ts';
import { launchPackage } from './registryLaunch.ts';
import { listOf, RegistryValues, textOf, type Launch } from './registryValues.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

/**
 * `server.json` of the MCP registry, in both of its spellings, alone, below `server`, or as the
 * registry's list. Each package and each remote is an entry.
 */
export function readRegistryFile(source: FileSource, root: JsonObject): ServerFile {
  const file: ServerFile = { format: 'registry', entries: [], skipped: [], problems: [] };
  const list = root['servers'];
  if (!Array.isArray(list))
    readOne(
      file,
      source,
      isJsonObject(root['server']) ? ['server'] : [],
      isJsonObject(root['server']) ? root['server'] : root,
    );
  else {
    for (const [index, item] of list.entries()) {
      if (!isJsonObject(item)) continue;
      if (isJsonObject(item['server']))
        readOne(file, source, ['servers', index, 'server'], item['server']);
      else readOne(file, source, ['servers', index], item);
    }
  }
  return file;
}

function readOne(file: ServerFile, source: FileSource, path: JsonPath, server: JsonObject): void {
  const base = textOf(server, 'name') ?? 'server';
  const packages = listOf(server, 'packages').map((item, index) => ({
    at: [...path, 'packages', index],
    kind: textOf(item, 'registryType', 'registry_type', 'registry_name') ?? 'package',
    make: () => launchPackage(item),
  }));
  const remotes = listOf(server, 'remotes').map((item, index) => ({
    at: [...path, 'remotes', index],
    kind: textOf(item, 'type', 'transportType', 'transport_type') ?? 'remote',
    make: () => reachRemote(item),
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
    const made = make();
    const read =
      'refused' in made
        ? ({ readable: false, path: [], message: made.refused } as const)
        : readClientEntry(made.entry);
    const place = source.problemAt(at, read.readable ? '' : read.message);
    if (!read.readable) file.skipped.push({ name, problem: place });
    else if (!('refused' in made)) {
      // The whole description is not an entry of a client: nothing of it could be written back into
      // one.
      file.entries.push({
        name,
        config: read.config,
        original: server,
        extra: {},
        inputs: made.inputs,
        warnings: [...made.warnings, ...read.warnings],
        line: place.line,
        column: place.column,
      });
    }
  }
}

function reachRemote(remote: JsonObject): Launch {
  const values = new RegistryValues();
  const type = textOf(remote, 'type', 'transportType', 'transport_type') ?? 'streamable-http';
  const headers = listOf(remote, 'headers').flatMap((header): [string, JsonValue][] => {
    const name = textOf(header, 'name');
    const value = name === null ? null : values.valueOf(header, name);
    return name === null || value === null ? [] : [[name, value]];
  });
  const url = values.fill(textOf(remote, 'url') ?? '', remote);
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
