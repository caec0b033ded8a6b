import { counted } from '../../../../src-shared/display/numbers.ts';
import type { Command } from 'commander';
import type { Server, ServerConfig } from '../../../../src-shared/domain/server.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { serverStatusInFull } from '../../../../src-shared/display/serverTexts.ts';
import { isInterrupted } from '../signals.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { didYouMean } from '../input/nearest.ts';
import { type Output, table } from '../output/output.ts';
import type { Client, Session } from '../session.ts';
import { openSession } from '../session.ts';
import {
  readSkills,
  readTransport,
  splitCommand,
  startTimeoutOf,
  startTimeoutOption,
} from '../input/targets.ts';
import { addServerFiles } from './serverFiles.ts';

/** How a server is reached, as commander parses it. */
interface TransportOptions {
  stdio?: string;
  url?: string;
  skills?: string;
  transport?: string;
  cwd?: string;
  env?: string[];
  header?: string[];
  isolated?: boolean;
  startTimeout?: string;
  notSecret?: string[];
}

type Listed = Awaited<ReturnType<Client['servers']['list']>>[number];

const shape = (
  server: Pick<
    Listed,
    'id' | 'name' | 'url' | 'config' | 'status' | 'lastConnectedAt' | 'statusReason' | 'toolsError'
  >,
) => ({
  id: server.id,
  name: server.name,
  url: server.url,
  transport: server.config.transport,
  status: server.status,
  last_connected_at: server.lastConnectedAt,
  ...(server.statusReason === null ? {} : { error: server.statusReason }),
  ...(server.toolsError == null ? {} : { tools_error: server.toolsError }),
});

async function idOf(client: Client, name: string): Promise<string> {
  const all = await client.servers.list();
  const found = all.find((server) => server.name === name || server.id === name);
  if (!found)
    throw new UsageError(
      `Server ${name}: It doesn't exist.${didYouMean(
        name,
        all.map((server) => server.name),
      )} \`touchstone servers list\` shows them.`,
    );
  return found.id;
}

function pairs(values: readonly string[] | undefined, option: string): Record<string, string> {
  return Object.fromEntries(
    (values ?? []).map((value) => {
      const at = value.indexOf('=');
      if (at < 1) throw new UsageError(`${option} ${value}: It needs the form NAME=VALUE.`);
      return [value.slice(0, at), value.slice(at + 1)];
    }),
  );
}

const notSecretText = 'values that look like credentials and stay readable';

