import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { AnalysedTool, SimilarityInput } from '../../../src-shared/domain/similarity.ts';
import type { RejectedTool, Tool } from '../../../src-shared/domain/tool.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { Store } from '../../store/store.ts';
import { ingestTools } from '../servers/ingestTools.ts';
import type { ListingParts } from '../servers/keepListing.ts';
import { toolsOfServers } from '../servers/storedTools.ts';

export interface GatheredTools {
  tools: AnalysedTool[];
  failed: { server: string; reason: string }[];
  /** Tools that servers list and nobody can use. */
  rejected: RejectedTool[];
}

/**
 * The tools of an input: given ones, the stored ones of registered servers, or those that servers at
 * URLs list now. A server that fails is reported in `failed` and does not affect the others.
 */
export async function gatherTools(
  { serverList, toolList, urlList }: SimilarityInput,
  parts: ListingParts & { connect: ConnectMcp },
  signal: AbortSignal,
): Promise<GatheredTools> {
  if (toolList) return { tools: toolList, failed: [], rejected: [] };
  if (serverList) {
    const { tools, ...others } = await toolsOfServers(
      parts,
      registeredServers(parts.store, serverList),
      signal,
    );
    return { tools: tools.map(toAnalysedTool), ...others };
  }
  const ingested = await ingestTools(serversFromUrls(urlList ?? []), parts.connect, signal);
  return {
    tools: ingested.tools.map(({ tool: { tool } }) => toAnalysedTool(tool)),
    rejected: ingested.servers.flatMap(({ rejected }) => rejected),
    failed: ingested.servers.flatMap(({ server, status, error }) =>
      status === 'failed' ? [{ server, reason: error ?? 'It listed no tools.' }] : [],
    ),
  };
}

/** Only the fields that similarity and the quality rules read. */
const toAnalysedTool = (tool: Tool): AnalysedTool => {
  const { server, name, description, inputSchema, outputSchema, title, annotations } = tool;
  return {
    ...{ server, name, description, inputSchema, outputSchema, title, annotations },
    ...(tool.malformed && { malformed: tool.malformed }),
    ...(tool.skill && { skill: tool.skill }),
  };
};

/** Finds servers by id or name. Throws NOT_FOUND. */
function registeredServers(store: Store, wanted: readonly string[]) {
  const all = store.servers.list();
  return [...new Set(wanted)].map((name) => {
    const found = all.find((server) => server.id === name || server.name === name);
    if (!found)
      throw new ServiceError('NOT_FOUND', {
        thing: `Server ${name}`,
        cause: "It doesn't exist.",
        nextStep: 'Choose a registered server.',
        field: 'serverList',
      });
    return found;
  });
}

/** Names servers by host; a number keeps the ids of several servers on one host apart. */
function serversFromUrls(urls: readonly string[]) {
  const seen = new Map<string, number>();
  return urls.map((url) => {
    const host = new URL(url).host.replaceAll(':', '_');
    const times = (seen.get(host) ?? 0) + 1;
    seen.set(host, times);
    const name = times === 1 ? host : `${host}_${times}`;
    return { id: name, name, config: { transport: 'streamable-http' as const, url, headers: {} } };
  });
}
