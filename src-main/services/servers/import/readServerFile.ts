import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ServerFileFormat } from '../../../../src-shared/domain/serverImport.ts';
import { maxServerFileLength } from '../../../../src-shared/contract/servers.ts';
import { relaxedJson } from '../../files/relaxedJson.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { isToolsFile } from '../toolsFile.ts';
import { readBundle, readManifest } from './bundle.ts';
import { environmentFilesOf, type EntryRules } from './clientEntry.ts';
import { clients } from './clients.ts';
import { isDockerCatalog, readDockerCatalog } from './dockerCatalog.ts';
import { tableAt, valueAt, type ServerTable } from './findTables.ts';
import { isInstallLink, readInstallLink } from './installLink.ts';
import { readJsonSource } from './jsonSource.ts';
import { readRegistryFile } from './registryFile.ts';
import {
  unreadableFile,
  problemAtStart,
  type FileSource,
  type ParsedSource,
  type ServerFile,
} from './serverFile.ts';
import { readEntry, readInputs, readTable } from './tableEntries.ts';
import { readTomlSource } from './tomlSource.ts';

/** A text, with those of the files that it names, by the name that it gives them. */
export interface FileInput {
  fileName: string;
  text: string;
  files?: Readonly<Record<string, string>>;
}

/**
 * Limit for text that is parsed as a whole. A bundle may be larger, because only its manifest is
 * parsed.
 */
