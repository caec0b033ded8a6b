import { signalWithTimeout } from '../../../runtime/deadline.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { Corpus } from '../../../../src-shared/domain/retrieval.ts';
import {
  externalRetrieverName,
  type ExternalRetriever,
} from '../../../../src-shared/domain/retrievalRun.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { OpenRetriever } from '../../retrieval/retrievers.ts';
import type { FrozenTools } from './offeredTools.ts';
import { serversOf } from '../plan/planEvaluation.ts';

/**
 * Opens an external retriever over the tools of a corpus. Throws ServiceError when it can't be
 * reached. The caller closes it.
 */
export type OpenExternalRetriever = (
  spec: ExternalRetriever,
  corpus: Corpus,
  signal: AbortSignal,
) => Promise<OpenRetriever>;

/** For a program that can't reach external retrievers. */
export const ownRetrieversOnly: OpenExternalRetriever = (spec) =>
  Promise.reject(
    new ServiceError('INVALID', {
      thing: `Retriever ${externalRetrieverName(spec)}`,
      cause: "External retrievers can't be used here.",
      nextStep: 'Choose a built-in retriever.',
    }),
  );

/** A retriever that does not respond must not block an evaluation forever. */
const maxRankingMs = 600_000;

/**
 * Ranks the tools for each query that has no ranking yet and stores the best `topK`. When the
 * retriever fails, the rankings so far are kept and a resume continues. Returns why it failed, or
 * null.
 */
export async function rankCases(
  store: Store,
  open: OpenExternalRetriever,
  evaluation: EvaluationRow,
  tools: FrozenTools,
  signal: AbortSignal,
): Promise<string | null> {
  const { topK, externalRetriever } = evaluation.settings;
  if (topK === null || externalRetriever === null) return null;
  const deadline = signalWithTimeout(signal, maxRankingMs);
  try {
    for (const { servers, queries } of unrankedQueries(store, evaluation)) {
      const retriever = await open(externalRetriever, corpusOf(tools, servers), deadline);
      try {
        await retriever.prepare?.(queries, deadline);
        for (const query of queries)
          store.caseRankings.put(
            evaluation.id,
            servers,
            query,
            (await retriever.rank(query, deadline)).slice(0, topK),
          );
      } finally {
        await retriever.close();
      }
    }
    return null;
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted)
      return `It didn't rank every case within ${maxRankingMs / 60_000} minutes.`;
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/** The distinct queries without a ranking, grouped by the servers whose tools they see. */
function unrankedQueries(
  store: Store,
  { id, settings, suite }: EvaluationRow,
): { servers: readonly string[]; queries: string[] }[] {
  const groups = new Map<string, { servers: readonly string[]; queries: Set<string> }>();
  for (const { content } of store.entries.each('case', id)) {
    const servers = serversOf(content, settings, suite.servers);
    if (store.caseRankings.get(id, servers, content.query) !== null) continue;
    const key = JSON.stringify(servers);
    const group = groups.get(key) ?? { servers, queries: new Set() };
    groups.set(key, group);
    group.queries.add(content.query);
  }
  return [...groups.values()].map(({ servers, queries }) => ({ servers, queries: [...queries] }));
}

function corpusOf(tools: FrozenTools, servers: readonly string[]): Corpus {
  return {
    version: 'of this evaluation',
    tools: tools.offer(servers).tools.map(({ toolId, server, name, description, inputSchema }) => ({
      tool_id: toolId,
      server,
      tool: name,
      description,
      schema: inputSchema,
    })),
  };
}
