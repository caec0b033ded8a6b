import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';
import { readEntries } from './clientEntry.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

/** Where a client keeps its servers, and how it writes one. */
interface Client {
  path: JsonPath;
  entries: JsonValue;
  toEntry(entry: JsonObject): JsonObject;
}

/**
 * Reads the configuration of clients with a way of their own to write a server: Zed, opencode, Amp,
 * Goose, Continue and Gemini CLI. Null if the file is of none of them.
 */
export function readOtherClient(source: FileSource, root: JsonObject): ServerFile | null {
  const client = findClient(root);
  if (client === null) return null;
  const file: ServerFile = { format: 'mcp-servers', entries: [], skipped: [], problems: [] };
  const entries = isJsonObject(client.entries) ? client.entries : {};
  const read = Object.entries(entries).map(
    ([name, entry]) => [name, isJsonObject(entry) ? client.toEntry(entry) : entry] as const,
  );
  readEntries(file, source, client.path, Object.fromEntries(read));
  return file;
}

function findClient(root: JsonObject): Client | null {
  if (isJsonObject(root['context_servers']))
    return { path: ['context_servers'], entries: root['context_servers'], toEntry: fromZed };
  if (isJsonObject(root['amp.mcpServers']))
    return { path: ['amp.mcpServers'], entries: root['amp.mcpServers'], toEntry: (entry) => entry };
  if (isJsonObject(root['extensions']))
    return { path: ['extensions'], entries: root['extensions'], toEntry: fromGoose };
  const { mcp, mcpServers } = root;
  if (isJsonObject(mcp) && !isJsonObject(mcp['servers']))
    return { path: ['mcp'], entries: mcp, toEntry: fromOpencode };
  if (isJsonObject(mcpServers) && isGemini(root, mcpServers))
    return { path: ['mcpServers'], entries: mcpServers, toEntry: fromGemini };
  if (Array.isArray(mcpServers))
    return { path: ['mcpServers'], entries: byName(mcpServers), toEntry: fromContinue };
  return null;
}

/** Zed: the command is a text, or an object with path, args and env. */
function fromZed({ source: _, settings: __, ...entry }: JsonObject): JsonObject {
  const { command } = entry;
  if (!isJsonObject(command)) return entry;
  const { path, ...more } = command;
  return { ...entry, ...more, command: path ?? null };
}

/** Opencode: the command is a list, and `type` is local or remote. */
function fromOpencode({ type: _, environment, command, ...entry }: JsonObject): JsonObject {
  const [program, ...args] = Array.isArray(command) ? command : [command ?? null];
  return withVariables(
    {
      ...entry,
      ...(program != null && { command: program, args }),
      ...(environment !== undefined && { env: environment }),
    },
    /\{env:([^{}]+)\}/g,
    '${$1}',
  );
}

/** Goose: `cmd`, `envs` and `uri`. Its built-in extensions have neither and are skipped. */
function fromGoose({ cmd, envs, uri, name: _, ...entry }: JsonObject): JsonObject {
  return {
    ...entry,
    ...(cmd !== undefined && { command: cmd }),
    ...(envs !== undefined && { env: envs }),
    ...(uri !== undefined && { url: uri }),
  };
}

/** Gemini CLI: keys that only it writes, in an entry or next to the servers. */
const isGemini = (root: JsonObject, servers: JsonObject): boolean =>
  ['selectedAuthType', 'security', 'contextFileName', 'mcp'].some((key) => key in root) ||
  Object.values(servers).some(
    (entry) =>
      isJsonObject(entry) && ['httpUrl', 'trust', 'includeTools'].some((key) => key in entry),
  );

/** Gemini CLI: a variable may be written without braces. */
const fromGemini = (entry: JsonObject): JsonObject =>
  withVariables(entry, /\$([A-Za-z_]\w*)/g, '${$1}');

/** Continue: `${{ secrets.NAME }}`. */
const fromContinue = (entry: JsonObject): JsonObject =>
  withVariables(entry, /\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, '${secret:$1}');

/** The entry with another client's references to variables as ours. */
function withVariables(entry: JsonObject, pattern: RegExp, reference: string): JsonObject {
  const change = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return value.replace(pattern, reference);
    if (Array.isArray(value)) return value.map(change);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]));
  };
  return change(entry) as JsonObject;
}

/** Continue: a list of servers that name themselves. */
function byName(list: readonly JsonValue[]): JsonObject {
  return Object.fromEntries(
    list.map((entry, index) => {
      const { name, ...rest } = isJsonObject(entry) ? entry : {};
      return [typeof name === 'string' && name !== '' ? name : `server ${index + 1}`, rest];
    }),
  );
}
