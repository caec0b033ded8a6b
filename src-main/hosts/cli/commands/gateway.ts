import { resolve } from 'node:path';
import { executionModes, type TaskStub } from '../../../../src-shared/domain/task.ts';
import { fileStubResults } from '../../../../src-shared/domain/taskFile.ts';
import type { ToolOverride } from '../../../../src-shared/domain/toolOverride.ts';
import type { GatewaySession } from '../../../services/gateway/gateway.ts';
import type { CommandIo } from '../commandIo.ts';
import { define } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { clientFlags } from '../input/clientFlags.ts';
import { readJson } from '../input/files.ts';
import { httpFlags, readHttpOptions } from '../input/httpOptions.ts';
import { oneOf, readBy } from '../input/optionValues.ts';
import { overrideFlag, readOverrideFile } from '../input/overrides.ts';
import { openReader } from '../session.ts';
import { untilInterrupted } from '../signals.ts';

export const gateway = define({
  argument: { about: 'name of a registered server; with --http, of several' },
  flags: [
    {
      '--execute <mode>': {
        about:
          'stub: answers calls from --stub-results or with a note; read-only: only tools that ' +
          'only read; full: everything',
        words: executionModes,
        default: 'full',
      },
      '--stub-results <file>':
        'results for mode stub: a JSON list of {"server", "tool", "arguments", "result"}',
      '--override <file>': overrideFlag,
      '--record <file>':
        'write every message to this file, one line each; each further connection writes a file ' +
        'with the next number',
      '--capture':
        'keep the session in the workspace, with secrets masked: see it under Suites, or with ' +
        '`touchstone sessions list`',
    },
    httpFlags,
    clientFlags,
  ],
  notes:
    'Write this command into the configuration of a client in place of the command or the ' +
    'address of the server. Each connection gets a server of its own.',
  example: 'gateway todo --capture\n' + '  touchstone gateway todo --config cursor --add',
  async run({ options, ...context }, names: string[]) {
    const { io, output } = context;
    const servers = [...new Set(names)];
    const [server = ''] = servers;
    if (servers.length > 1 && options.http === undefined)
      throw new UsageError(
        'gateway: A client that starts it has one server. Add --http, or start one for each server.',
      );
    if (options.config !== undefined || options.add || options.undo) {
      const { configureClient } = await import('../configureClient.ts');
      await configureClient(context, 'gateway', options, ({ sessions }) => ({
        read: () => sessions.clients({ server }),
        add: (input) => sessions.addToClient({ server, ...input }),
        undo: (input) => sessions.undoClient({ server, ...input }),
      }));
      return;
    }
    const mode = oneOf(options.execute, '--execute', executionModes);
    const http = readHttpOptions(
      'gateway',
      options,
      io,
      'Over --http, every client that connects acts with the credentials of the server.',
    );
    if (options.stubResults !== undefined && mode !== 'stub')
      throw new UsageError('gateway: --stub-results is for --execute stub. Give both, or none.');
    if (options.capture === true && options.record !== undefined)
      throw new UsageError("gateway: --capture and --record can't be combined. Choose one.");
    const lost: string[] = [];
    const log = (line: string): void => void io.stderr.write(`touchstone gateway: ${line}\n`);
    const overrides = await readOverrides(options.override, servers, io);
    const asked: Omit<GatewaySession, 'server' | 'overrides'> = {
      mode,
      stubs: await readStubs(options.stubResults, io),
      record:
        options.record !== undefined
          ? { file: resolve(options.record) }
          : options.capture === true
            ? 'captured'
            : null,
      log,
      onLost: (why) => {
        lost.push(why);
        log(why);
      },
    };
    const reader = await openReader(context);
    try {
      for (const name of servers) reader.gateway.check(name);
      const open = (name: string) =>
        reader.gateway.relay({
          ...asked,
          server: name,
          overrides: overrides.get(name) ?? new Map<string, ToolOverride>(),
        });
      const { serveGatewayOverHttp, serveGatewayOverStdio } =
        await import('../../../servers/gateway/serveGateway.ts');
      if (http === null) {
        const relay = await open(server);
        await serveGatewayOverStdio(relay, log);
        if (relay.trouble !== null) io.setExitCode(exitCodes.incomplete);
      } else {
        const served = await serveGatewayOverHttp(servers, open, { ...http, log });
        const urls = [...served.urls];
        output.answer(
          servers.length === 1
            ? { url: served.urls.get(server) }
            : { servers: urls.map(([name, url]) => ({ server: name, url })) },
          () =>
            urls.map(([name, url]) => (servers.length === 1 ? url : `${url}  ${name}`)).join('\n'),
        );
        await untilInterrupted();
        await served.close();
      }
      if (lost.length > 0) io.setExitCode(exitCodes.incomplete);
    } finally {
      await reader.close();
    }
  },
});

async function readStubs(file: string | undefined, io: CommandIo): Promise<TaskStub[]> {
  if (file === undefined) return [];
  const stubs = readBy(fileStubResults, await readJson(file, io), file);
  return stubs.map(({ is_error: isError = false, ...stub }) => ({ ...stub, isError }));
}

async function readOverrides(
  file: string | undefined,
  servers: readonly string[],
  io: CommandIo,
): Promise<Map<string, Map<string, ToolOverride>>> {
  const found = new Map<string, Map<string, ToolOverride>>();
  if (file === undefined) return found;
  const all = [...(await readOverrideFile(file, io))];
  for (const server of servers) {
    const own = all.filter(([id]) => id.startsWith(`${server}:`));
    if (own.length === 0) continue;
    found.set(
      server,
      new Map(own.map(([id, override]) => [id.slice(server.length + 1), override])),
    );
  }
  if (found.size === 0)
    throw new UsageError(
      `${file}: It has no tool of ${servers.join(' or ')}. Name tools as ${servers[0]}:TOOL, with the name that the server gives them.`,
    );
  return found;
}
