import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { allowsRedistribution } from '../../../src-shared/domain/licenses.ts';
import type {
  CorpusEntry,
  CorpusOverview,
  SecurityCorpus,
} from '../../../src-shared/domain/security.ts';
import type { Store } from '../../store/store.ts';
import { corpusWarnings } from './corpusWarnings.ts';
import { readCorpus } from './readCorpus.ts';
import { notFound } from '../../store/database/table.ts';

export interface NamedCorpus extends SecurityCorpus {
  id: string;
  name: string;
  builtIn: boolean;
}

/** Corpora that come with the program. Each is a file in the datasets folder and never changes. */
const builtInCorpora = [
  {
    id: 'builtin:security_corpus_v1',
    name: 'Touchstone security corpus v1',
    file: 'security_corpus_v1.json',
  },
] as const;

/** The built-in corpora and those of the workspace behind one interface. */
export class Corpora {
  readonly #store: Store;
  readonly #folder: string;
  readonly #read = new Map<string, SecurityCorpus>();

  constructor(store: Store, datasetsFolder: string) {
    this.#store = store;
    this.#folder = datasetsFolder;
  }

  async all(): Promise<NamedCorpus[]> {
    const builtIn = await Promise.all(builtInCorpora.map(({ id }) => this.get(id)));
    return [
      ...builtIn,
      ...this.#store.security
        .corpora()
        .map((row) => ({ ...row, builtIn: false, entries: this.#store.security.entries(row.id) })),
    ];
  }

  async get(id: string): Promise<NamedCorpus> {
    const file = builtInCorpora.find((each) => each.id === id);
    if (file) {
      const known =
        this.#read.get(id) ??
        readCorpus(await readFile(join(this.#folder, file.file), 'utf8'), file.file);
      this.#read.set(id, known);
      return { ...known, id, name: file.name, builtIn: true };
    }
    const row = this.#store.security.corpora().find((each) => each.id === id);
    if (!row) throw notFound('Corpus', id, 'Choose one from the list of corpora.');
    return { ...row, builtIn: false, entries: this.#store.security.entries(id) };
  }

  async getEditable(id: string): Promise<NamedCorpus> {
    const corpus = await this.get(id);
    if (corpus.builtIn)
      throw new ServiceError('INVALID', {
        thing: corpus.name,
        cause: 'A built-in corpus never changes, so that numbers stay comparable.',
        nextStep: 'Copy it and edit the copy.',
      });
    return corpus;
  }

  add(name: string, version: string, entries: readonly CorpusEntry[]): NamedCorpus {
    const row = this.#store.security.addCorpus({ name, version, entries });
    return { ...row, builtIn: false, entries: [...entries] };
  }
}

export function toOverview({ id, name, version, builtIn, entries }: NamedCorpus): CorpusOverview {
  const count = (matches: (entry: CorpusEntry) => boolean) => entries.filter(matches).length;
  return {
    id,
    name,
    version,
    builtIn,
    private: isPrivate(entries),
    entries: entries.length,
    malicious: count(({ label }) => label === 'malicious'),
    hardNegatives: count(({ category }) => category === 'hard_negative'),
    warnings: corpusWarnings(entries),
  };
}

/** A private corpus has an entry that must not be passed on. */
export const isPrivate = (entries: readonly CorpusEntry[]): boolean =>
  entries.some(({ provenance }) => !allowsRedistribution(provenance.license));

export const serializeCorpus = ({ version, entries }: SecurityCorpus): string =>
  `{"version":${JSON.stringify(version)},"entries":[\n${entries.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]}\n`;
