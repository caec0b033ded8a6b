import { z } from 'zod';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { isHardNegative } from '../../../src-shared/domain/retrieval.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { storedTools } from '../servers/storedTools.ts';
import { readBaseline, readCorpus, readGolden } from './datasetFiles.ts';
import { kindTitles, type Dataset, type DatasetLibrary } from './datasetLibrary.ts';

const deletedDataset = z.object({
  kind: z.enum(['corpus', 'golden', 'baseline']),
  version: z.string(),
  content: z.string(),
  origin: z.string(),
  createdAt: z.string(),
});

/** Corpora, golden sets and baselines: listed, imported, created, exported and removed. */
export class RetrievalDatasets {
  readonly #store: Store;
  readonly #library: DatasetLibrary;
  readonly #clock: Clock;

  constructor(store: Store, library: DatasetLibrary, clock: Clock) {
    this.#store = store;
    this.#library = library;
    this.#clock = clock;
  }

  /** All datasets with their sizes, bundled ones first. */
  overview(): Output<'retrieval', 'datasets'> {
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
        const { golden, unlabeled, warnings } = this.#library.golden(dataset.version);
        return {
          ...toEntry(dataset),
          corpusVersion: golden.corpusVersion,
          queries: golden.queries.length,
          hardNegatives: golden.queries.filter(isHardNegative).length,
          unlabeled: unlabeled.length,
          warnings: warnings.length,
        };
      }),
      baselines: this.#library.list('baseline').map((dataset) => ({
        ...toEntry(dataset),
        baseline: this.#library.baseline(dataset.version),
      })),
    };
  }

  corpus(version: string): Output<'retrieval', 'corpus'> {
    return {
      version,
      tools: this.#library
        .corpus(version)
        .tools.map(({ tool_id, description }) => ({ toolId: tool_id, description })),
    };
  }

  golden(version: string): Output<'retrieval', 'golden'> {
    const { golden, warnings } = this.#library.golden(version);
    return { version, corpusVersion: golden.corpusVersion, queries: golden.queries, warnings };
  }

  /**
   * Imports a file under the version it names. Throws INVALID with file and line, CONFLICT when the
   * version exists.
   */
  importFile({
    kind,
    fileName,
    text,
    lenient,
  }: Input<'retrieval', 'importFile'>): Output<'retrieval', 'importFile'> {
    const version = this.#validate(kind, text, fileName, lenient);
    return this.add(kind, version, text, `imported from ${fileName}`);
  }

  /**
   * Makes a corpus of the latest listings of servers, so that a golden set can be labeled over
   * real tools.
   */
  corpusFromServers({
    servers,
    version,
  }: Input<'retrieval', 'corpusFromServers'>): Output<'retrieval', 'corpusFromServers'> {
    const store = this.#store;
    const tools = servers.flatMap((name) => {
      const server = store.servers.list().find((each) => each.name === name);
      const stored = server && storedTools(store, server.id);
      if (!stored)
        throw new ServiceError('INVALID', {
          thing: `Server ${name}`,
          cause: 'Its tools have never been listed.',
          nextStep: 'Connect to the server first.',
        });
      return stored.snapshot.tools.map((tool) => ({
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
    return this.add('corpus', version, text, `tools of ${servers.join(', ')}`);
  }

  /**
   * Saves labels as the next version of the golden set they are based on: versions never change.
   */
  saveGolden({
    basedOn,
    corpusVersion,
    queries,
    lenient,
  }: Input<'retrieval', 'saveGolden'>): Output<'retrieval', 'saveGolden'> {
    const version = this.#library.has('golden', basedOn)
      ? this.#library.nextVersion('golden', basedOn)
      : basedOn;
    const text = JSON.stringify(
      { version, corpus_version: corpusVersion, generated_from: { source: basedOn }, queries },
      null,
      1,
    );
    readGolden(text, version, this.#library.corpus(corpusVersion), { lenient });
    return this.add('golden', version, text, `made from ${basedOn}`);
  }

  exportFile({
    kind,
    version,
  }: Input<'retrieval', 'exportFile'>): Output<'retrieval', 'exportFile'> {
    return {
      fileName: `${version.replace(/[^\w.-]+/g, '_').slice(0, 100)}.json`,
      text: this.#library.get(kind, version).text,
    };
  }

  /**
   * Deletes a dataset of the workspace; bundled ones can't be deleted. Returns a token to undo it.
   */
  remove({ kind, version }: Input<'retrieval', 'remove'>): Output<'retrieval', 'remove'> {
    const store = this.#store;
    const dataset = this.#library.get(kind, version);
    if (dataset.bundled)
      throw new ServiceError('INVALID', {
        thing: `${kindTitles[kind]} ${version}`,
        cause: 'It is built in.',
        nextStep: 'Only your own versions can be deleted.',
      });
    if (kind === 'corpus') {
      const using = this.#library
        .list('golden')
        .find((golden) => this.#library.golden(golden.version).golden.corpusVersion === version);
      if (using)
        throw new ServiceError('CONFLICT', {
          thing: `Corpus ${version}`,
          cause: `Golden set ${using.version} is labeled on it.`,
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
    this.#store.datasets.insert(deletedDataset.parse(content));
  }

  add(kind: Dataset['kind'], version: string, text: string, origin: string) {
    return toEntry(
      this.#library.add({ kind, version, text, origin, createdAt: this.#clock.now() }),
    );
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
}

const toEntry = ({ version, origin, bundled, createdAt }: Dataset) => ({
  version,
  origin,
  bundled,
  createdAt,
});

function parseOrNull(text: string): unknown {
  return orElse((): unknown => JSON.parse(text), null);
}
