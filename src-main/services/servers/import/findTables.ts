import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import type {
  ServerExportFormat,
  ServerFileFormat,
} from '../../../../src-shared/domain/serverImport.ts';
import type { Environment } from '../variables.ts';
import type { EntryRules } from './clientEntry.ts';
import { plainName } from './entrySettings.ts';

/** Entries in a file: by name, or a list of entries that name themselves. */
export interface ServerTable {
  path: JsonPath;
  entries: JsonValue;
  /** The folder of the project that alone uses them. */
  project?: string;
  /** Where the values to enter are declared. */
  inputs?: JsonPath;
  /** The transport of its entries, where the place of the table says it. */
  type?: 'sse' | 'http';
}

/** The tables of servers in a file of a client; null if it is none. */
export type FindTables = (root: JsonObject) => ServerTable[] | null;

export interface ClientFileShape {
  fileName: string;
  table: 'mcpServers' | 'servers' | 'mcp' | 'mcp_servers' | 'extensions';
  /** How an entry starts a command: by `command` and `args`, by a list of both, or by `cmd` and `args`. */
  command: 'split' | 'list' | 'cmd';
  syntax: 'json' | 'toml' | 'yaml';
  /** What a new file begins with if the table is a list of servers that name themselves. */
  list?: readonly string[];
  /** A file next to it that the client reads only where this one is missing. */
  insteadOf?: string;
  /** True if the second place is that of older versions: written if only its file exists. */
  hasOlderPlace?: boolean;
  /** True if a local server says `type: stdio`. */
  typed: boolean;
  /** True if the file may hold servers that are reached by an address. */
  remote: boolean;
  /** True if it declares the values that a person enters. */
  inputs: boolean;
  cwd: boolean;
  expands: (reference: string) => boolean;
  /** The export that is written like it. */
  as: ServerExportFormat | null;
}

/** Everything that this program knows of the configuration of a client. */
export interface Client {
  name: string;
  format: ServerFileFormat;
  /** Names of files that only this client has. One decides before any content. */
  files?: RegExp;
  /** Where the servers are in a file of this client; null if it is none. */
  find?: FindTables;
  rules?: EntryRules;
  /** Further rules for a file with one of these names: content alone doesn't tell who wrote it. */
  fileRules?: EntryRules;
  /** Where it keeps the file of a person. */
  places?: (folders: Folders) => string[];
  writes?: ClientFileShape;
}

export interface Folders {
  home: (...steps: string[]) => string;
  /** Where programs keep their data: `%APPDATA%`, `Application Support` or `~/.config`. */
  data: (...steps: string[]) => string;
  /** `~/.config`, on macOS too. */
  config: (...steps: string[]) => string;
  environment: Environment;
  windows: boolean;
}

export const valueAt = (root: JsonObject, path: JsonPath): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (value, step) => (isJsonObject(value) ? value[String(step)] : undefined),
    root,
  );
const objectAt = (root: JsonObject, ...path: string[]): JsonObject => {
  const value = valueAt(root, path);
  return isJsonObject(value) ? value : {};
};
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const hasAny = (value: JsonObject, ...names: string[]): boolean =>
  Object.keys(value).some((key) => names.includes(plainName(key)));
const objectsIn = (table: JsonValue | undefined): JsonObject[] =>
  (isJsonObject(table) ? Object.values(table) : Array.isArray(table) ? table : []).filter(
    isJsonObject,
  );
const someHas = (table: JsonValue | undefined, ...names: string[]): boolean =>
  objectsIn(table).some((entry) => hasAny(entry, ...names));

export const tableAt =
  (...path: string[]): FindTables =>
  (root) => {
    const entries = valueAt(root, path);
    return isJsonObject(entries) ? [{ path, entries }] : null;
  };
export const tableWith =
  (path: string[], ...settings: string[]): FindTables =>
  (root) =>
    someHas(valueAt(root, path), ...settings) ? tableAt(...path)(root) : null;
export const listAt =
  (path: string[], isEntry: (entry: JsonObject) => boolean): FindTables =>
  (root) => {
    const entries = valueAt(root, path);
    return Array.isArray(entries) && objectsIn(entries).some(isEntry) ? [{ path, entries }] : null;
  };