const maxTextLength = 16 * 1024 * 1024;
/** The first line with content is a key of YAML: TOML has `=` or `[` there. */
const yamlStart = /^\ufeff?(?:\s*(?:#.*|---\s*)?\n)*\s*["']?[\w.-]+["']?:(?:\s|$)/;
const toolsFileText =
  'This is a list of tools. It doesn’t say how to start or reach their server. Add the server ' +
  'with its command or address instead.';
/** https://github.com/modelcontextprotocol/mcpb: a bundle is a ZIP archive. */
const isBundleName = /\.(?:mcpb|dxt)$/i;
const noBundleText =
  'A bundle (.mcpb, .dxt) is a ZIP archive, and this is something else. Download or pack it again; ' +
  'a configuration has the ending .json or .toml.';
/** The first bytes of a zip file as base64. */
const zipPrefix = /^(?:data:[^,]{0,100};base64,)?(?=UEsDB)/;

/**
 * Reads servers from the configuration of another program. The format is recognized by content; the
 * file name only gives a name to a single unnamed entry, and says what an unreadable file should be.
 * Never throws.
 */
export function readServerFile(input: FileInput): ServerFile {
  const read = readByContent(input);
  const isNoBundle =
    isBundleName.test(input.fileName) &&
    read.problems.length > 0 &&
    read.entries.length === 0 &&
    ![zipPrefix, /^\s*$/].some((known) => known.test(input.text));
  return isNoBundle ? unreadableFile(problemAtStart(noBundleText)) : read;
}

function readByContent(input: FileInput): ServerFile {
  const { text } = input;
  if (text.length > maxServerFileLength)
    return unreadableFile(
      problemAtStart(`The file is larger than ${maxServerFileLength / 1024 / 1024} MB.`),
    );
  if (zipPrefix.test(text)) return readBundle(text.replace(zipPrefix, ''));
  if (text.length > maxTextLength)
    return unreadableFile(
      problemAtStart(
        `The file is larger than ${maxTextLength / 1024 / 1024} MB, too large for a configuration.`,
      ),
    );
  if (text.trim() === '' || text.trim() === '\ufeff')
    return unreadableFile(problemAtStart('The file is empty.'));
  if (isInstallLink(text)) return readInstallLink(text);

  const isJson = /^\ufeff?\s*(?:\{|\/[/*]|\[\s*(?:[{\]]|\[(?![\w".-])))/.test(text);
  const isYaml = !isJson && yamlStart.test(text);
  const source = isJson ? readJson(text) : isYaml ? readSourceText(text) : readTomlSource(text);
  if ('problems' in source) return unreadableFile(...source.problems);
  if (Array.isArray(source.value)) return readList(source, source.value, input);
  if (!isJsonObject(source.value)) return unreadableFile(source.problemAt([], noServersText));
  return readObject(source, source.value, input);
}

/** Programs that read JSON5 write it, too. What is neither is refused in words of JSON. */
function readJson(text: string): ParsedSource {
  const read = readJsonSource(text);
  const relaxed = 'problems' in read ? relaxedJson(text) : null;
  const again = relaxed === null ? read : readJsonSource(relaxed.json);
  if (relaxed === null || 'problems' in again) return read;
  return {
    value: again.value,
    problemAt: (path, message) => relaxed.placed(again.problemAt(path, message)),
  };
}

/**
 * Reads a file that is no text of a client: a description of the registry, a catalog of Docker, a
 * manifest of a bundle, or a plugin that names the file with its servers. Then the clients are tried
 * in order, those first whose file has this name.
 */
function readObject(source: FileSource, root: JsonObject, input: FileInput): ServerFile {
  const { server, servers } = root;
  const described = (value: JsonValue | undefined): boolean =>
    isJsonObject(value) && (Array.isArray(value['packages']) || Array.isArray(value['remotes']));
  const isRegistry =
    described(root) ||
    described(server) ||
    (Array.isArray(servers) &&
      servers.some(
        (each) => described(each) || (isJsonObject(each) && isJsonObject(each['server'])),
      ));
  if (isRegistry) return readRegistryFile(source, root);
  if (isDockerCatalog(root)) return readDockerCatalog(source, root);
  if (isJsonObject(server) && isJsonObject(server['mcp_config'])) return readManifest(source, root);
  const named = textsIn(root['mcpServers']);
  if (named.length > 0) return readNamed(source, named, input);
  for (const { format, files, find = () => null, rules, fileRules } of clients)
    if (files?.test(input.fileName)) {
      const tables = find(root) ?? tableAt('mcpServers')(root);
      if (tables !== null)
        return readTables(source, root, tables, {
          format,
          rules: { ...rules, ...fileRules },
          input,
        });
    }
  for (const { format, find, rules } of clients) {
    const tables = find?.(root) ?? null;
    if (tables !== null) return readTables(source, root, tables, { format, rules, input });
  }
  return readBareEntries(source, root, input);
}

const textsIn = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');

function readTables(
  source: FileSource,
  root: JsonObject,
  tables: readonly ServerTable[],
  {
    format,
    rules,
    input,
  }: { format: ServerFileFormat; rules?: EntryRules | undefined; input: FileInput },
): ServerFile {
  const file: ServerFile = { format, entries: [], skipped: [], problems: [] };
  const files = input.files ?? {};
  for (const table of tables) {
    const inputs = table.inputs === undefined ? undefined : readInputs(valueAt(root, table.inputs));
    readTable(file, source, table, { ...rules, files, ...(inputs && { inputs }) });
  }
  const named = tables
    .flatMap(({ entries }) =>
      isJsonObject(entries) || Array.isArray(entries) ? Object.values(entries) : [],
    )
    .flatMap(environmentFilesOf);
  return { ...file, named: [...new Set(named)].filter((name) => !Object.hasOwn(files, name)) };
}

/** A plugin whose servers are in files of their own. */
function readNamed(source: FileSource, names: readonly string[], input: FileInput): ServerFile {
  const files = input.files ?? {};
  const missing = names.filter((name) => !Object.hasOwn(files, name));
  if (missing.length > 0)
    return {
      ...unreadableFile(
        source.problemAt(
          ['mcpServers'],
          `Its servers are in ${missing.join(' and ')}. Import ${missing.length > 1 ? 'those files' : 'that file'}.`,
        ),
      ),
      named: missing,
    };
  const read = names.map((fileName) =>
    readServerFile({ fileName, text: files[fileName] ?? '', files }),
  );
  return {
    format: 'claude-code',
    entries: read.flatMap(({ entries }) => entries),
    skipped: read.flatMap(({ skipped }) => skipped),
    problems: read.flatMap(({ problems }) => problems),
    named: read.flatMap(({ named = [] }) => named),
  };
}

const isEntry = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) &&
  [value['command'], value['cmd'], value['url'], value['serverUrl'], value['httpUrl']].some(
    (each) => typeof each === 'string' || Array.isArray(each),
  );

/**
 * Reads entries as web pages show them, without the enclosing object: a single one, several by name,
 * or a list.
 */
function readBareEntries(source: FileSource, root: JsonObject, input: FileInput): ServerFile {
  const format = 'mcp-servers';
  const file: ServerFile = { format, entries: [], skipped: [], problems: [] };
  if (isEntry(root)) {
    const { name: own, ...rest } = root;
    const name =
      typeof own === 'string' && own !== ''
        ? own
        : (/([^\\/]+?)(?:\.\w+)?$/.exec(input.fileName)?.[1] ?? 'server');
    readEntry(file, source, { name, path: [], rest }, { files: input.files ?? {} });
    return { ...file, named: environmentFilesOf(root) };
  }
  const values = Object.values(root);
  if (values.length > 0 && values.every(isEntry))
    return readTables(source, root, [{ path: [], entries: root }], { format, input });
  for (const path of [['servers'], ['mcp', 'providers'], ['mcp', 'servers']]) {
    const list = valueAt(root, path);
    if (Array.isArray(list) && list.some(isEntry))
      return readTables(source, root, [{ path, entries: list }], { format, input });
  }
  if (isToolsFile(root)) return unreadableFile(source.problemAt([], toolsFileText));
  const known = described.find(({ isIt }) => isIt(root));
  return unreadableFile(source.problemAt(known?.path ?? [], known?.message ?? noServersText));
}

/** Files that describe servers without saying how a client starts them. */
const described: { isIt: (root: JsonObject) => boolean; path: string[]; message: string }[] = [
  {
    isIt: ({ startCommand }) => isJsonObject(startCommand),
    path: ['startCommand'],
    message:
      'This is a description for Smithery. A function in it makes the command (commandFunction), and ' +
      'it is not run. Add the server with its command instead.',
  },
  {
    isIt: ({ services }) => isJsonObject(services),
    path: ['services'],
    message:
      'This is a Docker Compose file. For a server that speaks over standard input, add the command ' +
      '`docker compose -f FILE run --rm -T SERVICE`; for one that listens, add its address.',
  },
];

const noServersText =
  'No servers found. Supported: mcpServers, servers, mcp_servers, server.json of the registry, ' +
  'bundles, and install links.';

/** A list at the top of a file: of entries that name themselves, or of such configurations. */
function readList(source: FileSource, list: JsonValue[], input: FileInput): ServerFile {
  if (list.some((each) => isEntry(each) || (isJsonObject(each) && each['type'] === 'mcp')))
    return readTables(source, {}, [{ path: [], entries: list }], {
      format: list.some((each) => isJsonObject(each) && each['type'] === 'mcp')
        ? 'api'
        : 'mcp-servers',
      input,
    });
  if (isToolsFile(list)) return unreadableFile(source.problemAt([], toolsFileText));
  const objects = list.filter(isJsonObject);
  const read = objects.map((each, index) =>
    readObject(
      { value: each, problemAt: (path, message) => source.problemAt([index, ...path], message) },
      each,
      input,
    ),
  );
  const held = read.filter(({ entries }) => entries.length > 0);
  if (objects.length !== list.length || held.length === 0)
    return unreadableFile(source.problemAt([], noServersText));
  return {
    format: held[0]?.format ?? 'mcp-servers',
    entries: held.flatMap(({ entries }) => entries),
    skipped: read.flatMap(({ skipped }) => skipped),
    problems: [],
    named: read.flatMap(({ named = [] }) => named),
  };
}
