import { unlistedReason } from '../../../src-shared/display/serverTexts.ts';
import type {
  FormatTokens,
  TokenReport,
  ToolSource,
} from '../../../src-shared/domain/tokenReport.ts';
import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { Store } from '../../store/store.ts';
import { DatasetLibrary } from '../retrieval/datasetLibrary.ts';
import { storedTools } from '../servers/storedTools.ts';
import { readTools } from '../servers/toolsFile.ts';
import { countReceived, uncountedTool, type CountedList } from '../tokenCounts/countTools.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { notFound } from '../../store/database/table.ts';

export interface SourceTools {
  counted: CountedList;
  unavailable: TokenReport['unavailable'];
  measured: FormatTokens[];
}

/**
 * Reads the tools of a source with their token counts. Servers that were never listed are reported
 * in `unavailable` and do not affect the others.
 */
export async function readSource(
  { store, tokens, datasets }: { store: Store; tokens: TokenCounts; datasets: string },
  source: ToolSource,
  encoding: EncodingName,
): Promise<SourceTools> {
  const none = { unavailable: [], measured: [] };
  if ('tools' in source)
    return { counted: await countReceived(tokens.counter, source.tools, encoding), ...none };
  if ('corpus' in source)
    return {
      counted: await countReceived(
        tokens.counter,
        corpusTools(new DatasetLibrary(store, datasets), source.corpus),
        encoding,
      ),
      ...none,
    };
  if ('snapshotId' in source) {
    const snapshot = store.toolSnapshots.get(source.snapshotId);
    if (!snapshot) throw notFound('Snapshot', source.snapshotId, 'Open it from its evaluation.');
    return {
      counted: await countSnapshotTools(tokens, snapshot.tools, encoding),
      unavailable: [],
      measured: measuredFormats(store, source.snapshotId),
    };
  }
  const registered = store.servers.list();
  const listed: SnapshotTool[] = [];
  const unavailable: TokenReport['unavailable'] = [];
  for (const name of source.servers ?? registered.map((server) => server.name)) {
    const server = registered.find((each) => each.name === name);
    const stored = server && storedTools(store, server.id);
    if (!server) unavailable.push({ server: name, reason: 'It is not registered.' });
    else if (!stored) unavailable.push({ server: name, reason: unlistedReason(server) });
    else listed.push(...stored.snapshot.tools.map((tool) => ({ ...tool, server: name })));
  }
  return { counted: await countSnapshotTools(tokens, listed, encoding), unavailable, measured: [] };
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

async function countSnapshotTools(
  tokens: TokenCounts,
  tools: readonly SnapshotTool[],
  encoding: EncodingName,
): Promise<CountedList> {
  const counts = await tokens.of(
    tools.map(({ hash }) => hash),
    encoding,
  );
  return {
    list: tools.flatMap(({ hash, snapshotToolId: _id, ...tool }) => {
      const counted = counts.get(hash);
      return counted ? [{ tool, counted }] : [];
    }),
    uncounted: tools.flatMap((tool) =>
      counts.has(tool.hash)
        ? []
        : [uncountedTool(tool, tokens.problemOf(tool.hash, encoding) ?? 'It was not counted.')],
    ),
  };
}

/** Token counts that providers reported for requests that showed exactly these tools. */
function measuredFormats(store: Store, snapshotId: string): FormatTokens[] {
  return store.tokenCounts.measured(snapshotId).map(({ provider, model, tokens, requests }) => ({
    format: `${provider} · ${model}`,
    tokenCount: tokens,
    wireApi: null,
    basis: 'measured',
    requests,
    note: 'mean input tokens of a request as the provider counted them, prompt and tools together',
  }));
}