export function addServers(servers: Command, io: CommandIo): void {
  servers.addHelpText('after', '\nExample:\n  touchstone servers list');

  servers
    .command('list')
    .description('lists servers with their status')
    .addHelpText('after', '\nExample:\n  touchstone servers list --json')
    .action(async (_options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'read');
      try {
        const all = await session.client.servers.list();
        context.output.answer({ servers: all.map(shape) }, () =>
          all.length === 0
            ? 'No servers yet. `touchstone servers add` registers one.'
            : table([
                ['name', 'status', 'url'],
                ...all.map((server) => [server.name, serverStatusInFull(server), server.url]),
              ]),
        );
      } finally {
        await session.close();
      }
    });

  servers
    .command('add <name>')
    .description('registers a server and checks for up to 2 seconds whether it can be reached')
    .option('--stdio <command>', 'command line of a stdio server')
    .option('--url <url>', 'address of an HTTP server')
    .option('--skills <folder>', 'folder of skills (SKILL.md files)')
    .option('--transport <transport>', 'streamable-http or sse', 'streamable-http')
    .option('--cwd <folder>', 'working folder of a stdio server')
    .option('--env <pair...>', 'NAME=VALUE for a stdio server')
    .option('--header <pair...>', 'NAME=VALUE for an HTTP server')
    .option('--isolated', 'an HTTP server that runs of tasks may use at the same time')
    .option(...startTimeoutOption)
    .option('--not-secret <texts...>', notSecretText)
    .option('--list-tools', 'then wait until it has listed its tools, and store them')
    .addHelpText(
      'after',
      "\nExample:\n  touchstone servers add files --stdio 'npx -y " +
        "@modelcontextprotocol/server-filesystem .'",
    )
    .action(
      async (
        name: string,
        options: TransportOptions & { transport: string; listTools?: boolean },
        command: Command,
      ) => {
        const context = contextOf(command, io);
        const config = readConfig(options);
        const session = await openSession(context, 'write');
        try {
          const { listTools = false } = options;
          const created = await session.client.servers.create({ name, config, listTools });
          if (!listTools) {
            answerStarted(created, session, context);
            return;
          }
          const [checked] = await checkServers(session.client, [created.id], context.output);
          if (checked !== undefined) answerChecked([checked], context);
        } finally {
          await session.close();
        }
      },
    );

  servers
    .command('edit <name>')
    .description('changes a server and checks it for up to 2 seconds; what is not given stays')
    .option('--name <name>', 'another name')
    .option('--stdio <command>', 'another command line: a stdio server')
    .option('--url <url>', 'another address: an HTTP server')
    .option('--skills <folder>', 'another folder of skills')
    .option('--transport <transport>', 'streamable-http or sse')
    .option('--cwd <folder>', 'working folder of a stdio server')
    .option('--env <pair...>', 'NAME=VALUE to set for a stdio server; NAME= removes it')
    .option('--header <pair...>', 'NAME=VALUE to set for an HTTP server; NAME= removes it')
    .option('--isolated', 'runs of tasks may use the HTTP server at the same time')
    .option('--no-isolated', 'one run of a task uses the HTTP server at a time')
    .option(...startTimeoutOption)
    .option('--not-secret <texts...>', notSecretText)
    .addHelpText('after', '\nExample:\n  touchstone servers edit files --env LOG_LEVEL=debug')
    .action(async (name: string, options: EditOptions, command: Command) => {
      if (Object.keys(options).length === 0)
        throw new UsageError(
          'servers edit: Nothing to change. Give --name, --stdio, or another option.',
        );
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const id = await idOf(session.client, name);
        const { server } = await session.client.servers.get({ id });
        const changed = await session.client.servers.update({
          id,
          name: options.name ?? server.name,
          config: editedConfig(server.config, options),
        });
        answerStarted(changed, session, context);
      } finally {
        await session.close();
      }
    });

  servers
    .command('remove <name>')
    .description('removes a server; evaluations keep the tools they used')
    .addHelpText('after', '\nExample:\n  touchstone servers remove files')
    .action(async (name: string, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const id = await idOf(session.client, name);
        const taken = await session.client.servers.previewRemoval({ id });
        await session.client.servers.remove({ id });
        context.output.answer(
          { removed: name, cases: taken.cases, suites: taken.suites },
          () =>
            `Removed ${name}. ${counted(taken.cases, 'case')} ` +
            `${taken.cases === 1 ? 'names' : 'name'} it.`,
        );
      } finally {
        await session.close();
      }
    });

  servers
    .command('check [names...]')
    .description(
      'connects to servers, stores their status and lists their tools; exit code 3 if one fails',
    )
    .option('--all', 'all servers (default when no name is given)')
    .addHelpText('after', '\nExample:\n  touchstone servers check --all')
    .action(async (names: string[], options: { all?: boolean }, command: Command) => {
      if (options.all && names.length > 0)
        throw new UsageError("servers check: --all and names can't be combined. Choose one.");
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const all = await session.client.servers.list();
        const ids =
          names.length > 0
            ? await Promise.all(names.map((name) => idOf(session.client, name)))
            : all.map(({ id }) => id);
        const checked = await checkServers(session.client, ids, context.output);
        answerChecked(checked, context);
      } finally {
        await session.close();
      }
    });

  addServerFiles(servers, io);
}

/** Says how servers are that were checked and listed. */
function answerChecked(checked: readonly Listed[], { output, io }: CommandContext): void {
  output.answer({ servers: checked.map(shape) }, () =>
    table([
      ['name', 'status', 'tools'],
      ...checked.map((server) => [
        server.name,
        serverStatusInFull(server),
        server.toolCount === null ? '' : String(server.toolCount),
      ]),
    ]),
  );
  if (checked.some(({ status, toolsError }) => status !== 'active' || toolsError != null))
    io.setExitCode(exitCodes.incomplete);
}

/**
 * Says how a server is that was added or changed. A slow server is not waited for: a window goes on
 * with the check, and a command that ends leaves it to the next one.
 */
function answerStarted(
  server: Server,
  { remote }: Pick<Session, 'remote'>,
  { output }: CommandContext,
): void {
  const { name, checking } = server;
  output.answer(
    { ...shape(server), ...(checking && { checking: remote }) },
    () => `${name}: ${serverStatusInFull(server)}`,
  );
  if (checking)
    output.note(
      `${name} hasn't answered yet. ` +
        (remote
          ? 'The window goes on checking it.'
          : `Run \`touchstone servers check ${name}\` to wait for its answer.`),
    );
}

interface EditOptions extends TransportOptions {
  name?: string;
}