export const listWith = (path: string[], ...settings: string[]): FindTables =>
  listAt(path, (entry) => hasAny(entry, ...settings));
/** The first of several places that has a table. */
export const firstOf =
  (...finders: FindTables[]): FindTables =>
  (root) => {
    for (const find of finders) {
      const found = find(root);
      if (found !== null) return found;
    }
    return null;
  };
/** The tables of all places that have one. */
const allOf =
  (...finders: FindTables[]): FindTables =>
  (root) => {
    const found = finders.flatMap((find) => find(root) ?? []);
    return found.length > 0 ? found : null;
  };
export const inFileWith =
  (keys: readonly string[], find: FindTables): FindTables =>
  (root) =>
    keys.some((key) => key in root) ? find(root) : null;
/** `mcpServers`, if the file or an entry has a sign of this client. */
export const mcpServersWith = (inFile: readonly string[], ...inEntry: string[]): FindTables =>
  firstOf(inFileWith(inFile, tableAt('mcpServers')), tableWith(['mcpServers'], ...inEntry));
export const withInputs =
  (inputs: string[], find: FindTables): FindTables =>
  (root) =>
    find(root)?.map((table) => ({ ...table, inputs })) ?? null;
const typed =
  (type: 'sse' | 'http', find: FindTables): FindTables =>
  (root) =>
    find(root)?.map((table) => ({ ...table, type })) ?? null;

const isOpencodeEntry = (entry: JsonObject): boolean =>
  entry['type'] === 'local' ||
  entry['type'] === 'remote' ||
  Array.isArray(entry['command']) ||
  entry['environment'] !== undefined;

export const opencodeTables: FindTables = (root) => {
  if (isJsonObject(valueAt(root, ['mcp', 'servers'])))
    return objectsIn(valueAt(root, ['mcp', 'servers'])).some(isOpencodeEntry)
      ? tableAt('mcp', 'servers')(root)
      : null;
  return tableWith(['mcp'], 'command', 'url', 'type')(root);
};

/** Crush names the transports as MCP does; opencode, under the same key, says `local` and `remote`. */
export const crushTables: FindTables = (root) =>
  objectsIn(root['mcp']).some(({ type }) => ['stdio', 'http', 'sse'].includes(textOf(type)))
    ? tableAt('mcp')(root)
    : null;

const isLocalEntry = (entry: JsonObject): boolean =>
  entry['type'] === 'local' || Array.isArray(entry['tools']);

export const copilotTables: FindTables = (root) =>
  objectsIn(root['mcpServers']).some(isLocalEntry) ? tableAt('mcpServers')(root) : null;

/** Those of the person, then those of each project; and those of a plugin. */
export const claudeCodeTables: FindTables = (root) => {
  const projects = Object.entries(objectAt(root, 'projects')).flatMap(
    ([folder, project]): ServerTable[] =>
      isJsonObject(project) && isJsonObject(project['mcpServers'])
        ? [
            {
              path: ['projects', folder, 'mcpServers'],
              entries: project['mcpServers'],
              project: folder,
            },
          ]
        : [],
  );
  const isPlugin = typeof root['name'] === 'string' && typeof root['version'] === 'string';
  const own = tableAt('mcpServers')(root);
  return projects.length > 0 || isPlugin || someHas(root['mcpServers'], 'type')
    ? own === null && projects.length === 0
      ? null
      : [...(own ?? []), ...projects]
    : null;
};

/** A target is an address or a command in one text (fast-agent). */
const withTarget = (entry: JsonValue): JsonValue => {
  if (!isJsonObject(entry) || typeof entry['target'] !== 'string') return entry;
  const { target, ...rest } = entry;
  return { ...rest, [/^https?:/.test(target) ? 'url' : 'command']: target };
};

/** `mcp.targets` and `mcp.servers`, in a file that isn't the settings of VS Code. */
export const mcpAgentTables: FindTables = (root) => {
  const { servers, targets } = objectAt(root, 'mcp');
  const isOther =
    !Array.isArray(targets) &&
    !someHas(servers, 'transport', 'target', 'readtimeoutseconds', 'loadonstart') &&
    !hasAny(root, 'executionengine', 'defaultmodel', 'otel', 'agents');
  if (isOther) return null;
  return allOf(
    () =>
      Array.isArray(targets)
        ? [{ path: ['mcp', 'targets'], entries: targets.map(withTarget) }]
        : null,
    () =>
      isJsonObject(servers)
        ? [
            {
              path: ['mcp', 'servers'],
              entries: Object.fromEntries(
                Object.entries(servers).map(([name, entry]) => [name, withTarget(entry)]),
              ),
            },
          ]
        : null,
  )(root);
};

