import type { Corpus, GoldenSet, Rankings } from '../../../../src-shared/domain/retrieval.ts';
import { embeddingModelOf } from '../../../../src-shared/domain/similarity.ts';
import { retrieverSpec, type RetrieverSpec } from '../../../../src-shared/domain/retrievalRun.ts';
import { createOpenEmbedder } from '../../../adapters/llm/embeddings/openEmbedder.ts';
import { connectAsThisProgram } from '../../../services/servers/programConnector.ts';
import { openRetriever } from '../../../services/retrieval/openRetriever.ts';
import { rankAll } from '../../../services/retrieval/retrievers.ts';
import { openServerSearch } from '../../../services/retrieval/serverSearch.ts';
import type { CommandContext } from '../commandContext.ts';
import { UsageError } from '../exitCodes.ts';
import { workspaceOf } from '../session.ts';
import { readBy, webAddress } from './optionValues.ts';
import {
  askRegisteredServer,
  rankByRegistered,
  searchOf,
  unregisteredSearch,
  type SearchOptions,
} from './searchTools.ts';
import {
  readAdditionOptions,
  rejectAdditionOptions,
  type AdditionOptions,
} from './modelOptions.ts';
import { systemSecrets } from './systemSecrets.ts';

interface RetrieverOptions extends SearchOptions, AdditionOptions<'embedding'> {
  retriever?: string;
  baseUrl?: string;
  model?: string;
}

/** The rankings of every query of a golden set, with progress for retrievers that are slow. */
export async function rankQueries(
  options: RetrieverOptions,
  context: CommandContext,
  { corpus, golden }: { corpus: Corpus; golden: GoldenSet },
  signal: AbortSignal,
): Promise<{ id: string; rankings: Rankings }> {
  const { output } = context;
  const began = Date.now();
  const progress = (done: number): void => {
    output.progress(done, golden.queries.length, began, 'queries');
  };
  try {
    if (options.retriever === 'mcp' && options.server !== undefined) {
      return {
        id: 'mcp',
        rankings: await rankByRegistered(
          context,
          { name: options.server, search: searchOf(options) },
          corpus,
          golden,
          signal,
          progress,
        ),
      };
    }
    const spec = specOf(options);
    const retriever = await openRetriever(
      spec,
      corpus,
      {
        connect: connector(context),
        embeddings: {
          open: createOpenEmbedder(systemSecrets(context)),
          cache: null,
        },
        findServer: () => null,
      },
      signal,
    );
    try {
      // Built-in retrievers finish before anyone could read a progress bar.
      return {
        id: retriever.id,
        rankings: await rankAll(
          retriever,
          golden,
          signal,
          spec.kind === 'offline' ? undefined : progress,
        ),
      };
    } finally {
      await retriever.close();
    }
  } finally {
    output.endProgress();
  }
}

/** What a search tool answers to one query: the ids that were understood, and the whole answer. */
export async function askSearchTool(
  options: RetrieverOptions,
  context: CommandContext,
  query: string,
  signal: AbortSignal,
): Promise<{ ids: string[]; answer: string }> {
  if (options.retriever !== 'mcp') throw new UsageError('retrieval: --try is for --retriever mcp.');
  if (options.server !== undefined)
    return askRegisteredServer(
      context,
      { name: options.server, search: searchOf(options) },
      query,
      signal,
    );
  const { server, search } = unregisteredSearch(options);
  const opened = await openServerSearch(connector(context), { ...server, search }, signal);
  try {
    return await opened.ask(query, signal);
  } finally {
    await opened.close();
  }
}

const connector = (context: CommandContext) =>
  connectAsThisProgram({
    folder: workspaceOf(context),
    commandLine: context.io.commandLine,
  });

function specOf(options: RetrieverOptions): RetrieverSpec {
  if (options.retriever === 'embedding') {
    if (options.model === undefined)
      throw new UsageError(
        'retrieval: The embedding retriever needs --model NAME; it needs --base-url URL too ' +
          "for models that aren't OpenAI's.",
      );
    const baseUrl = webAddress(options.baseUrl, '--base-url') ?? null;
    return parseSpec({
      kind: 'embedding',
      ...embeddingModelOf(options.model, baseUrl),
      ...readAdditionOptions(options, 'embedding'),
    });
  }
  rejectAdditionOptions(options, 'embedding', '--retriever embedding');
  if (options.retriever !== 'mcp') return parseSpec({ kind: 'offline', id: options.retriever });
  return parseSpec({ kind: 'mcp', ...unregisteredSearch(options) });
}

const parseSpec = (spec: unknown): RetrieverSpec => readBy(retrieverSpec, spec, 'retrieval');
