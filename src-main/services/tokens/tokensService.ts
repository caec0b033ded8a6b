import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { ServiceFor } from '../contractTypes.ts';
import { wireApiOf } from '../../../src-shared/domain/provider.ts';
import type { EvaluationReader } from '../results/read/evaluationReader.ts';
import type { Prices } from '../models/prices.ts';
import { countOffered, tokenReportOf } from '../tokenCounts/countTools.ts';
import { Frontiers, type FrontierParts } from './frontiers.ts';
import { readSource } from './toolSources.ts';
import { tryCuts } from './tryCuts.ts';
import { notFound } from '../../store/database/table.ts';

type Topic = ServiceFor<'tokens'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface TokensParts extends FrontierParts {
  reader: Pick<EvaluationReader, 'read'>;
  prices: Pick<Prices, 'of'>;
  /** The folder of the bundled datasets. */
  datasets: string;
}

/** Token costs of tools: counts, trends, tool search and the tradeoff with accuracy. */
export class TokensService implements ServiceFor<'tokens'> {
  readonly #parts: TokensParts;
  readonly #frontiers: Frontiers;

  constructor(parts: TokensParts) {
    this.#parts = parts;
    this.#frontiers = new Frontiers(parts);
  }

  /** Counts the tools as listed, or in the wire format of a model. */
  async count({ source, encoding, model }: Input<'count'>): Answer<'count'> {
    const { tokens, prices } = this.#parts;
    const { counted, ...rest } = await readSource(this.#parts, source, encoding);
    if (model === null) return tokenReportOf(tokens.counter, counted, { encoding, ...rest });
    const { providerFormats } = await import('../../analysis/tokens/providerFormats.ts');
    const wireApi = wireApiOf({ provider: model.provider, api: null });
    const format = providerFormats.find((each) => each.wireApi === wireApi);
    if (!format) throw new Error(`Tools for ${model.provider} can't be counted.`);
    const offered = await countOffered(
      tokens.counter,
      counted.list.map(({ tool }) => tool),
      format,
    );
    return tokenReportOf(
      tokens.counter,
      { list: offered.list, uncounted: [...counted.uncounted, ...offered.uncounted] },
      {
        encoding: format.encoding,
        model: { ...model, format: format.format, price: prices.of(model) },
        ...rest,
      },
    );
  }

  /** Makes every suggested cut on copies of the tools, and says how to measure what that costs. */
  async tryCuts(request: Input<'tryCuts'>): Answer<'tryCuts'> {
    const { store, tokens } = this.#parts;
    const [report, use, { counted }] = await Promise.all([
      this.count(request),
      this.toolUse(),
      readSource(this.#parts, request.source, request.encoding),
    ]);
    return tryCuts(store, tokens.counter, {
      tools: counted.list.map(({ tool }) => tool),
      report,
      use,
    });
  }

  /** Which tools no case needs: read from all cases and evaluations. */
  toolUse(): Answer<'toolUse'> {
    const { store, reader } = this.#parts;
    return reader.read({ plannedRuns: store.runs.atMost() }, { kind: 'toolUse' });
  }

  /** One point per change of a server's tools, oldest first, with the tools that changed. */
  async trend({ serverId, encoding }: Input<'trend'>): Answer<'trend'> {
    const { store, tokens } = this.#parts;
    if (!store.servers.get(serverId))
      throw notFound('Server', serverId, 'Choose one from the list of servers.');
    const listings = store.serverListings.list(serverId, 500).reverse();
    const points = [];
    let before: ToolSnapshot | null = null;
    for (const { snapshotId, createdAt } of listings) {
      const snapshot = store.toolSnapshots.get(snapshotId);
      // A check and a person may list the same tools one after the other.
      if (!snapshot || (before !== null && hashesOf(before) === hashesOf(snapshot))) continue;
      const counts = await tokens.of(
        snapshot.tools.map(({ hash }) => hash),
        encoding,
      );
      // A sum without one of its tools would be too small.
      if (snapshot.tools.some(({ hash }) => !counts.has(hash))) continue;
      points.push({
        listedAt: createdAt,
        snapshotId,
        tools: snapshot.tools.length,
        tokenCount: snapshot.tools.reduce(
          (sum, { hash }) => sum + (counts.get(hash)?.tokenCount ?? 0),
          0,
        ),
        ...changesBetween(before, snapshot),
      });
      before = snapshot;
    }
    return points;
  }

  /** Searches tools by words, as the `find_tool` command does. */
  async findTool({
    source,
    description,
    keywords,
    k,
    retriever,
    encoding,
  }: Input<'findTool'>): Answer<'findTool'> {
    const { counted, unavailable } = await readSource(this.#parts, source, encoding);
    const { createToolFinder } = await import('./findTool.ts');
    // A file or a snapshot has no servers that could be down.
    const down = new Map(
      'tools' in source || 'corpus' in source || 'snapshotId' in source
        ? []
        : this.#parts.store.servers
            .list()
            .filter(({ status }) => status === 'failed')
            .map(({ name, statusReason }) => [name, statusReason ?? 'It is unreachable.']),
    );
    const reachable = counted.list.filter(({ tool }) => !down.has(tool.server));
    const excluded = [...new Set(counted.list.map(({ tool }) => tool.server))].flatMap((server) => {
      const reason = down.get(server);
      return reason === undefined ? [] : [{ server, reason }];
    });
    const finder = createToolFinder(reachable, retriever, [...unavailable, ...excluded]);
    return finder.find(description, keywords, k);
  }

  /** Starts the evaluations of a frontier; their progress is read with `frontier`. */
  startFrontier(request: Input<'startFrontier'>): Answer<'startFrontier'> {
    return this.#frontiers.start(request);
  }

  frontier({ id }: Input<'frontier'>): Answer<'frontier'> {
    return this.#frontiers.get(id);
  }

  async frontiers(): Answer<'frontiers'> {
    return this.#frontiers.list();
  }
}

/** Identifies the tools of a listing by their content, whatever their order. */
const hashesOf = ({ tools }: ToolSnapshot): string =>
  tools
    .map(({ hash }) => hash)
    .sort()
    .join(' ');

/** The names of tools that changed between two listings of one server. */
function changesBetween(
  before: ToolSnapshot | null,
  after: ToolSnapshot,
): { added: string[]; removed: string[]; changed: string[] } {
  if (!before) return { added: [], removed: [], changed: [] };
  const old = new Map(before.tools.map(({ name, hash }) => [name, hash]));
  const current = new Map(after.tools.map(({ name, hash }) => [name, hash]));
  return {
    added: [...current.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !current.has(name)),
    changed: [...current]
      .filter(([name, hash]) => old.has(name) && old.get(name) !== hash)
      .map(([name]) => name),
  };
}
