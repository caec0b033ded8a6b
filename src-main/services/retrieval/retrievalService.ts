import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Corpus, GoldenSet } from '../../../src-shared/domain/retrieval.ts';
import type { RetrieverResult, RetrieverSpec } from '../../../src-shared/domain/retrievalRun.ts';
import type { OpenEmbedder } from '../../adapters/llm/embeddings/openEmbedder.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import { offlineRankers } from '../../analysis/rankers/rankers.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import { compareRetrievers, type RankedSet } from './compareRetrievers.ts';
import { DatasetLibrary } from './datasetLibrary.ts';
import { openRetriever, retrieverName, type RetrieverParts } from './openRetriever.ts';
import { RetrievalDatasets } from './retrievalDatasets.ts';
import { rankAll, type OpenRetriever } from './retrievers.ts';
import { toBaseline, scoreRankings } from './scoreRetrieval.ts';
import { openServerSearch } from './serverSearch.ts';
import { notFound } from '../../store/database/table.ts';

type Topic = ServiceFor<'retrieval'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface RetrievalParts {
  store: Store;
  connect: ConnectMcp;
  openEmbedder: OpenEmbedder;
  clock: Clock;
  /** The folder of the bundled datasets. */
  datasets: string;
}

/** Retrieval quality: datasets, retrievers, comparisons and baselines. */
export class RetrievalService implements ServiceFor<'retrieval'> {
  readonly #parts: RetrievalParts;
  readonly #library: DatasetLibrary;
  readonly #datasets: RetrievalDatasets;
  readonly #retrievers: RetrieverParts;
  /** What the program's own retrievers scored by question: they answer the same every time. */
  readonly #compared = new WeakMap<GoldenSet, Map<string, RetrieverResult[]>>();

  constructor(parts: RetrievalParts) {
    this.#parts = parts;
    this.#library = new DatasetLibrary(parts.store, parts.datasets);
    this.#datasets = new RetrievalDatasets(parts.store, this.#library, parts.clock);
    this.#retrievers = {
      connect: parts.connect,
      embeddings: { open: parts.openEmbedder, cache: parts.store.embeddings },
      findServer: (name) =>
        parts.store.servers.list().find((server) => server.name === name) ?? null,
    };
  }

  async datasets(): Answer<'datasets'> {
    return this.#datasets.overview();
  }

  async corpus({ version }: Input<'corpus'>): Answer<'corpus'> {
    return this.#datasets.corpus(version);
  }

  async golden({ version }: Input<'golden'>): Answer<'golden'> {
    return this.#datasets.golden(version);
  }

  async importFile(input: Input<'importFile'>): Answer<'importFile'> {
    return this.#datasets.importFile(input);
  }

  async corpusFromServers(input: Input<'corpusFromServers'>): Answer<'corpusFromServers'> {
    return this.#datasets.corpusFromServers(input);
  }

  async saveGolden(input: Input<'saveGolden'>): Answer<'saveGolden'> {
    return this.#datasets.saveGolden(input);
  }

  async exportFile(input: Input<'exportFile'>): Answer<'exportFile'> {
    return this.#datasets.exportFile(input);
  }

  async remove(input: Input<'remove'>): Answer<'remove'> {
    return this.#datasets.remove(input);
  }

  /** Undoes `remove`; called inside the transaction that takes the token. */
  restore(content: unknown): void {
    this.#datasets.restore(content);
  }

  /** Opens a retriever over tools that are not a dataset; the caller closes it. */
  open(spec: RetrieverSpec, corpus: Corpus, signal: AbortSignal): Promise<OpenRetriever> {
    return openRetriever(spec, corpus, this.#retrievers, signal);
  }

  async retrievers(): Answer<'retrievers'> {
    return [...offlineRankers.values()].map(({ id, title }) => ({ id, title }));
  }

  /** Ranks one query, to try out settings. The raw answer of a search tool is returned too. */
  async tryRetriever(
    { retriever, corpus: version, query }: Input<'tryRetriever'>,
    { signal }: CallOptions,
  ): Answer<'tryRetriever'> {
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
    { server, search, queries }: Input<'askSearchTool'>,
    { signal }: CallOptions,
  ): Answer<'askSearchTool'> {
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
    }: Input<'compare'>,
    { signal }: CallOptions,
  ): Answer<'compare'> {
    const corpus = this.#library.corpus(corpusVersion);
    const { golden, unlabeled } = this.#library.golden(goldenVersion, { lenient });
    requireSameCorpus(golden.corpusVersion, corpusVersion, goldenVersion);
    const reference = baseline === null ? null : this.#library.baseline(baseline);
    const gate =
      reference && baseline !== null
        ? { file: reference, version: baseline, tolerance: tolerance ?? reference.tolerance }
        : null;
    const known = this.#compared.get(golden) ?? new Map<string, RetrieverResult[]>();
    const question = JSON.stringify([retrievers, gate]);
    let results = known.get(question);
    if (results === undefined) {
      const ranked: RankedSet[] = [];
      for (const spec of retrievers)
        ranked.push(await this.#rankSet(spec, corpus, goldenVersion, signal));
      results = compareRetrievers(corpus, golden, ranked, gate);
      if (retrievers.every(({ kind }) => kind === 'offline'))
        this.#compared.set(golden, known.set(question, results));
    }
    return { corpusVersion, goldenVersion, queries: golden.queries, leftOut: unlabeled, results };
  }

  /** Ranks the golden set once more and saves the result as the next version of the baseline. */
  async saveBaseline(
    {
      corpus: corpusVersion,
      golden: goldenVersion,
      retriever,
      lenient,
      tolerance,
    }: Input<'saveBaseline'>,
    { signal }: CallOptions,
  ): Answer<'saveBaseline'> {
    const corpus = this.#library.corpus(corpusVersion);
    const { golden } = this.#library.golden(goldenVersion, { lenient });
    requireSameCorpus(golden.corpusVersion, corpusVersion, goldenVersion);
    const { id, rankings } = await this.#rankSet(retriever, corpus, goldenVersion, signal);
    const newest = this.#library.list('baseline').at(-1);
    const version = this.#library.nextVersion('baseline', newest?.version ?? 'baseline_v0');
    const security = newest && this.#library.baseline(newest.version).security;
    return this.#datasets.add(
      'baseline',
      version,
      JSON.stringify(
        toBaseline(scoreRankings(golden, corpusVersion, id, rankings), { tolerance, security }),
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
    if (!target) throw notFound('Server', name, 'Choose one from the list of servers.');
    return target;
  }
}

/** Labels only make sense over the corpus that they were made for. */
function requireSameCorpus(own: string, given: string, golden: string): void {
  if (own === given) return;
  throw new ServiceError('INVALID', {
    thing: `Golden set ${golden}`,
    cause: `It is labeled on corpus "${own}", not "${given}".`,
    nextStep: 'Choose that corpus.',
  });
}
