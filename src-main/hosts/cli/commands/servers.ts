import { counted } from '../../../../src-shared/display/numbers.ts';
import type { Server, ServerConfig } from '../../../../src-shared/domain/server.ts';
import type { CommandContext } from '../commandContext.ts';
import { group, inSession, member, type OptionsOf } from '../declare.ts';
import {
  reliabilityHeads,
  reliabilityRows,
  reliabilityScope,
} from '../../../../src-shared/display/reliabilityTexts.ts';
import type { ServerReliability } from '../../../../src-shared/domain/toolReliability.ts';
import { guardCell, writeCsv } from '../../../services/suites/exchange/csvText.ts';
import { serverStatusInFull } from '../../../../src-shared/display/serverTexts.ts';
import { isInterrupted } from '../signals.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { findServer } from '../input/listTools.ts';
import { type Output, table } from '../output/output.ts';
import type { Client, Session } from '../session.ts';
import {
  marks,
  newServerFlags,
  notSecretFlag,
  pairs,
  readConfig,
  refuseMisplaced,
  type ServerKind,
} from '../input/serverOptions.ts';
import {
  readSkills,
  splitCommand,
  startTimeoutOf,
  startTimeoutFlag,
  transports,
} from '../input/targets.ts';
import { serverFileCommands } from './serverFiles.ts';

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

const idOf = async (client: Client, name: string): Promise<string> =>
  findServer(await client.servers.list(), name).id;

const addExample = 'servers add files -- npx -y @modelcontextprotocol/server-filesystem .';

const addFlags = {
  '--stdio <command>': 'command line of a stdio server',
  '--skills <folder>': 'folder of skills (SKILL.md files)',
  ...newServerFlags,
  '--list-tools': 'then wait until it has listed its tools, and store them',
} as const;

const editFlags = {
  '--name <name>': 'another name',
  '--stdio <command>': 'another command line: a stdio server',
  '--url <url>': 'another address: an HTTP server',
  '--skills <folder>': 'another folder of skills',
  '--transport <transport>': { about: 'streamable-http or sse', of: transports },
  '--cwd <folder>': 'working folder of a stdio server',
  '--env <pair...>': 'NAME=VALUE to set for a stdio server; NAME= removes it',
  '--header <pair...>': 'NAME=VALUE to set for an HTTP server; NAME= removes it',
  '--isolated': 'the server keeps no data from one session to the next; runs of tasks may share it',
  '--no-isolated': 'the server keeps data; one run of a task uses an HTTP server at a time',
  ...startTimeoutFlag,
  ...notSecretFlag,
} as const;

type EditOptions = Partial<OptionsOf<typeof editFlags>>;

