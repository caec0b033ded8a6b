import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { serverConfig, type ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

/** A server as a client configures it, or the place and reason why it cannot be read. */
export type ClientEntry =
  | { readable: true; config: ServerConfig; extra: JsonObject; warnings: string[] }
  | { readable: false; path: JsonPath; message: string };

/** Keys that the entries of all clients share. All other keys are kept unchanged for an export. */
const knownKeys = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'type',
  'transport',
  'transportType',
];
const httpTypes = ['http', 'streamable-http', 'streamable_http', 'streamablehttp'];

/** More than any user has, and few enough to show in a preview. */
const maxServers = 2_000;
const maxEntryLength = 256 * 1024;

class EntryError extends Error {
  readonly path: JsonPath;

  constructor(path: JsonPath, message: string) {
    super(message);
    this.path = path;
  }
}

/** Reads one server as Claude, Cursor, LM Studio, Cline and VS Code write it. */
export function readClientEntry(entry: JsonValue): ClientEntry {
  try {
    if (!isJsonObject(entry))
      throw new EntryError([], 'A server is an object with a command or a url.');
    if (JSON.stringify(entry).length > maxEntryLength)
      throw new EntryError([], `The entry is larger than ${maxEntryLength / 1024} kB.`);
    const warnings: string[] = [];
    const made = readConfig(entry, warnings);
    const parsed = serverConfig.safeParse(made);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new EntryError(
        (issue?.path ?? []).map((step) => (typeof step === 'symbol' ? String(step) : step)),
        issue?.message ?? "It isn't a server.",
      );
    }
    if (entry['disabled'] === true || entry['enabled'] === false)
      warnings.push('Disabled in its file.');
    if (typeof entry['envFile'] === 'string')
      warnings.push(
        `The variables of ${entry['envFile']} are not read. Enter those that the server needs.`,
      );
    const extra = Object.fromEntries(
      Object.entries(entry).filter(([name]) => !knownKeys.includes(name)),
    );
    return { readable: true, config: parsed.data, extra, warnings };
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    return { readable: false, path: error.path, message: error.message };
  }
}

function readConfig(entry: JsonObject, warnings: string[]): unknown {
  const declared = entry['type'] ?? entry['transport'] ?? entry['transportType'];
  const type = typeof declared === 'string' ? declared.toLowerCase() : null;
  const urlKey = ['url', 'serverUrl', 'httpUrl'].find((key) => entry[key] !== undefined);
  if (type !== null && type !== 'stdio' && type !== 'sse' && !httpTypes.includes(type)) {
    throw new EntryError(
      [entry['type'] === undefined ? 'transport' : 'type'],
      `The transport ${JSON.stringify(declared)} is not supported: stdio, http and sse are.`,
    );
  }
  const http =
    urlKey !== undefined && (type === null ? entry['command'] === undefined : type !== 'stdio');
  if (!http) {
    if (entry['command'] === undefined)
      throw new EntryError([], 'It has neither a command nor a url.');
    if (urlKey !== undefined)
      warnings.push('It has both a command and a url; the command is used.');
    return {
      transport: 'stdio',
      command: readText(entry, 'command'),
      args: readList(entry, 'args'),
      cwd: entry['cwd'] === undefined || entry['cwd'] === null ? null : readText(entry, 'cwd'),
      env: readPairs(entry, 'env', warnings),
    };
  }
  const url = readText(entry, urlKey);
  const looksLikeSse = type === null && /\/sse\/?(?:\?|$)/.test(url);
  if (looksLikeSse)
    warnings.push('It names no transport; its address ends in /sse, so SSE is used.');
  return {
    transport: type === 'sse' || looksLikeSse ? 'sse' : 'streamable-http',
    url,
    headers: readPairs(entry, 'headers', warnings),
  };
}

function readText(entry: JsonObject, key: string): string {
  const value = entry[key];
  if (typeof value !== 'string' || value === '')
    throw new EntryError([key], `${key} must be text and must not be empty.`);
  return value;
}

function readList(entry: JsonObject, key: string): string[] {
  const value = entry[key] ?? [];
  if (!Array.isArray(value)) throw new EntryError([key], `${key} is a list of texts.`);
  return value.map((item, index) => {
    if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean')
      throw new EntryError([key, index], 'An argument is a text.');
    return String(item);
  });
}

function readPairs(entry: JsonObject, key: string, warnings: string[]): Record<string, string> {
  const value = entry[key] ?? {};
  if (!isJsonObject(value))
    throw new EntryError([key], `${key} must be an object with text values.`);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, string][] => {
      if (item === null) {
        warnings.push(`${name} has no value and is left out.`);
        return [];
      }
      if (name === '' || typeof item === 'object')
        throw new EntryError([key, name], `${name || 'An entry without a name'} needs a text.`);
      return [[name, String(item)]];
    }),
  );
}

/**
 * Reads an object of named entries into `file`. `rename` distinguishes entries that have the same
 * name in several tables.
 */
export function readEntries(
  file: ServerFile,
  source: FileSource,
  path: JsonPath,
  table: JsonValue,
  options: {
    inputs?: ServerFileInput[];
    rename?: (name: string) => string;
    adapt?: (entry: JsonObject) => JsonObject;
  } = {},
): void {
  if (!isJsonObject(table)) {
    file.problems.push(source.problemAt(path, 'This is an object of servers by name.'));
    return;
  }
  if (Object.keys(table).length > maxServers) {
    file.problems.push(source.problemAt(path, `More than ${maxServers} servers are listed here.`));
    return;
  }
  for (const [key, entry] of Object.entries(table)) {
    const name = options.rename?.(key) ?? key;
    const read = readClientEntry(
      options.adapt !== undefined && isJsonObject(entry) ? options.adapt(entry) : entry,
    );
    if (!read.readable) {
      file.skipped.push({
        name,
        problem: source.problemAt([...path, key, ...read.path], read.message),
      });
      continue;
    }
    const { line, column } = source.problemAt([...path, key], '');
    const used = JSON.stringify(read.config);
    const inputs = (options.inputs ?? []).filter(({ id }) => used.includes(`\${input:${id}}`));
    file.entries.push({
      name,
      config: read.config,
      original: entry,
      extra: read.extra,
      inputs,
      warnings: read.warnings,
      line,
      column,
    });
  }
}
