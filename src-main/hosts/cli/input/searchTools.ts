import type { Corpus, GoldenSet, Rankings } from '../../../../src-shared/domain/retrieval.ts';
import { serverSearch, type ServerSearch } from '../../../../src-shared/domain/retrievalRun.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import { requireKnownHits } from '../../../services/retrieval/serverSearch.ts';
import type { CommandContext } from '../commandContext.ts';
import { inSession, type OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readBy } from './optionValues.ts';
import { readUnregistered, type UnregisteredOptions } from './targets.ts';

/** How a search tool is called, and where its answer holds the tools. */
export const searchToolFlags = {
  '--search-tool <name>': 'mcp: the tool that searches',
  '--argument <name>': { about: 'mcp: its argument that takes the query', default: 'query' },
  '--with <json>': 'mcp: further arguments of every call',
  '--items <path>': {
    about: 'mcp: path to the results in the answer, such as result.tools',
    default: '',
  },
  '--id <template>': {
    about: 'mcp: template of the tool ID of a result, such as {server}:{name}',
    default: '{tool_id}',
  },
} as const;

export type SearchOptions = UnregisteredOptions &
  OptionsOf<typeof searchToolFlags> & { server?: string };

export interface RegisteredSearch {
  name: string;
  search: ServerSearch;
}

/**
 * Reads which tool to call and where its answer holds tool ids. Exactly one server must be named.
 */
export function searchOf(options: SearchOptions): ServerSearch {
  if (
    [options.server, options.stdio, options.url].filter((value) => value !== undefined).length !== 1
  )
    throw new UsageError('retrieval: The mcp retriever needs one of --server, --stdio and --url.');
  if (options.searchTool === undefined)
    throw new UsageError('retrieval: The mcp retriever needs --search-tool NAME.');
  const search = {
    tool: options.searchTool,
    argument: options.argument,
    fixedArguments: readObject(options.with),
    items: options.items,
    id: options.id,
  };
  return readBy(serverSearch, search, 'retrieval');
}

/** A search tool of a server that is given by command or address. */
export function unregisteredSearch(options: SearchOptions): {
  server: { name: string; config: ServerConfig };
  search: ServerSearch;
} {
  return { search: searchOf(options), server: readUnregistered(options) };
}

/**
 * Queries per connection: enough to pay for opening it, few enough for a progress bar that moves.
 */
const queriesPerConnection = 25;

/** Ranks through the services, because only they know the secrets of a registered server. */
export const rankByRegistered = (
  context: CommandContext,
  { name, search }: RegisteredSearch,
  corpus: Corpus,
  golden: GoldenSet,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<Rankings> =>
  inSession(context, 'read', async ({ client }) => {
    const known = new Set(corpus.tools.map((tool) => tool.tool_id));
    const at = { tool: search.tool, server: name, corpus: corpus.version };
    // No prototype, because a query id may be `__proto__`.
    const rankings = Object.create(null) as Rankings;
    for (let from = 0; from < golden.queries.length; from += queriesPerConnection) {
      const queries = golden.queries.slice(from, from + queriesPerConnection);
      const request = { server: name, search, queries: queries.map(({ query }) => query) };
      const answers = await client.retrieval.askSearchTool(request, { signal });
      for (const [index, { id, query }] of queries.entries()) {
        const { ids } = answers[index] ?? { ids: [] };
        requireKnownHits(ids, known, { ...at, query });
        rankings[id] = ids;
      }
      progress(Math.min(golden.queries.length, from + queriesPerConnection));
    }
    return rankings;
  });

export const askRegisteredServer = (
  context: CommandContext,
  { name, search }: RegisteredSearch,
  query: string,
  signal: AbortSignal,
): Promise<{ ids: string[]; answer: string }> =>
  inSession(context, 'read', async ({ client }) => {
    const request = { server: name, search, queries: [query] };
    const [answer] = await client.retrieval.askSearchTool(request, { signal });
    return answer ?? { ids: [], answer: '' };
  });

/** Parses the JSON of `--with`; an empty object if it was not given. */
export function readObject(json: string | undefined): unknown {
  if (json === undefined) return {};
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError(`--with ${json}: It isn't a JSON object.`);
  }
}
