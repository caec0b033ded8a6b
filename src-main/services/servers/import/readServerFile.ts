import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { maxServerFileLength } from '../../../../src-shared/contract/servers.ts';
import { readSourceText } from '../../suites/sourceText.ts';
import { readBundle, readManifest } from './bundle.ts';
import { readEntries } from './clientEntry.ts';
import { readCodexFile } from './codexFile.ts';
import { isInstallLink, readInstallLink } from './installLink.ts';
import { isToolsFile } from '../toolsFile.ts';
import { readJsonSource } from './jsonSource.ts';
import { readMcpServersFile } from './mcpServersFile.ts';
import { readOtherClient } from './otherClients.ts';
import { readRegistryFile } from './registryFile.ts';
import { unreadableFile, problemAtStart, type FileSource, type ServerFile } from './serverFile.ts';
import { readTomlSource } from './tomlSource.ts';
import { readVscodeFile } from './vscodeFile.ts';

/**
 * Limit for text that is parsed as a whole. A bundle may be larger, because only its manifest is
 * parsed.
 */
const maxTextLength = 16 * 1024 * 1024;
/** The first line with content is a key of YAML: TOML has `=` or `[` there. */
const yamlStart = /^\ufeff?(?:\s*(?:#.*|---\s*)?\n)*\s*["']?[\w.-]+["']?:(?:\s|$)/;
const toolsFileText =
  'This is a list of tools. It doesn’t say how to start or reach their server. To use the list as ' +
  'it is, give it as --tools, for example `touchstone lint --tools FILE`.';
/** The first bytes of a zip file as base64. */
const zipPrefix = /^(?:data:[^,]{0,100};base64,)?(?=UEsDB)/;

/**
 * Reads servers from the configuration of another program. The format is recognized by content; the
 * file name only gives a name to a single unnamed entry. Never throws.
 */
export function readServerFile({ fileName, text }: { fileName: string; text: string }): ServerFile {
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

  const isJson = /^\ufeff?\s*(?:\{|\/[/*]|\[\s*[[{\]])/.test(text);
  const isYaml = !isJson && yamlStart.test(text);
  const source = isJson
    ? readJsonSource(text)
    : isYaml
      ? readSourceText(text)
      : readTomlSource(text);
  if ('problems' in source) return unreadableFile(...source.problems);
  if (!isJsonObject(source.value))
    return unreadableFile(source.problemAt([], 'It is a list. A configuration must be an object.'));
  return readObject(source, source.value, fileName);
}

const isEntry = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && (typeof value['command'] === 'string' || typeof value['url'] === 'string');

function readObject(source: FileSource, root: JsonObject, fileName: string): ServerFile {
  const other = readOtherClient(source, root);
  if (other !== null) return other;
  if (isJsonObject(root['mcp_servers'])) return readCodexFile(source, root);
  if (root['mcpServers'] !== undefined || isJsonObject(root['projects']))
    return readMcpServersFile(source, root);
  if (
    Array.isArray(root['packages']) ||
    Array.isArray(root['remotes']) ||
    (Array.isArray(root['servers']) && !isToolsFile(root))
  )
    return readRegistryFile(source, root);
  const { server, mcp } = root;
  if (
    isJsonObject(server) &&
    (Array.isArray(server['packages']) || Array.isArray(server['remotes']))
  )
    return readRegistryFile(source, root);
  if (isJsonObject(server) && isJsonObject(server['mcp_config'])) return readManifest(source, root);
  if (isJsonObject(root['servers'])) return readVscodeFile(source, root);
  if (isJsonObject(mcp) && isJsonObject(mcp['servers']))
    return readVscodeFile(source, mcp, ['mcp']);
  return readBareEntries(source, root, fileName);
}

/**
 * Reads entries as web pages show them, without the enclosing object: a single one, or several by
 * name.
 */
function readBareEntries(source: FileSource, root: JsonObject, fileName: string): ServerFile {
  const file: ServerFile = { format: 'mcp-servers', entries: [], skipped: [], problems: [] };
  if (isEntry(root)) {
    const { name: own, ...entry } = root;
    const name =
      typeof own === 'string' && own !== ''
        ? own
        : (/([^\\/]+?)(?:\.\w+)?$/.exec(fileName)?.[1] ?? 'server');
    readEntries(
      file,
      { value: entry, problemAt: (path, message) => source.problemAt(path.slice(1), message) },
      [],
      { [name]: entry },
    );
    return file;
  }
  const values = Object.values(root);
  if (values.length > 0 && values.every(isEntry)) {
    readEntries(file, source, [], root);
    return file;
  }
  if (isToolsFile(root)) return unreadableFile(source.problemAt([], toolsFileText));
  return unreadableFile(
    source.problemAt(
      [],
      'No servers found. Supported: mcpServers, servers, mcp_servers, server.json of the ' +
        'registry, bundles, and install links.',
    ),
  );
}
