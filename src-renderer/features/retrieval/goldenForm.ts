import { compareText } from '../../../src-shared/domain/compareText.ts';
import { hardNegativePrefix, type GoldenQuery } from '../../../src-shared/domain/retrieval.ts';

export const isUnlabeled = (query: Pick<GoldenQuery, 'labels'>): boolean =>
  !query.labels.some(({ relevance }) => relevance > 0);

export function nextQueryId(queries: readonly GoldenQuery[]): string {
  const taken = new Set(queries.map(({ id }) => id));
  let number = queries.length + 1;
  while (taken.has(`q-${number}`)) number += 1;
  return `q-${number}`;
}

export const withQuery = (
  queries: readonly GoldenQuery[],
  id: string,
  next: GoldenQuery,
): GoldenQuery[] => queries.map((query) => (query.id === id ? next : query));
export const withoutQuery = (queries: readonly GoldenQuery[], id: string): GoldenQuery[] =>
  queries.filter((query) => query.id !== id);

/** The tool that the notes of a hard negative name; null if the query isn't one. */
export function nearTool(query: Pick<GoldenQuery, 'notes'>): string | null {
  return /^\s*hard-negative:\s*near-dup of\s+(\S+)/i.exec(query.notes ?? '')?.[1] ?? null;
}

/** Flags a query as hard: the named tool gets grade 0. Removing the flag keeps the label. */
export function flagHard(query: GoldenQuery, tool: string | null): GoldenQuery {
  if (tool === null) {
    const { notes: _notes, ...rest } = query;
    return rest;
  }
  const judged = query.labels.some(({ tool_id }) => tool_id === tool);
  return {
    ...query,
    notes: `${hardNegativePrefix} near-dup of ${tool}`,
    labels: judged ? query.labels : [...query.labels, { tool_id: tool, relevance: 0 }],
  };
}

export function setLabel(
  query: GoldenQuery,
  tool: string,
  relevance: 0 | 1 | 2 | null,
): GoldenQuery {
  const rest = query.labels.filter(({ tool_id }) => tool_id !== tool);
  if (relevance === null) return { ...query, labels: rest };
  const at = query.labels.findIndex(({ tool_id }) => tool_id === tool);
  const label = { tool_id: tool, relevance };
  return {
    ...query,
    labels:
      at < 0
        ? [...query.labels, label]
        : query.labels.map((each, index) => (index === at ? label : each)),
  };
}

/**
 * Tools ordered by how many of the words occur in their ID or description. A plain aid for the
 * form, not a retriever.
 */
export function searchTools(
  tools: readonly { toolId: string; description: string }[],
  words: string,
  limit = 12,
): { toolId: string; description: string }[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return [];
  return tools
    .map((tool) => ({
      tool,
      hits: wanted.filter((word) =>
        `${tool.toolId} ${tool.description}`.toLowerCase().includes(word),
      ).length,
    }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits || compareText(a.tool.toolId, b.tool.toolId))
    .slice(0, limit)
    .map(({ tool }) => tool);
}