/** The configuration with the options in place of what it has; an empty value removes a variable. */
function editedConfig(config: ServerConfig, options: EditOptions): ServerConfig {
  const merged = (own: Record<string, string>, given: Record<string, string>) =>
    Object.fromEntries(Object.entries({ ...own, ...given }).filter(([, value]) => value !== ''));
  const kind = editedKind(config, options);
  const misplaced = stdioOptions
    .filter(() => kind !== 'stdio')
    .concat(httpOptions.filter(() => kind !== 'http'))
    .find((option) => options[option] !== undefined);
  if (misplaced !== undefined)
    throw new UsageError(
      `servers edit: --${misplaced} is for ${httpOptions.includes(misplaced) ? 'an HTTP' : 'a stdio'} server.`,
    );
  if (kind === 'skills' && options.startTimeout !== undefined)
    throw new UsageError('servers edit: --start-timeout is not for a folder of skills.');
  if (kind === 'skills') return options.skills === undefined ? config : readSkills(options.skills);
  if (kind === 'http') {
    const before = 'url' in config ? config : null;
    return {
      transport:
        options.transport === undefined
          ? (before?.transport ?? 'streamable-http')
          : readTransport(options.transport),
      url: options.url ?? before?.url ?? '',
      headers: merged(before?.headers ?? {}, pairs(options.header, '--header')),
      ...((options.isolated ?? before?.isolated) === true && { isolated: true as const }),
      ...startTimeout(options, config),
      ...marks(options, config),
    };
  }
  const before = config.transport === 'stdio' ? config : null;
  return {
    transport: 'stdio',
    ...(options.stdio === undefined
      ? { command: before?.command ?? '', args: before?.args ?? [] }
      : splitCommand(options.stdio)),
    cwd: options.cwd ?? before?.cwd ?? null,
    env: merged(before?.env ?? {}, pairs(options.env, '--env')),
    ...startTimeout(options, config),
    ...marks(options, config),
  };
}

/** What is given, or else what was set before. */
function startTimeout(
  { startTimeout: given }: TransportOptions,
  before: ServerConfig,
): { startTimeoutMs?: number | null } {
  if (given !== undefined) return startTimeoutOf(given);
  return 'startTimeoutMs' in before ? { startTimeoutMs: before.startTimeoutMs ?? null } : {};
}

/** What was marked as not secret before, and what is now. */
function marks(
  { notSecret = [] }: TransportOptions,
  before?: ServerConfig,
): { notSecret?: string[] } {
  const earlier = before !== undefined && 'notSecret' in before ? (before.notSecret ?? []) : [];
  const all = [...new Set([...earlier, ...notSecret])];
  return all.length === 0 ? {} : { notSecret: all };
}

type Kind = 'stdio' | 'http' | 'skills';
type KindOption = 'cwd' | 'env' | 'transport' | 'header' | 'isolated';
const stdioOptions: readonly KindOption[] = ['cwd', 'env'];
const httpOptions: readonly KindOption[] = ['transport', 'header', 'isolated'];

/** What the server is after the edit: the kind that an option names, or else what it was. */
function editedKind({ transport }: ServerConfig, options: EditOptions): Kind {
  const given = (['stdio', 'url', 'skills'] as const).filter((name) => options[name] !== undefined);
  if (given.length > 1)
    throw new UsageError(`servers edit: --${given.join(' and --')} can't be combined. Choose one.`);
  const [only] = given;
  if (only !== undefined) return only === 'url' ? 'http' : only;
  return transport === 'stdio' || transport === 'skills' ? transport : 'http';
}

/** More would start too many processes at once. */
const maxChecksAtOnce = 4;

/** Checks servers, a few at a time, and reports progress. Returns them in the order of `ids`. */
async function checkServers(
  client: Client,
  ids: readonly string[],
  output: Output,
): Promise<Listed[]> {
  const waiting = [...ids];
  const startedAt = Date.now();
  let done = 0;
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined && !isInterrupted(); id = waiting.shift()) {
      await client.servers.check({ id });
      output.progress((done += 1), ids.length, startedAt, 'servers');
    }
  };
  await Promise.all(Array.from({ length: maxChecksAtOnce }, work));
  output.endProgress();
  const all = new Map((await client.servers.list()).map((server) => [server.id, server]));
  return ids.flatMap((id) => all.get(id) ?? []);
}

function readConfig(options: TransportOptions & { transport: string }): ServerConfig {
  if (
    [options.stdio, options.url, options.skills].filter((given) => given !== undefined).length !== 1
  )
    throw new UsageError(
      'servers add: Give --stdio with a command, --url with an address, or --skills with a folder.',
    );
  if (options.skills !== undefined && options.startTimeout !== undefined)
    throw new UsageError('servers add: --start-timeout is not for a folder of skills.');
  if (options.skills !== undefined) return readSkills(options.skills);
  if (options.stdio !== undefined && options.isolated === true)
    throw new UsageError(
      'servers add: --isolated is for HTTP servers. Each run starts its own stdio server.',
    );
  if (options.url !== undefined)
    return {
      transport: readTransport(options.transport),
      url: options.url,
      headers: pairs(options.header, '--header'),
      ...(options.isolated === true && { isolated: true as const }),
      ...startTimeoutOf(options.startTimeout),
      ...marks(options),
    };
  const { command, args } = splitCommand(options.stdio ?? '');
  return {
    transport: 'stdio',
    command,
    args,
    cwd: options.cwd ?? null,
    env: pairs(options.env, '--env'),
    ...startTimeoutOf(options.startTimeout),
    ...marks(options),
  };
}
