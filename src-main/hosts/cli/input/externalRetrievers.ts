import { embeddingModelOf } from '../../../../src-shared/domain/similarity.ts';
import {
  externalRetriever,
  type ExternalRetriever,
} from '../../../../src-shared/domain/retrievalRun.ts';
import type { OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import {
  readAdditionOptions,
  rejectAdditionOptions,
  type AdditionOptions,
} from './modelOptions.ts';
import { readBy, webAddress } from './optionValues.ts';
import { readObject, searchToolFlags } from './searchTools.ts';

/** An external retriever. What is left out comes from the settings of the window. */
export const externalRetrieverFlags = {
  '--embedding-model <model>':
    'embedding: its model, or the path of a folder with an ONNX encoder (default: as set up on the retrieval page)',
  '--embedding-url <url>': 'embedding: address of a compatible endpoint; left out: OpenAI',
  '--search-server <name>':
    'mcp: a registered server whose own tool searches (default: as set up on the retrieval page)',
  ...searchToolFlags,
} as const;
type ExternalRetrieverOptions = OptionsOf<typeof externalRetrieverFlags> &
  AdditionOptions<'embedding'>;

/**
 * Resolves a list of retriever names. `embedding` and `mcp` stand for the external retriever of the
 * options, or else of the settings; all other names are built in.
 */
export async function readRetrievers(
  names: readonly string[],
  options: ExternalRetrieverOptions,
  setUp: () => Promise<readonly ExternalRetriever[]>,
): Promise<(string | ExternalRetriever)[]> {
  const given: Record<ExternalRetriever['kind'], ExternalRetriever | null> = {
    embedding: embeddingOf(options),
    mcp: searchOf(options),
  };
  for (const kind of ['embedding', 'mcp'] as const)
    if (given[kind] && !names.includes(kind))
      throw new UsageError(`frontier: The options of ${kind} need --retriever ${kind}.`);
  const read: (string | ExternalRetriever)[] = [];
  for (const name of names) {
    if (name !== 'embedding' && name !== 'mcp') read.push(name);
    else
      read.push(
        given[name] ?? (await setUp()).find(({ kind }) => kind === name) ?? throwNotSetUp(name),
      );
  }
  return read;
}

function throwNotSetUp(kind: ExternalRetriever['kind']): never {
  const needed =
    kind === 'embedding'
      ? '--embedding-model MODEL'
      : '--search-server NAME and --search-tool NAME';
  throw new UsageError(
    `frontier: No ${kind} retriever is set up. Give ${needed}, or set one up on the ` +
      'retrieval page.',
  );
}

function embeddingOf(options: ExternalRetrieverOptions): ExternalRetriever | null {
  const { embeddingModel: model, embeddingUrl } = options;
  const address = webAddress(embeddingUrl, '--embedding-url');
  if (model === undefined && address !== undefined)
    throw new UsageError(
      `--embedding-url ${address}: It needs --embedding-model, the model to ask there.`,
    );
  if (model === undefined)
    rejectAdditionOptions(options, 'embedding', '--embedding-model, the model to ask');
  return model === undefined
    ? null
    : read({
        kind: 'embedding',
        ...embeddingModelOf(model, address ?? null),
        ...readAdditionOptions(options, 'embedding'),
      });
}

function searchOf({
  searchServer: server,
  searchTool: tool,
  argument,
  with: further,
  items,
  id,
}: ExternalRetrieverOptions): ExternalRetriever | null {
  if (server === undefined && tool === undefined) return null;
  if (server === undefined || tool === undefined)
    throw new UsageError('frontier: A search tool needs both --search-server and --search-tool.');
  return read({
    kind: 'mcp',
    server,
    search: { tool, argument, fixedArguments: readObject(further), items, id },
  });
}

const read = (spec: unknown): ExternalRetriever => readBy(externalRetriever, spec, 'frontier');
