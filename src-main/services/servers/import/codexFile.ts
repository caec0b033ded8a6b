import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readEntries } from './clientEntry.ts';
import type { FileSource, ServerFile } from './serverFile.ts';

/**
 * Reads the `[mcp_servers.name]` tables of a TOML file. Environment variables that Codex only names
 * become `${NAME}` references.
 */
export function readCodexFile(source: FileSource, root: JsonObject): ServerFile {
  const file: ServerFile = { format: 'codex', entries: [], skipped: [], problems: [] };
  readEntries(file, source, ['mcp_servers'], root['mcp_servers'] ?? {}, { adapt: toClientEntry });
  return file;
}

/** Rewrites the keys that only Codex has into those that all clients share. */
function toClientEntry(entry: JsonObject): JsonObject {
  const {
    env_vars: named,
    http_headers: headers,
    env_http_headers: namedHeaders,
    bearer_token_env_var: bearer,
    ...rest
  } = entry;
  const fromEnvironment = (Array.isArray(named) ? named : []).flatMap(
    (item): [string, JsonValue][] => {
      const name = isJsonObject(item) ? item['name'] : item;
      return typeof name === 'string' && name !== '' ? [[name, `\${${name}}`]] : [];
    },
  );
  const headersFromEnvironment = Object.entries(
    isJsonObject(namedHeaders) ? namedHeaders : {},
  ).flatMap(([header, name]): [string, JsonValue][] =>
    typeof name === 'string' ? [[header, `\${${name}}`]] : [],
  );
  const allHeaders: JsonObject = {
    ...(isJsonObject(headers) ? headers : {}),
    ...Object.fromEntries(headersFromEnvironment),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {}),
  };
  const env = rest['env'];
  const own =
    env === undefined || isJsonObject(env)
      ? { ...Object.fromEntries(fromEnvironment), ...env }
      : env;
  return {
    ...rest,
    ...(fromEnvironment.length > 0 ? { env: own } : {}),
    ...(Object.keys(allHeaders).length > 0 ? { headers: allHeaders } : {}),
  };
}