/** Earlier files list servers by a key of their own. */
export const fiveIreTables: FindTables = (root) => {
  const list = objectsIn(root['servers']).filter(({ key }) => typeof key === 'string');
  const isOther =
    list.length === 0 && !someHas(root['mcpServers'], 'approvalpolicy', 'allowsystemenv');
  const withoutKeys = (
    path: string[],
    entries: (readonly [string, JsonObject])[],
  ): ServerTable => ({
    path,
    entries: Object.fromEntries(
      entries.map(([name, { key: _key, name: _name, ...rest }]) => [name, rest]),
    ),
  });
  if (isOther && !('updated' in root)) return null;
  const named = Object.entries(objectAt(root, 'mcpServers')).flatMap(([name, entry]) =>
    isJsonObject(entry) ? [[name, entry] as const] : [],
  );
  return [
    withoutKeys(
      ['servers'],
      list.map((entry) => [textOf(entry['key']), entry] as const),
    ),
    withoutKeys(['mcpServers'], named),
  ];
};

/** One list for each transport; an item may be nothing but an address. */
export const openHandsTables = allOf(
  ...(
    [
      ['sse_servers', 'sse'],
      ['shttp_servers', 'http'],
    ] as const
  ).map(([key, type]): FindTables => (root) => {
    const entries = valueAt(root, ['mcp', key]);
    return Array.isArray(entries) ? [{ path: ['mcp', key], entries, type }] : null;
  }),
  listWith(['mcp', 'stdio_servers'], 'command'),
);

const springPath = ['spring', 'ai', 'mcp', 'client'];

/** An address of Spring AI is that of a host; the rest of it is a setting of its own. */
const springAddresses =
  (transport: string, setting: string, usual: string): FindTables =>
  (root) => {
    const place = [...springPath, transport, 'connections'];
    const connections = valueAt(root, place);
    if (!isJsonObject(connections)) return null;
    const entries = Object.entries(connections).map(([name, entry]): [string, JsonValue] => {
      if (!isJsonObject(entry) || typeof entry['url'] !== 'string') return [name, entry];
      const { [setting]: end, url, ...rest } = entry;
      const path = (textOf(end) || usual).replace(/^\/*/, '/');
      return [name, { ...rest, url: `${url.replace(/\/+$/, '')}${path}` }];
    });
    return [{ path: place, entries: Object.fromEntries(entries) }];
  };
export const springTables = allOf(
  tableAt(...springPath, 'stdio', 'connections'),
  typed('sse', springAddresses('sse', 'sse-endpoint', '/sse')),
  typed('http', springAddresses('streamable-http', 'endpoint', '/mcp')),
);

/** The nodes of a workflow that are MCP clients. Their credentials are kept elsewhere. */
export const n8nTables: FindTables = (root) => {
  const nodes = objectsIn(root['nodes']).filter(
    ({ type, parameters }) =>
      /\.mcpClient(?:Tool)?$/.test(textOf(type)) && isJsonObject(parameters),
  );
  if (nodes.length === 0) return null;
  const entries = nodes.map(({ name, parameters, credentials }): [string, JsonObject] => {
    const bearer = isJsonObject(credentials) ? credentials['httpBearerAuth'] : undefined;
    const token = isJsonObject(bearer) ? textOf(bearer['name']) || 'token' : null;
    const settings = isJsonObject(parameters) ? parameters : {};
    const { authentication: _, ...others } = settings;
    return [
      textOf(name) || 'server',
      token === null
        ? { ...settings, ...(isJsonObject(credentials) && { credentials }) }
        : { ...others, bearerToken: `{{${token.replaceAll(/[^\w.-]/g, '_')}}}` },
    ];
  });
  return [{ path: ['nodes'], entries: Object.fromEntries(entries), type: 'sse' }];
};