export const servers = group({ example: 'servers list' }, [
  member('list', 'lists servers with their status', {
    example: 'servers list --json',
    opens: 'read',
    async run({ client, output }) {
      const all = await client.servers.list();
      output.answer({ servers: all.map(shape) }, () =>
        all.length === 0
          ? 'No servers yet. `touchstone servers add` registers one.'
          : table([
              ['name', 'status', 'url'],
              ...all.map((server) => [server.name, serverStatusInFull(server), server.url]),
            ]),
      );
    },
  }),
  member(
    'add <name> [command...]',
    'registers a server and checks for up to 2 seconds whether it can be reached',
    {
      flags: addFlags,
      argument: {
        about: 'after --: the command of a stdio server, in place of --stdio',
        afterDashes: `servers add: Put -- before the command of a server: \`${addExample}\`.`,
      },
      example: addExample,
      async run({ options, ...context }, name: string, [command, ...args]: string[]) {
        const { stdio, ...rest } = options;
        if (stdio !== undefined && command !== undefined)
          throw new UsageError(
            "servers add: --stdio and a command after -- can't be combined. Choose one.",
          );
        const config = readConfig(
          {
            ...rest,
            ...(stdio !== undefined && { stdio: splitCommand(stdio) }),
            // Its words are those of this folder, as for a command that is run here.
            ...(command !== undefined && {
              ...{ stdio: { command, args }, cwd: options.cwd ?? process.cwd() },
            }),
          },
          'servers add: Give a command after -- or with --stdio, --url with an address, or --skills with a folder.',
          'servers add',
        );
        const { listTools = false } = options;
        await inSession(context, 'write', async (session) => {
          const created = await session.client.servers.create({ name, config, listTools });
          if (!listTools) {
            answerStarted(created, session, context);
            return;
          }
          const [checked] = await checkServers(session.client, [created.id], context.output);
          if (checked !== undefined) answerChecked([checked], context);
        });
      },
    },
  ),
  member(
    'edit <name>',
    'changes a server and checks it for up to 2 seconds; what is not given stays',
    {
      flags: editFlags,
      example: 'servers edit files --env LOG_LEVEL=debug',
      async run({ options, ...context }, name: string) {
        if (Object.keys(options).length === 0)
          throw new UsageError(
            'servers edit: Nothing to change. Give --name, --stdio, or another option.',
          );
        await inSession(context, 'write', async (session) => {
          const id = await idOf(session.client, name);
          const { server } = await session.client.servers.get({ id });
          const changed = await session.client.servers.update({
            id,
            name: options.name ?? server.name,
            config: editedConfig(server.config, options),
          });
          answerStarted(changed, session, context);
        });
      },
    },
  ),
  member('remove <name>', 'removes a server; evaluations keep the tools they used', {
    example: 'servers remove files',
    opens: 'write',
    async run({ client, output }, name: string) {
      const id = await idOf(client, name);
      const { cases, suites } = await client.servers.previewRemoval({ id });
      await client.servers.remove({ id });
      output.answer(
        { removed: name, cases, suites },
        () => `Removed ${name}. ${counted(cases, 'case')} ${cases === 1 ? 'names' : 'name'} it.`,
      );
    },
  }),
  member(
    'check [names...]',
    'connects to servers, stores their status and lists their tools; exit code 3 if one fails',
    {
      flags: { '--all': 'all servers (default when no name is given)' },
      example: 'servers check --all',
      async run({ options, ...context }, names: string[]) {
        if (options.all && names.length > 0)
          throw new UsageError("servers check: --all and names can't be combined. Choose one.");
        await inSession(context, 'write', async ({ client }) => {
          const all = await client.servers.list();
          const chosen = names.length > 0 ? names.map((name) => findServer(all, name)) : all;
          const ids = chosen.map(({ id }) => id);
          answerChecked(await checkServers(client, ids, context.output), context);
        });
      },
    },
  ),
  member(
    'reliability <name>',
    'errors, crashes, calls without an answer and latency of each tool, over stored task runs',
    {
      flags: { '--csv': 'a table (CSV)' },
      example: 'servers reliability todo',
      opens: 'read',
      async run({ client, output, options }, name: string) {
        const found = await client.servers.reliability({ id: await idOf(client, name) });
        if (options.csv === true) {
          const rows = reliabilityShape(found).tools.map((row) => Object.values(row));
          const heads = Object.keys(reliabilityShape(found).tools[0] ?? { tool: '' });
          output.line(writeCsv([heads, ...rows.map((row) => row.map(cellText))]).trimEnd());
          return;
        }
        output.answer(reliabilityShape(found), () =>
          found.tools.length === 0
            ? `No stored run called a tool of ${name}. Run tasks with --execute read-only or full.`
            : `${table([[...reliabilityHeads], ...reliabilityRows(found)])}\n\n${reliabilityScope(found)}`,
        );
      },
    },
  ),
  ...serverFileCommands,
]);

const cellText = (value: string | number | null): string =>
  value === null ? '' : guardCell(String(value));

/** As JSON and CSV name it. */
const reliabilityShape = ({ evaluations, runs, tools }: ServerReliability) => ({
  evaluations,
  runs,
  tools: tools.map(({ failureRate: { value, low, high }, ...tool }) => ({
    tool: tool.tool,
    calls: tool.calls,
    errors: tool.errors,
    no_answer: tool.noAnswer,
    crashes: tool.crashes,
    failure_rate: value,
    failure_rate_low: low,
    failure_rate_high: high,
    p50_ms: tool.p50Ms,
    p95_ms: tool.p95Ms,
    p99_ms: tool.p99Ms,
  })),
});

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

/** The configuration with the options in place of what it has; an empty value removes a variable. */
function editedConfig(config: ServerConfig, options: EditOptions): ServerConfig {
  const merged = (own: Record<string, string>, given: Record<string, string>) =>
    Object.fromEntries(Object.entries({ ...own, ...given }).filter(([, value]) => value !== ''));
  const kind = editedKind(config, options);
  refuseMisplaced(kind, options, 'servers edit');
  if (kind === 'skills') return options.skills === undefined ? config : readSkills(options.skills);
  if (kind === 'http') {
    const before = 'url' in config ? config : null;
    return {
      transport: options.transport ?? before?.transport ?? 'streamable-http',
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
    ...((options.isolated ?? before?.isolated) === true && { isolated: true as const }),
    ...startTimeout(options, config),
    ...marks(options, config),
  };
}

/** What is given, or else what was set before. */
function startTimeout(
  { startTimeout: given }: EditOptions,
  before: ServerConfig,
): { startTimeoutMs?: number | null } {
  if (given !== undefined) return startTimeoutOf(given);
  return 'startTimeoutMs' in before ? { startTimeoutMs: before.startTimeoutMs ?? null } : {};
}

/** What the server is after the edit: the kind that an option names, or else what it was. */
function editedKind({ transport }: ServerConfig, options: EditOptions): ServerKind {
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
