import { ORPCError } from '@orpc/client';
import type { Listing } from '../../../../src-shared/contract/servers.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import { storedToolsLine } from '../../../../src-shared/display/serverTexts.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { CommandContext } from '../commandContext.ts';
import { inSession } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';
import type { Client } from '../session.ts';

/** Registered servers (null: all of them), or one server that is not registered. */
export type ToolSource = { registered: string[] | null } | { name: string; config: ServerConfig };

/** The tools of one server, or why it listed none. */
export interface ListedServer {
  name: string;
  listing: Listing | null;
  error: string | null;
}

/** A server that can't be reached has the tools of its stored listing, if there is one. */
export interface ListedOrStored extends ListedServer {
  /** When the stored listing was made; null if the tools were listed now. */
  storedAt: string | null;
}

/**
 * Asks servers for their current tools and stores them. For registered servers that can't be
 * reached, it takes the stored tools and says so in one line. A server that is not registered is
 * asked in a temporary workspace.
 */
export async function listTools(
  context: CommandContext,
  source: ToolSource,
): Promise<ListedOrStored[]> {
  if (!('registered' in source)) {
    return inSession(context, 'temporary', async ({ client }) => {
      const { id, name } = await client.servers.create(source);
      return [{ ...(await listOne(client, id, name)), storedAt: null }];
    });
  }
  return inSession(context, 'write', async ({ client }) => {
    const listed = await listRegistered(client, source.registered);
    const answers = await Promise.all(listed.map((server) => orStored(client, server)));
    const line = storedToolsLine(
      answers.map(({ name, storedAt, error }) => {
        const isReached = storedAt === null || error?.includes(': tools/list: ') === true;
        return {
          name,
          listedAt: storedAt,
          status: isReached ? 'active' : 'failed',
          toolsError: storedAt === null ? null : error,
        };
      }),
    );
    if (line !== null) context.output.note(line);
    return answers;
  });
}

/** Lists all registered servers, or those with the given names or ids, in parallel. */
export async function listRegistered(
  client: Client,
  names: readonly string[] | null,
): Promise<(ListedServer & { id: string })[]> {
  const all = await client.servers.list();
  const chosen = names?.map((name) => findServer(all, name));
  return Promise.all(
    (chosen ?? all).map(async ({ id, name }) => ({ id, ...(await listOne(client, id, name)) })),
  );
}

export function findServer<Registered extends { id: string; name: string }>(
  all: readonly Registered[],
  given: string,
): Registered {
  const found = all.find(({ id, name }) => name === given || id === given);
  if (found) return found;
  const names = all.map(({ name }) => name);
  throw new UsageError(
    `Server ${given}: It doesn't exist.${didYouMean(given, names)} \`touchstone servers list\` ` +
      'shows them.',
  );
}

/** What was listed now, or else what the workspace has stored. */
async function orStored(
  client: Client,
  { id, ...listed }: ListedServer & { id: string },
): Promise<ListedOrStored> {
  if (listed.error === null) return { ...listed, storedAt: null };
  const { listing } = await client.servers.get({ id, whole: true });
  return listing === null
    ? { ...listed, storedAt: null }
    : { ...listed, listing, storedAt: listing.listedAt };
}

async function listOne(client: Client, id: string, name: string): Promise<ListedServer> {
  try {
    return { name, listing: await client.servers.refreshTools({ id, whole: true }), error: null };
  } catch (error) {
    if (error instanceof ORPCError || error instanceof ServiceError)
      return { name, listing: null, error: error.message };
    throw error;
  }
}
