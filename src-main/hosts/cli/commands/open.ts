import { z } from 'zod';
import { serverStatusInFull } from '../../../../src-shared/display/serverTexts.ts';
import { nameOfConfig } from '../../../../src-shared/domain/serverName.ts';
import { namedValues, type ServerConfig } from '../../../../src-shared/domain/server.ts';
import { freeName, hasSameAddress } from '../../../services/servers/import/planImport.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, inSession } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readPort } from '../input/optionValues.ts';
import { newServerFlags, readConfig } from '../input/serverOptions.ts';
import { openWindow } from '../openWindow.ts';
import { workspaceOf } from '../session.ts';

const example = 'touchstone open -- node server.js';

export const open = define({
  flags: {
    '--host <host>': {
      about: 'electron or loopback (default: whichever is available)',
      of: z.enum(['electron', 'loopback']),
    },
    '--port <n>': 'port of the loopback window (default: the first free one from 8430)',
    '--no-browser': 'print the address and open nothing',
    ...newServerFlags,
  },
  argument: {
    about: 'after --: the command of a stdio server; it runs in this folder unless --cwd names one',
    afterDashes: `open: Put -- before the command of a server: \`${example}\`.`,
  },
  notes:
    'A server that is registered already is used as it is; given headers, variables and limits ' +
    'replace its own.',
  example: 'open -- npx -y @modelcontextprotocol/server-filesystem .',
  async run({ options, ...context }, words: string[]) {
    const { host, port, browser } = options;
    const given = port === undefined ? undefined : readPort(port, '--port');
    const config = configOf(options, words);
    const page = config && `/servers/${await registerServer(context, config)}`;
    const folder = workspaceOf(context);
    await openWindow({ folder, host, port: given, browser, page, context });
  },
});

type ServerOptions = Omit<Parameters<typeof readConfig>[0], 'stdio' | 'skills'>;

/** The server that is given; null where only the window is to open. */
function configOf(options: ServerOptions, [command, ...args]: string[]): ServerConfig | null {
  const { url, cwd, env, header, isolated, startTimeout, notSecret } = options;
  const needs = `open: Give --url with an address, or a command after --: \`${example}\`.`;
  if (command === undefined && url === undefined) {
    if ([cwd, env, header, isolated, startTimeout, notSecret].every((one) => one === undefined))
      return null;
    throw new UsageError(needs);
  }
  if (command === '') throw new UsageError('open: The command is empty. Give a program.');
  return readConfig(
    command === undefined
      ? options
      : { ...options, stdio: { command, args }, cwd: cwd ?? process.cwd() },
    needs,
    'open',
  );
}

/**
 * Registers a server, or takes the registered one with its address, then connects to it and lists
 * its tools. What is wrong with it is said here and on its page. Returns its id.
 */
function registerServer(context: CommandContext, config: ServerConfig): Promise<string> {
  return inSession(context, 'write', async ({ client }) => {
    const all = await client.servers.list();
    const known = all.find((server) => hasSameAddress(server.config, config));
    const name =
      known?.name ??
      freeName(nameOfConfig(config), (one) => all.some((server) => server.name === one));
    const id =
      known === undefined
        ? (await client.servers.create({ name, config })).id
        : changesOnly(config)
          ? (await client.servers.update({ id: known.id, name, config })).id
          : known.id;
    context.output.note(
      known === undefined ? `Registered ${name}.` : `${name} is registered already.`,
    );
    await client.servers.check({ id });
    const checked = (await client.servers.list()).find((server) => server.id === id);
    if (checked !== undefined) context.output.note(`${name}: ${serverStatusInFull(checked)}`);
    return id;
  });
}

/** Whether more than an address is given, which then replaces what is stored. */
const changesOnly = (config: ServerConfig): boolean =>
  Object.keys(namedValues(config)).length > 0 ||
  ['startTimeoutMs', 'notSecret', 'isolated'].some((field) => field in config);
