import type { Tool } from '../../../../src-shared/domain/tool.ts';
import type { FindPlace } from '../../../services/servers/toolsFilePlaces.ts';
import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { listTools, type ListedServer } from './listTools.ts';
import { readToolsAt } from './toolsAt.ts';

/** Options of a command that compares or checks tools. */
interface SourceOptions {
  tools?: string;
  server?: string[];
  url?: string[];
}

/** Tools with everything that kept others from being read. */
export interface FoundTools {
  tools: Tool[];
  rejected: { server: string; name: string; reason: string }[];
  /** Servers that provided no tools, and why. */
  failed: { server: string; reason: string }[];
  /** What servers say of themselves, of those that were asked. */
  instructions?: Map<string, string>;
  /** Finds a part of a tool in the file that they were read from. */
  findPlace?: FindPlace;
}

/** Reads tools from a file, from registered servers or from addresses: exactly one of the three. */
export async function toolsOfSources(
  command: string,
  context: CommandContext,
  { tools: file, server, url }: SourceOptions,
): Promise<FoundTools> {
  const given = [file, server, url].filter((value) => value !== undefined);
  const kinds =
    command === 'similarity'
      ? '--tools FILE, --server NAME and --url URL'
      : '--tools FILE and --server NAME';
  if (given.length !== 1) throw new UsageError(`${command}: Give exactly one of ${kinds}.`);
  if (file !== undefined) {
    const { tools, rejected, leftOut, findPlace } = await readToolsAt(file, context.io);
    return {
      tools: tools.map(({ tool }) => tool),
      rejected: [...rejected, ...leftOut],
      failed: [],
      findPlace,
    };
  }
  const listed = server
    ? await listTools(context, { registered: server })
    : await listAddresses(context, url ?? []);
  return {
    tools: listed.flatMap(({ listing }) => listing?.tools ?? []),
    rejected: listed.flatMap(({ listing }) => listing?.listing.rejected ?? []),
    instructions: new Map(
      listed.flatMap(({ name, listing }) =>
        listing === null ? [] : [[name, listing.listing.instructions ?? ''] as const],
      ),
    ),
    failed: listed.flatMap(({ name, listing, error }) =>
      listing === null ? [{ server: name, reason: error ?? 'It listed no tools.' }] : [],
    ),
  };
}

async function listAddresses(
  context: CommandContext,
  urls: readonly string[],
): Promise<ListedServer[]> {
  for (const url of urls)
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError(
        `--url ${url}: It isn't a URL. Give one that begins with http:// or https://.`,
      );
  const names = new Map<string, number>();
  const listed: ListedServer[] = [];
  for (const url of urls) {
    const host = new URL(url).host.replaceAll(':', '_');
    const seen = (names.get(host) ?? 0) + 1;
    names.set(host, seen);
    listed.push(
      ...(await listTools(context, {
        name: seen === 1 ? host : `${host}_${seen}`,
        config: { transport: 'streamable-http', url, headers: {} },
      })),
    );
  }
  return listed;
}
