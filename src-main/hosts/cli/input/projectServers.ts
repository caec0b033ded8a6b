import { basename, dirname, join, resolve } from 'node:path';
import type {
  DeclaredServer,
  ProjectServers,
} from '../../../../src-shared/domain/projectServers.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import { readNamedFiles } from '../../../services/servers/import/namedFiles.ts';
import { readServerFile } from '../../../services/servers/import/readServerFile.ts';
import type { ServerFile, ServerFileEntry } from '../../../services/servers/import/serverFile.ts';
import { inputVariable } from '../../../services/servers/variables.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import type { Client } from '../session.ts';
import { readInput } from './files.ts';
import { refuseServerKeys } from './ownAddresses.ts';
import { splitCommand } from './targets.ts';

/** Servers of a project file that are started for one check. */
export interface DeclaredServers {
  servers: readonly DeclaredServer[];
  /** The folder of the project file: paths begin there. */
  folder: string;
  /** In a pull request: whether they may be given keys. */
  ownAddresses?: boolean;
}

/** A server with the folder of the project that its configuration belongs to. */
interface StartedServer {
  name: string;
  config: ServerConfig;
}

/** Tells registered servers from those that are started; a file has one kind. */
export function sortServers(servers: ProjectServers): {
  registered?: string[];
  started?: DeclaredServer[];
} {
  const all = Array.isArray(servers)
    ? servers
    : isOne(servers)
      ? [servers]
      : Object.entries(servers).map(([name, own]) => ({ name, ...own }));
  const registered = all.filter((each) => typeof each === 'string');
  const started = all.filter((each) => typeof each !== 'string');
  if (registered.length > 0 && started.length > 0)
    throw new UsageError(
      `servers: ${registered[0] ?? ''} is a registered server, and others are started for the check. ` +
        'Give how each is started, or register all with `touchstone servers import`.',
    );
  return started.length > 0 ? { started } : { registered };
}

const isOne = (servers: Exclude<ProjectServers, unknown[]>): servers is DeclaredServer =>
  ['stdio', 'command', 'url', 'config'].some((key) => {
    const value: unknown = Reflect.get(servers, key);
    return typeof value === 'string' || Array.isArray(value);
  });

/**
 * Registers servers of a project file in the temporary workspace of a check: those that the suite
 * names, or all where it names none.
 */
export async function addDeclared(
  client: Client,
  { servers, folder, ownAddresses = false }: DeclaredServers,
  named: readonly string[],
  io: CommandIo,
): Promise<{ names: string[] }> {
  const [only] = named.length === 1 ? named : [];
  const found: StartedServer[] = [];
  for (const server of servers)
    found.push(
      ...(server.config === undefined
        ? [readOwn(server, only ?? 'server', folder)]
        : await readConfiguration(server, server.config, folder, io)),
    );
  const double = found.find(({ name }, at) => found.findIndex((one) => one.name === name) !== at);
  if (double !== undefined)
    throw new UsageError(`servers: Two are called ${double.name}. Give each a name of its own.`);
  // Only what the suite asks for is started.
  const needed = named.length === 0 ? found : found.filter(({ name }) => named.includes(name));
  const missing = named.find((name) => !found.some((server) => server.name === name));
  if (missing !== undefined)
    throw new UsageError(
      `servers: The suite names the server ${missing}, and the project has ` +
        `${found.map(({ name }) => name).join(', ')}. Give one of them this name.`,
    );
  if (!ownAddresses) refuseServerKeys(needed, io.env);
  for (const server of needed) await client.servers.create(server);
  return { names: needed.map(({ name }) => name) };
}

/** A server that the project file describes itself, read as a client's entry is. */
function readOwn(server: DeclaredServer, otherwise: string, folder: string): StartedServer {
  const { name = otherwise, stdio, command, args = [], url, transport, only } = server;
  const ways = [stdio, command, url].filter((way) => way !== undefined);
  if (ways.length !== 1 || only !== undefined)
    throw new UsageError(
      `servers: ${name} needs one of stdio, url and config; \`only\` goes with config.`,
    );
  const line =
    stdio === undefined
      ? { command, args }
      : typeof stdio === 'string'
        ? splitCommand(stdio)
        : { command: stdio[0], args: stdio.slice(1) };
  const env = Array.isArray(server.env)
    ? Object.fromEntries(server.env.map((one) => [one, `\${env:${one}}`]))
    : server.env;
  const entry =
    url === undefined
      ? { ...line, ...(env && { env }), ...(server.cwd !== undefined && { cwd: server.cwd }) }
      : { url, type: transport ?? 'streamable-http', headers: server.headers ?? {} };
  const text = JSON.stringify({ mcpServers: { [name]: entry } });
  const [read] = entriesOf(readServerFile({ fileName: '.mcp.json', text }), `servers: ${name}`);
  if (read === undefined) throw new UsageError(`servers: ${name} can't be read.`);
  return { name, config: placed(read.config, folder) };
}

/** The servers of a client's configuration, in any notation that `servers import` reads. */
async function readConfiguration(
  { name, only }: DeclaredServer,
  file: string,
  folder: string,
  io: CommandIo,
): Promise<StartedServer[]> {
  const path = join(folder, file);
  const text = await readInput(path, io);
  let read = readServerFile({ fileName: path, text });
  if (read.named !== undefined && read.named.length > 0)
    read = readServerFile({ fileName: path, text, files: await readNamedFiles(path, read.named) });
  const entries = entriesOf(read, path);
  const unknown = only?.find((each) => !entries.some((entry) => entry.name === each));
  if (unknown !== undefined)
    throw new UsageError(
      `${path}: It has no server ${unknown}. It has ${entries.map((entry) => entry.name).join(', ')}.`,
    );
  const chosen = entries.filter((entry) => only === undefined || only.includes(entry.name));
  if (name !== undefined && chosen.length > 1)
    throw new UsageError(
      `${path}: It has ${chosen.length} servers, and \`name\` is for one. Choose it with \`only\`.`,
    );
  // Clients with a folder of their own, such as .vscode, start servers in the project around it.
  const own = dirname(resolve(path));
  const project = basename(own).startsWith('.') ? dirname(own) : own;
  return chosen.map((entry) => ({
    name: name ?? entry.name,
    config: placed(withDefaults(entry, io), project),
  }));
}

function entriesOf({ entries, skipped, problems }: ServerFile, where: string): ServerFileEntry[] {
  const [first] = [...problems, ...skipped.map(({ problem }) => problem)];
  if (first !== undefined)
    throw new UsageError(`${where}:${first.line ?? 1}:${first.column ?? 1}: ${first.message}`);
  if (entries.length === 0) throw new UsageError(`${where}: It has no servers.`);
  return entries;
}

/** Inputs get the default of their file where the environment has no value for them. */
function withDefaults({ config, inputs }: ServerFileEntry, { env }: CommandIo): ServerConfig {
  let text = JSON.stringify(config);
  for (const { id, default: value } of inputs)
    if (value !== null && env[inputVariable(id)] === undefined)
      text = text.replaceAll(`\${input:${id}}`, JSON.stringify(value).slice(1, -1));
  return JSON.parse(text) as ServerConfig;
}

/** A stdio server starts in the project, or in a folder of it. */
const placed = (config: ServerConfig, project: string): ServerConfig =>
  config.transport !== 'stdio' || /^(?:~|\$\{)/.test(config.cwd ?? '')
    ? config
    : { ...config, cwd: resolve(project, config.cwd ?? '.') };
