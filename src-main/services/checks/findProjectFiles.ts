import { readdir, stat } from 'node:fs/promises';
import { join, basename, extname } from 'node:path';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { casesOfFile, tasksOfFile, type SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { readTextFile } from '../files/readTextFile.ts';
import { readServerFile } from '../servers/import/readServerFile.ts';
import { readToolsFile } from '../servers/toolsFile.ts';
import { readSuiteFile } from '../suites/suiteFile.ts';
import { readReportFile } from './readReportFile.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** A server that a folder can start, with the file that says so. */
interface FoundServer {
  name: string;
  /** Its command line, from that folder. */
  stdio: string;
  /** `package.json`, or the program itself. */
  from: string;
}

const programs: Readonly<Record<string, string>> = {
  '.mjs': 'node',
  '.js': 'node',
  '.cjs': 'node',
  '.py': 'python3',
};
/** Where a server's program is, if nothing names it. */
const sourceFolders = ['', 'src', 'dist', 'build'];
/** What a program that answers MCP requests has in it. */
const servesMcp =
  /["'`]tools\/list["'`]|@modelcontextprotocol\/(?:sdk|server)|\bfrom\s+(?:mcp|fastmcp)\b|\bMcpServer\b/;
const maxProgramBytes = 1024 * 1024;

/** The servers that a folder can start: the programs in package.json's `bin`, or those that serve MCP. */
async function findServers(folder: string): Promise<FoundServer[]> {
  const named = await serversOfPackage(folder);
  return named.length > 0 ? named : programsThatServe(folder);
}

async function serversOfPackage(folder: string): Promise<FoundServer[]> {
  const text = await readTextFile(join(folder, 'package.json')).catch(() => null);
  const root: unknown = text === null ? null : orElse(() => JSON.parse(text) as JsonValue, null);
  if (!isJsonObject(root)) return [];
  const { bin, name } = root;
  const own = typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : 'server';
  const all = typeof bin === 'string' ? { [own]: bin } : isJsonObject(bin) ? bin : {};
  return Object.entries(all).flatMap(([each, path]) =>
    typeof path === 'string'
      ? [{ name: each, stdio: commandOf(path.replace(/^\.\//, '')), from: 'package.json' }]
      : [],
  );
}

async function programsThatServe(folder: string): Promise<FoundServer[]> {
  const found: FoundServer[] = [];
  for (const part of sourceFolders) {
    const names = await readdir(join(folder, part)).catch(() => []);
    for (const name of names.toSorted()) {
      if (programs[extname(name)] === undefined || /\.(?:test|spec|config)\./.test(name)) continue;
      const path = part === '' ? name : `${part}/${name}`;
      const text = await readTextFile(join(folder, path)).catch(() => '');
      if (text.length <= maxProgramBytes && servesMcp.test(text))
        found.push({ name: basename(name, extname(name)), stdio: commandOf(path), from: path });
    }
    if (found.length > 0) break;
  }
  return found;
}

const commandOf = (path: string): string => {
  const shown = /\s/.test(path) ? JSON.stringify(path) : path;
  return `${programs[extname(path)] ?? 'node'} ${shown}`;
};

/** What a folder holds that a check can use, each by its path in that folder. */
export interface FoundFiles {
  suites: { path: string; name: string; servers: string[] }[];
  tools: { path: string; count: number }[];
  /** JSON reports of evaluations, with the suite that they are of. */
  reports: { path: string; suite: string }[];
  /** Configurations of MCP clients, with the names of their servers. */
  clients: { path: string; servers: string[] }[];
  /** Files that are meant as suites and can't be read, with their first problem. */
  broken: { path: string; line: number; column: number; message: string }[];
  /** Servers that the folder itself can start. */
  servers: FoundServer[];
}

/** Folders that hold no files of the project itself. */
const skippedFolders = new Set(['node_modules', 'dist', 'out', 'build', 'target', 'vendor']);
/** Folders of clients that begin with a period. */
const clientFolders = new Set(['.cursor', '.vscode', '.gemini', '.claude', '.codex', '.zed']);
const clientFile = /^(\.?mcp|settings|claude_desktop_config)\.json$|^config\.toml$/;
/** What only a configuration of servers has. */
const clientText = /"(?:mcpServers|context_servers)"\s*:/;
/** A suite by its name, or by what its first level holds. */
const suiteFile = /(?:^|[.-])suite\.(?:ya?ml|json)$/i;
const suiteText = /^(?:cases|tasks)\s*:|^\s{0,4}"(?:cases|tasks)"\s*:\s*\[/m;
const maxDepth = 3;
const maxFiles = 2_000;
const maxBytes = 16 * 1024 * 1024;

/** Looks for suites, tools, reports and client configurations in a folder and those within it. */
export async function findProjectFiles(folder: string): Promise<FoundFiles> {
  const found: FoundFiles = {
    ...{ suites: [], tools: [], reports: [], clients: [], broken: [] },
    servers: await findServers(folder),
  };
  for (const path of await listFiles(folder)) {
    const text = await readTextFile(join(folder, path)).catch(() => null);
    if (text !== null) sortIn(found, path, text);
  }
  return found;
}

/** Paths of readable YAML and JSON files, in order, the nearest first. */
async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  let level = [''];
  for (let depth = 0; depth <= maxDepth && files.length < maxFiles; depth += 1) {
    const next: string[] = [];
    for (const parent of level) {
      const entries = await readdir(join(folder, parent), { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
        if (entry.isDirectory()) {
          const isHidden = entry.name.startsWith('.') && !clientFolders.has(entry.name);
          if (!isHidden && !skippedFolders.has(entry.name)) next.push(path);
        } else if (entry.isFile() && /\.(ya?ml|json)$|^config\.toml$/i.test(entry.name)) {
          const { size } = await stat(join(folder, path));
          if (size <= maxBytes) files.push(path);
        }
      }
    }
    level = next;
  }
  return files.slice(0, maxFiles);
}

/** A file is what it can be read as; one that is none of these is left out. */
function sortIn(found: FoundFiles, path: string, text: string): void {
  const name = path.split('/').at(-1) ?? path;
  const { file: suite, problems } = readSuiteFile(text);
  if (suite !== null)
    return void found.suites.push({ path, name: suite.name, servers: serversOfSuite(suite) });
  const isJson = /\.json$/i.test(name);
  const report = isJson ? reportIn(text) : null;
  if (report !== null) return void found.reports.push({ path, suite: report });
  const tools = isJson ? toolsIn(text, path) : 0;
  if (tools > 0) return void found.tools.push({ path, count: tools });
  if (clientFile.test(name) || (isJson && clientText.test(text))) {
    const { entries } = readServerFile({ fileName: name, text });
    if (entries.length > 0)
      return void found.clients.push({ path, servers: entries.map((entry) => entry.name) });
  }
  const [first] = problems;
  if (first !== undefined && (suiteFile.test(name) || suiteText.test(text)))
    found.broken.push({
      ...{ path, line: first.line ?? 1, column: first.column ?? 1, message: first.message },
    });
}

export const serversOfSuite = (file: SuiteFile): string[] => [
  ...new Set([
    ...file.servers,
    ...[...casesOfFile(file), ...tasksOfFile(file)].flatMap(({ servers = [] }) => servers),
  ]),
];

/** The suite of a report; null if the text is none that can be a baseline. */
function reportIn(text: string): string | null {
  return orElse(() => readReportFile(JSON.parse(text))?.suite ?? null, null);
}

/** How many tools a file offers; 0 if it is no tools file. */
function toolsIn(text: string, path: string): number {
  return orElse(() => readToolsFile(text, path).tools.length, 0);
}
