import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Corpus } from '../../../src-shared/domain/retrieval.ts';
import {
  externalRetrieverName,
  type ExternalRetriever,
  type RetrieverSpec,
} from '../../../src-shared/domain/retrievalRun.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { offlineRankers } from '../../analysis/rankers/rankers.ts';
import type { EmbeddingParts } from '../embeddings/embedTexts.ts';
import { openEmbeddingRetriever } from './embeddingRetriever.ts';
import { openOffline, type OpenRetriever } from './retrievers.ts';
import { openServerSearch, requireKnownHits } from './serverSearch.ts';

export interface RetrieverParts {
  connect: ConnectMcp;
  embeddings: EmbeddingParts;
  /** Finds a registered server; null when there is none of this name. */
  findServer(name: string): { name: string; config: ServerConfig } | null;
}

/**
 * Opens any retriever over a corpus. Throws INVALID for an unknown one and TROUBLE for one that
 * can't be reached. The caller closes it.
 */
export async function openRetriever(
  spec: RetrieverSpec,
  corpus: Corpus,
  parts: RetrieverParts,
  signal: AbortSignal,
): Promise<OpenRetriever> {
  switch (spec.kind) {
    case 'offline': {
      const opened = openOffline(spec.id, corpus);
      if (opened) return opened;
      throw new ServiceError('INVALID', {
        thing: `Retriever ${spec.id}`,
        cause: "It doesn't exist.",
        nextStep: `Choose one of ${[...offlineRankers.keys()].join(', ')}, embedding or mcp.`,
      });
    }
    case 'embedding':
      return openEmbeddingRetriever(spec, corpus, parts.embeddings, signal);
    case 'mcp':
      return openSearchTool(spec, corpus, parts, signal);
  }
}

/** The name of a retriever in reports and tables. */
export function retrieverName(spec: RetrieverSpec): { id: string; title: string } {
  if (spec.kind === 'offline')
    return { id: spec.id, title: offlineRankers.get(spec.id)?.title ?? spec.id };
  return {
    id: spec.kind,
    title: externalRetrieverName(
      spec.kind === 'mcp' && typeof spec.server !== 'string'
        ? { ...spec, server: spec.server.name }
        : (spec as ExternalRetriever),
    ),
  };
}

/** Opens a server's search tool as a retriever; a hit outside the corpus is an error. */
async function openSearchTool(
  spec: Extract<RetrieverSpec, { kind: 'mcp' }>,
  corpus: Corpus,
  parts: RetrieverParts,
  signal: AbortSignal,
): Promise<OpenRetriever> {
  const target = typeof spec.server === 'string' ? parts.findServer(spec.server) : spec.server;
  if (!target)
    throw new ServiceError('NOT_FOUND', {
      thing: `Server ${typeof spec.server === 'string' ? spec.server : spec.server.name}`,
      cause: "It doesn't exist.",
      nextStep: 'Choose one from the list of servers.',
    });
  const search = await openServerSearch(parts.connect, { ...target, search: spec.search }, signal);
  const known = new Set(corpus.tools.map((tool) => tool.tool_id));
  return {
    id: 'mcp',
    async rank(query, querySignal) {
      const { ids } = await search.ask(query, querySignal);
      requireKnownHits(ids, known, {
        tool: spec.search.tool,
        server: target.name,
        query,
        corpus: corpus.version,
      });
      return ids;
    },
    close: () => search.close(),
  };
}
