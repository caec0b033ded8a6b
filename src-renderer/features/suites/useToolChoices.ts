import { useQueries } from '@tanstack/react-query';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { useApi, useRead } from '../../api/index.ts';

export interface ToolChoices {
  /** True until the tools of all servers are known. */
  loading: boolean;
  servers: string[];
  /** Tools of each server's latest listing, for a grouped picker. */
  groups: { group: string; items: string[] }[];
  schemaOf: (id: string) => JsonObject | null;
  /** What a tool says it does; empty if it is not listed or says nothing. */
  descriptionOf: (id: string) => string;
}

/**
 * The tools that a case can expect: those last listed by the servers. Other names can still be
 * typed.
 *
 * @param first servers that come before the others, such as those of the suite
 */
export function useToolChoices(first: readonly string[] = []): ToolChoices {
  const { queries } = useApi();
  const servers = useRead((ask) => ask.servers.list);
  const isFirst = (name: string): number => (first.includes(name) ? 0 : 1);
  const list = (servers.data ?? []).toSorted((a, b) => isFirst(a.name) - isFirst(b.name));
  const details = useQueries({
    queries: list.map((server) =>
      queries.servers.get.queryOptions({ input: { id: server.id }, staleTime: 60_000 }),
    ),
  });
  const schemas = new Map<string, JsonObject>();
  const descriptions = new Map<string, string>();
  const groups = list.map((server, index) => {
    const tools = details[index]?.data?.listing?.tools ?? [];
    for (const tool of tools) {
      schemas.set(toolId(server.name, tool.name), tool.inputSchema);
      descriptions.set(toolId(server.name, tool.name), tool.description);
    }
    return { group: server.name, items: tools.map((tool) => toolId(server.name, tool.name)) };
  });
  return {
    loading: servers.isPending || details.some(({ isPending }) => isPending),
    servers: list.map((server) => server.name),
    groups: groups.filter((group) => group.items.length > 0),
    schemaOf: (id) => schemas.get(id) ?? null,
    descriptionOf: (id) => descriptions.get(id) ?? '',
  };
}
