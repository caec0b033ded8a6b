import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readShipped } from '../../runtime/shippedFile.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { BaselineFile, Corpus, GoldenSet } from '../../../src-shared/domain/retrieval.ts';
import type { DatasetKind } from '../../store/labs/datasets.ts';
import type { Store } from '../../store/store.ts';
import { readBaseline, readCorpus, readGolden, type ReadGolden } from './datasetFiles.ts';

/** A dataset with its text; `createdAt` is null for bundled ones. */
export interface Dataset {
  kind: DatasetKind;
  version: string;
  text: string;
  origin: string;
  bundled: boolean;
  createdAt: string | null;
}

const bundledNames: Record<DatasetKind, RegExp> = {
  corpus: /^corpus_v\d+\.json$/,
  golden: /^retrieval_golden_v\d+\.json$/,
  baseline: /^baseline_v\d+\.json$/,
};

/**
 * The bundled datasets and those of the workspace, by kind and version. Each is parsed once,
 * because a version never changes.
 */
export class DatasetLibrary {
  readonly #store: Store;
  readonly #folder: string;
  readonly #corpora = new Map<string, Corpus>();
  readonly #golden = new Map<string, ReadGolden>();

  constructor(store: Store, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  list(kind: DatasetKind): Dataset[] {
    const bundled = existsSync(this.#folder)
      ? readdirSync(this.#folder)
          .filter((name) => bundledNames[kind].test(name))
          .sort()
      : [];
    return [
      ...bundled.map((name) => this.#bundled(kind, name.replace(/\.json$/, ''))),
      ...this.#store.datasets.list(kind).map((row) => ({
        kind,
        version: row.version,
        text: row.content,
        origin: row.origin,
        bundled: false,
        createdAt: row.createdAt,
      })),
    ];
  }

  /** Throws NOT_FOUND when there is no such version. */
  get(kind: DatasetKind, version: string): Dataset {
    if (
      bundledNames[kind].test(`${version}.json`) &&
      existsSync(join(this.#folder, `${version}.json`))
    )
      return this.#bundled(kind, version);
    const row = this.#store.datasets.get(kind, version);
    if (row)
      return {
        kind,
        version,
        text: row.content,
        origin: row.origin,
        bundled: false,
        createdAt: row.createdAt,
      };
    throw new ServiceError('NOT_FOUND', {
      thing: `${kindTitles[kind]} ${version}`,
      cause: "This version doesn't exist.",
      nextStep: 'Import it, or choose another one.',
    });
  }

  has(kind: DatasetKind, version: string): boolean {
    return this.list(kind).some((dataset) => dataset.version === version);
  }

  corpus(version: string): Corpus {
    let corpus = this.#corpora.get(version);
    if (!corpus)
      this.#corpora.set(
        version,
        (corpus = readCorpus(this.get('corpus', version).text, `${version}.json`)),
      );
    return corpus;
  }

  /**
   * Reads a golden set over its corpus. Throws INVALID when it has unlabeled queries, unless
   * `lenient`.
   */
  golden(version: string, { lenient = true } = {}): ReadGolden {
    let read = this.#golden.get(version);
    if (!read) {
      const { text } = this.get('golden', version);
      const { corpus_version } = z.object({ corpus_version: z.string() }).parse(JSON.parse(text));
      this.#golden.set(
        version,
        (read = readGolden(text, `${version}.json`, this.corpus(corpus_version), {
          lenient: true,
        })),
      );
    }
    if (!lenient && read.unlabeled.length > 0) rejectUnlabeled(read.golden, read.unlabeled);
    return read;
  }

  baseline(version: string): BaselineFile {
    return readBaseline(this.get('baseline', version).text, `${version}.json`);
  }

  /** Adds a dataset. Throws CONFLICT when the version exists. */
  add(dataset: {
    kind: DatasetKind;
    version: string;
    text: string;
    origin: string;
    createdAt: string;
  }): Dataset {
    if (this.has(dataset.kind, dataset.version)) {
      throw new ServiceError('CONFLICT', {
        thing: `${kindTitles[dataset.kind]} ${dataset.version}`,
        cause: 'This version already exists, and versions never change.',
        nextStep: 'Use the next version number.',
      });
    }
    const { text, ...row } = dataset;
    this.#store.datasets.insert({ ...row, content: text });
    return { ...dataset, bundled: false };
  }

  evict(kind: DatasetKind, version: string): void {
    if (kind === 'corpus') this.#corpora.delete(version);
    // Golden sets are parsed over a corpus, so they are dropped too.
    this.#golden.clear();
  }

  /** `retrieval_golden_v1` → `retrieval_golden_v2`, or the next free version. */
  nextVersion(kind: DatasetKind, version: string): string {
    const [, stem = version, number = '1'] = /^(.*)_v(\d+)$/.exec(version) ?? [];
    const taken = new Set(this.list(kind).map((dataset) => dataset.version));
    let next = Number(number) + 1;
    while (taken.has(`${stem}_v${next}`)) next += 1;
    return `${stem}_v${next}`;
  }

  /**
   * Throws INVALID when the file was changed after shipping: its version would no longer identify
   * its content.
   */
  #bundled(kind: DatasetKind, version: string): Dataset {
    const file = readShipped(this.#folder, `${version}.json`);
    if (file === null) {
      throw new ServiceError('INVALID', {
        thing: `${kindTitles[kind]} ${version}`,
        cause: 'The built-in file was changed, so its version now refers to something else.',
        nextStep: 'Reinstall Touchstone, or import your file with its own version.',
      });
    }
    return {
      kind,
      version,
      text: file.toString('utf8'),
      origin: 'built in',
      bundled: true,
      createdAt: null,
    };
  }
}

export const kindTitles: Record<DatasetKind, string> = {
  corpus: 'Corpus',
  golden: 'Golden set',
  baseline: 'Baseline',
};

function rejectUnlabeled(golden: GoldenSet, unlabeled: readonly string[]): never {
  throw new ServiceError('INVALID', {
    thing: `Golden set ${golden.version}`,
    cause:
      `${unlabeled.length} of its queries have no tool labeled 1 or 2; the first is ` +
      `${unlabeled[0] ?? ''}.`,
    nextStep: 'Label them, or use lenient mode to skip them.',
  });
}
