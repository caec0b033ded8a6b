import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type {
  FormatTokens,
  TokenReport,
  ToolSource,
} from '../../../src-shared/domain/tokenReport.ts';
import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { Store } from '../../store/store.ts';
import { DatasetLibrary } from '../retrieval/datasetLibrary.ts';
import { readTools } from '../servers/toolsFile.ts';
import { countReceived, type CountedList } from './countTools.ts';
import { tokensOf } from './tokenCounts.ts';

/** The tools of a source, and what could not be counted. */
export interface SourceTools {
  list: CountedList;
  unavailable: TokenReport['unavailable'];
  measured: FormatTokens[];
}

/**
 * Reads the tools of a source with their token counts. Servers that were never listed are reported
 * in `unavailable` and do not affect the others.
 */
export async function readSource(
  store: Store,
  datasets: string,
  source: ToolSource,
  encoding: EncodingName,
): Promise<SourceTools> {
  const none = { unavailable: [], measured: [] };
  if ('tools' in source) return { list: await countReceived(source.tools, encoding), ...none };
  if ('corpus' in source)
    return {
      list: await countReceived(
        corpusTools(new DatasetLibrary(store, datasets), source.corpus),
        encoding,
      ),
      ...none,
    };
  if ('snapshotId' in source) {
    const snapshot = store.toolSnapshots.get(source.snapshotId);
    if (!snapshot)
      throw new ServiceError('NOT_FOUND', {
        thing: `Snapshot ${source.snapshotId}`,
        cause: 'There is none of this id.',
        nextStep: 'Open it from its evaluation.',
      });
    return {
      list: await countSnapshotTools(store, snapshot.tools, encoding),
      unavailable: [],
      measured: measuredFormats(store, source.snapshotId),
    };
  }
  const registered = store.servers.list();
  const tools: SnapshotTool[] = [];
  const unavailable: TokenReport['unavailable'] = [];
  for (const name of source.servers ?? registered.map((server) => server.name)) {
    const server = registered.find((each) => each.name === name);
    const latest = server ? store.serverListings.latest(server.id) : null;
    const snapshot = latest ? store.toolSnapshots.get(latest.snapshotId) : null;
    if (!server) unavailable.push({ server: name, reason: 'It is not registered.' });
    else if (!snapshot) unavailable.push({ server: name, reason: 'Tools not listed yet.' });
    else tools.push(...snapshot.tools.map((tool) => ({ ...tool, server: name })));
  }
  return { list: await countSnapshotTools(store, tools, encoding), unavailable, measured: [] };
}

/** The tools of a corpus in the form of a server's listing. */
function corpusTools(library: DatasetLibrary, version: string) {
  return readTools(
    library.corpus(version).tools.map(({ server, tool, description, schema }) => ({
      server,
      tool,
      description,
      schema: schema ?? {},
    })),
    version,
  ).tools;
}

/** Pairs frozen tools with their token counts. */
export async function countSnapshotTools(
  store: Store,
  tools: readonly SnapshotTool[],
  encoding: EncodingName,
): Promise<CountedList> {
  const counts = await tokensOf(
    store,
    tools.map(({ hash }) => hash),
    encoding,
  );
  return tools.flatMap(({ hash, snapshotToolId: _id, ...tool }) => {
    const tokens = counts.get(hash);
    return tokens ? [{ tool, counted: tokens }] : [];
  });
}

/** Token counts that providers reported for requests that showed exactly these tools. */
function measuredFormats(store: Store, snapshotId: string): FormatTokens[] {
  return store.tokenCounts.measured(snapshotId).map(({ provider, model, tokens, requests }) => ({
    format: `${provider} · ${model}`,
    tokenCount: tokens,
    basis: 'measured',
    requests,
    note: 'mean input tokens of a request as the provider counted them, prompt and tools together',
  }));
}
