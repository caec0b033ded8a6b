import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { ToolSource } from '../../../../src-shared/domain/tokenReport.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { inSession, type OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { findServer } from './listTools.ts';
import { readToolsAt } from './toolsAt.ts';
import type { Client } from '../session.ts';

/** The flags of a command that counts or searches tools of a file or of servers. */
export const toolsFlags = {
  '--tools <file>': 'a file of tools or a folder of skills (- reads standard input)',
  '--server <name...>': 'registered servers, listed now',
} as const;
export type ToolsInput = OptionsOf<typeof toolsFlags>;

/** Tools that the services can read. */
export interface OpenSource {
  source: ToolSource;
  /** Servers that provided no tools now, and why. */
  failed: { server: string; reason: string }[];
}

/** Runs `work` on the tools of a file, or of registered servers, which are asked for them now. */
export async function withToolSource<T>(
  command: string,
  context: CommandContext,
  input: ToolsInput,
  work: (client: Client, opened: OpenSource) => Promise<T>,
): Promise<T> {
  if ((input.tools === undefined) === (input.server === undefined))
    throw new UsageError(`${command}: Give either --tools FILE or --server NAME.`);
  if (input.tools !== undefined) {
    const source = { tools: await readTools(input.tools, context.io) };
    return inSession(context, 'temporary', ({ client }) => work(client, { source, failed: [] }));
  }
  return inSession(context, 'write', async ({ client }) =>
    work(client, await askServers(client, input.server ?? [])),
  );
}

/**
 * Reads a tools file and rejects it if any tool can't be offered: its token count would be too low.
 */
export async function readTools(file: string, io: CommandIo) {
  const { tools, rejected } = await readToolsAt(file, io);
  const [first] = rejected;
  if (first)
    throw new UsageError(
      `${file}: ${rejected.length} tools can't be offered, the first is ` +
        `${first.server}:${first.name}: ${asSentence(first.reason)} Fix the file.`,
    );
  return tools;
}

async function askServers(client: Client, names: readonly string[]): Promise<OpenSource> {
  const registered = await client.servers.list();
  const chosen = names.map((name) => findServer(registered, name));
  const failed: OpenSource['failed'] = [];
  const listed: string[] = [];
  await Promise.all(
    chosen.map(async ({ id, name }) => {
      try {
        await client.servers.refreshTools({ id });
        listed.push(name);
      } catch (error) {
        failed.push({ server: name, reason: errorText(error) });
      }
    }),
  );
  return {
    source: { servers: chosen.map(({ name }) => name).filter((name) => listed.includes(name)) },
    failed,
  };
}
