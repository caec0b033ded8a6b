import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { isHardNegative, type Corpus } from '../../../src-shared/domain/retrieval.ts';
import type { RetrieverSpec } from '../../../src-shared/domain/retrievalRun.ts';
import type { OpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { offlineRankers } from '../../analysis/rankers/rankers.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { compareRetrievers, type RankedSet } from './compareRetrievers.ts';
import { readBaseline, readCorpus, readGolden } from './datasetFiles.ts';
import { DatasetLibrary, kindTitles, type Dataset } from './datasetLibrary.ts';
import { openRetriever, retrieverName, type RetrieverParts } from './openRetriever.ts';
import { rankAll, type OpenRetriever } from './retrievers.ts';
import { toBaseline, scoreRankings } from './scoreRetrieval.ts';
import { openServerSearch } from './serverSearch.ts';

export interface RetrievalParts {
  store: Store;
  connect: ConnectMcp;
  openEmbedder: OpenEmbedder;
  clock: Clock;
  /** The folder of the bundled datasets. */
  datasets: string;
}

const deletedDataset = z.object({
  kind: z.enum(['corpus', 'golden', 'baseline']),
  version: z.string(),
  content: z.string(),
  origin: z.string(),
  createdAt: z.string(),
});

/** Retrieval quality: datasets, retrievers, comparisons and baselines. */
export class RetrievalService implements ServiceFor<'retrieval'> {
  readonly #parts: RetrievalParts;
  readonly #library: DatasetLibrary;
  readonly #retrievers: RetrieverParts;

  constructor(parts: RetrievalParts) {
    this.#parts = parts;
    this.#library = new DatasetLibrary(parts.store, parts.datasets);
    this.#retrievers = {
      connect: parts.connect,
      embeddings: { open: parts.openEmbedder, cache: parts.store.embeddings },
      findServer: (name) =>
        parts.store.servers.list().find((server) => server.name === name) ?? null,
    };
  }

  /** All datasets with their sizes, bundled ones first. */
  async datasets(): Promise<Output<'retrieval', 'datasets'>> {
    return {
      corpora: this.#library.list('corpus').map((dataset) => {
        const { tools } = this.#library.corpus(dataset.version);
        return {
          ...toEntry(dataset),
          tools: tools.length,
          servers: new Set(tools.map(({ server }) => server)).size,
        };
      }),
      goldenSets: this.#library.list('golden').map((dataset) => {
        const { golden, unlabelled } = this.#library.golden(dataset.version);
        return {
          ...toEntry(dataset),
          corpusVersion: golden.corpusVersion,
          queries: golden.queries.length,
          hardNegatives: golden.queries.filter(isHardNegative).length,
          unlabelled: unlabelled.length,
        };
      }),
      baselines: this.#library.list('baseline').map((dataset) => ({
        ...toEntry(dataset),
        baseline: this.#library.baseline(dataset.version),
      })),
    };
  }

  async corpus({ version }: Input<'retrieval', 'corpus'>): Promise<Output<'retrieval', 'corpus'>> {
    return {
      version,
      tools: this.#library
        .corpus(version)
        .tools.map(({ tool_id, description }) => ({ toolId: tool_id, description })),
    };
  }

  async golden({ version }: Input<'retrieval', 'golden'>): Promise<Output<'retrieval', 'golden'>> {
    const { golden } = this.#library.golden(version);
    return { version, corpusVersion: golden.corpusVersion, queries: golden.queries };
  }

  /**
   * Imports a file under the version it names. Throws INVALID with file and line, CONFLICT when the
   * version exists.
   */
  async importFile({
    kind,
    fileName,
    text,
    lenient,
  }: Input<'retrieval', 'importFile'>): Promise<Output<'retrieval', 'importFile'>> {
    const version = this.#validate(kind, text, fileName, lenient);
    return this.#add(kind, version, text, `imported from ${fileName}`);
  }

  /**
   * Makes a corpus of the latest listings of servers, so that a golden set can be labelled over
   * real tools.
   */
  async corpusFromServers({
    servers,
    version,
  }: Input<'retrieval', 'corpusFromServers'>): Promise<Output<'retrieval', 'corpusFromServers'>> {
    const { store } = this.#parts;
    const tools = servers.flatMap((name) => {
      const server = store.servers.list().find((each) => each.name === name);
      const latest = server ? store.serverListings.latest(server.id) : null;
      const snapshot = latest ? store.toolSnapshots.get(latest.snapshotId) : null;
      if (!snapshot)
        throw new ServiceError('INVALID', {
          thing: `Server ${name}`,
          cause: 'Its tools were never listed.',
          nextStep: 'Open the server and list its tools.',
        });
      return snapshot.tools.map((tool) => ({
        tool_id: toolId(name, tool.name),
        server: name,
        tool: tool.name,
        description: tool.description,
        schema: tool.inputSchema,
      }));
    });
    const text = JSON.stringify(
      { version, generated_from: { source: `tools/list of ${servers.join(', ')}` }, tools },
      null,
      1,
    );
    readCorpus(text, version);
    return this.#add('corpus', version, text, `tools of ${servers.join(', ')}`);
  }

  /**
   * Saves labels as the next version of the golden set they are based on: versions never change.
   */
  async saveGolden({
    basedOn,
    corpusVersion,
    queries,
    lenient,
  }: Input<'retrieval', 'saveGolden'>): Promise<Output<'retrieval', 'saveGolden'>> {
    const version = this.#library.has('golden', basedOn)
      ? this.#library.nextVersion('golden', basedOn)
      : basedOn;
    const text = JSON.stringify(
      { version, corpus_version: corpusVersion, generated_from: { source: basedOn }, queries },
      null,
      1,
    );
    readGolden(text, version, this.#library.corpus(corpusVersion), { lenient });
    return this.#add('golden', version, text, `made from ${basedOn}`);
  }

  async exportFile({
    kind,
    version,
  }: Input<'retrieval', 'exportFile'>): Promise<Output<'retrieval', 'exportFile'>> {
    return {
      fileName: `${version.replace(/[^\w.-]+/g, '_').slice(0, 100)}.json`,
      text: this.#library.get(kind, version).text,
    };
  }

  /**
   * Deletes a dataset of the workspace; bundled ones can't be deleted. Returns a token to undo it.
   */
  async remove({
    kind,
    version,
  }: Input<'retrieval', 'remove'>): Promise<Output<'retrieval', 'remove'>> {
    const { store } = this.#parts;
    const dataset = this.#library.get(kind, version);
    if (dataset.bundled)
      throw new ServiceError('INVALID', {
        thing: `${kindTitles[kind]} ${version}`,
        cause: 'It ships with the program.',
        nextStep: 'Leave it; your own versions stand beside it.',
      });
    if (kind === 'corpus') {
      const using = this.#library
        .list('golden')
        .find((golden) => this.#library.golden(golden.version).golden.corpusVersion === version);
      if (using)
        throw new ServiceError('CONFLICT', {
          thing: `Corpus ${version}`,
          cause: `Golden set ${using.version} is labelled over it.`,
          nextStep: 'Delete that golden set first.',
        });
    }
    const row = store.datasets.get(kind, version);
    return store.transaction(() => {
      const what = `${kindTitles[kind]} ${version}`;
      const token = store.trash.put({ kind: 'dataset', title: what, content: row });
      store.datasets.delete(kind, version);
      this.#library.evict(kind, version);
      return { token, what };
    });
  }

  /** Undoes `remove`; call inside the transaction that takes the token. */
  restore(content: unknown): void {
    this.#parts.store.datasets.insert(deletedDataset.parse(content));
  }

  /** Opens a retriever over tools that are not a dataset; the caller closes it. */
  open(spec: RetrieverSpec, corpus: Corpus, signal: AbortSignal): Promise<OpenRetriever> {
    return openRetriever(spec, corpus, this.#retrievers, signal);
  }

  async retrievers(): Promise<Output<'retrieval', 'retrievers'>> {
    return [...offlineRankers.values()].map(({ id, title }) => ({ id, title }));
  }

  /** Ranks one query, to try out settings. The raw answer of a search tool is returned too. */
  async tryRetriever(
    { retriever, corpus: version, query }: Input<'retrieval', 'tryRetriever'>,
    { signal }: CallOptions,
  ): Promise<Output<'retrieval', 'tryRetriever'>> {
    const corpus = this.#library.corpus(version);
    const { ids, answer } =
      retriever.kind === 'mcp'
        ? await this.#trySearch(retriever, query, signal)
        : { ids: (await this.#rank(retriever, corpus, [query], signal))[0] ?? [], answer: null };
    const known = new Set(corpus.tools.map((tool) => tool.tool_id));
    return {
      ranking: ids.slice(0, 50),
      unknown: ids.filter((id) => !known.has(id)).slice(0, 50),
      answer: answer === null ? null : answer.slice(0, 4_000),
    };
  }

  /** Asks a search tool several queries over one connection and returns what it answered. */
  async askSearchTool(
    { server, search, queries }: Input<'retrieval', 'askSearchTool'>,
    { signal }: CallOptions,
  ): Promise<Output<'retrieval', 'askSearchTool'>> {
    const opened = await openServerSearch(
      this.#parts.connect,
      { ...this.#findServer(server), search },
      signal,
    );
    try {
      const answers = [];
      for (const query of queries) {
        const { ids, answer } = await opened.ask(query, signal);
        answers.push({ ids, answer: answer.slice(0, 4_000) });
      }
      return answers;
    } finally {
      await opened.close();
    }
  }

  /**
   * Scores several retrievers on one golden set, the first one as reference, and judges the gate of
   * a baseline if one is given.
   */
  async compare(
    {
      corpus: corpusVersion,
      golden: goldenVersion,
      retrievers,
      lenient,
      baseline,
      tolerance,
    }: Input<'retrieval', 'compare'>,
    { signal }: CallOptions,
  ): Promise<Output<'retrieval', 'compare'>> {
    const corpus = this.#library.corpus(corpusVersion);
    const { golden, unlabelled } = this.#library.golden(goldenVersion, { lenient });
    requireSameCorpus(golden.corpusVersion, corpusVersion, goldenVersion);
    const reference = baseline === null ? null : this.#library.baseline(baseline);
    const ranked: RankedSet[] = [];
    for (const spec of retrievers)
      ranked.push(await this.#rankSet(spec, corpus, goldenVersion, signal));
    return {
      corpusVersion,
      goldenVersion,
      queries: golden.queries,
      leftOut: unlabelled,
      results: compareRetrievers(
        corpus,
        golden,
        ranked,
        reference && baseline !== null
          ? { file: reference, version: baseline, tolerance: tolerance ?? reference.tolerance }
          : null,
      ),
    };
  }

  /** Ranks the golden set once more and saves the result as the next version of the baseline. */
  async saveBaseline(
    {
      corpus: corpusVersion,
      golden: goldenVersion,
      retriever,
      lenient,
      tolerance,
    }: Input<'retrieval', 'saveBaseline'>,
    { signal }: CallOptions,
  ): Promise<Output<'retrieval', 'saveBaseline'>> {
    const corpus = this.#library.corpus(corpusVersion);
    const { golden } = this.#library.golden(goldenVersion, { lenient });
    requireSameCorpus(golden.corpusVersion, corpusVersion, goldenVersion);
    const { id, rankings } = await this.#rankSet(retriever, corpus, goldenVersion, signal);
    const newest = this.#library.list('baseline').at(-1)?.version ?? 'baseline_v0';
    const version = this.#library.nextVersion('baseline', newest);
    return this.#add(
      'baseline',
      version,
      JSON.stringify(
        toBaseline(scoreRankings(golden, corpusVersion, id, rankings), tolerance),
        null,
        1,
      ),
      `${retrieverName(retriever).id} on ${goldenVersion}`,
    );
  }

  /** Ranks a whole golden set and measures the time. */
  async #rankSet(
    spec: RetrieverSpec,
    corpus: Corpus,
    goldenVersion: string,
    signal: AbortSignal,
  ): Promise<RankedSet> {
    const { golden } = this.#library.golden(goldenVersion);
    const startedAt = this.#parts.clock.monotonic();
    const retriever = await openRetriever(spec, corpus, this.#retrievers, signal);
    try {
      const rankings = await rankAll(retriever, golden, signal);
      return {
        ...retrieverName(spec),
        rankings,
        milliseconds: this.#parts.clock.monotonic() - startedAt,
      };
    } finally {
      await retriever.close();
    }
  }

  async #rank(
    spec: RetrieverSpec,
    corpus: Corpus,
    queries: readonly string[],
    signal: AbortSignal,
  ): Promise<string[][]> {
    const retriever = await openRetriever(spec, corpus, this.#retrievers, signal);
    try {
      const rankings: string[][] = [];
      for (const query of queries) rankings.push(await retriever.rank(query, signal));
      return rankings;
    } finally {
      await retriever.close();
    }
  }

  /** Unknown ids are returned instead of rejected, because trying is for finding them. */
  async #trySearch(
    spec: Extract<RetrieverSpec, { kind: 'mcp' }>,
    query: string,
    signal: AbortSignal,
  ) {
    const target = typeof spec.server === 'string' ? this.#findServer(spec.server) : spec.server;
    const search = await openServerSearch(
      this.#parts.connect,
      { ...target, search: spec.search },
      signal,
    );
    try {
      return await search.ask(query, signal);
    } finally {
      await search.close();
    }
  }

  /** Throws NOT_FOUND when there is no such server. */
  #findServer(name: string) {
    const target = this.#retrievers.findServer(name);
    if (!target)
      throw new ServiceError('NOT_FOUND', {
        thing: `Server ${name}`,
        cause: 'There is none of this name.',
        nextStep: 'Look in the list of servers.',
      });
    return target;
  }

  /** Validates a file as the given kind and returns its version. */
  #validate(kind: Dataset['kind'], text: string, fileName: string, lenient: boolean): string {
    if (kind === 'corpus') return readCorpus(text, fileName).version;
    if (kind === 'baseline') {
      readBaseline(text, fileName);
      return fileName.replace(/^.*[\\/]/, '').replace(/\.json$/i, '') || 'baseline_v1';
    }
    const named = z.object({ corpus_version: z.string() }).safeParse(parseOrNull(text));
    const corpus = named.success
      ? this.#library.corpus(named.data.corpus_version)
      : { version: '', tools: [] };
    return readGolden(text, fileName, corpus, { lenient }).golden.version;
  }

  #add(kind: Dataset['kind'], version: string, text: string, origin: string) {
    return toEntry(
      this.#library.add({ kind, version, text, origin, createdAt: this.#parts.clock.now() }),
    );
  }
}

const toEntry = ({ version, origin, bundled, createdAt }: Dataset) => ({
  version,
  origin,
  bundled,
  createdAt,
});

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Labels only make sense over the corpus that they were made for. */
function requireSameCorpus(own: string, given: string, golden: string): void {
  if (own === given) return;
  throw new ServiceError('INVALID', {
    thing: `Golden set ${golden}`,
    cause: `It is labelled over corpus "${own}", not "${given}".`,
    nextStep: 'Choose that corpus.',
  });
}
