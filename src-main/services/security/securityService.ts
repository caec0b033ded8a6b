import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providerTable, type Provider } from '../../../src-shared/domain/provider.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import { safeFileName } from '../files/safeFileName.ts';
import { Corpora, isPrivate, serializeCorpus, toOverview } from './corpora.ts';
import { Examiner } from './examiner.ts';
import { readDetectionBaseline } from './gate.ts';
import { judgeWithModel } from './modelJudge.ts';
import { halfOf, readCorpus, readEntry } from './readCorpus.ts';
import { allFindings } from './scannedTools.ts';
import { scoreCorpus } from './scoreCorpus.ts';
import { ToolScans } from './toolScans.ts';
import { readVerdicts } from './verdicts.ts';

type Topic = ServiceFor<'security'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface SecurityParts {
  store: Store;
  openChatModel: OpenChatModel;
  datasetsFolder: string;
}

/**
 * Tool security: labeled corpora, detectors measured on them, scans, and findings marked as safe.
 */
export class SecurityService implements ServiceFor<'security'> {
  readonly #parts: SecurityParts;
  readonly #corpora: Corpora;
  readonly #examiner = new Examiner();
  readonly #scans: ToolScans;

  constructor(parts: SecurityParts) {
    this.#parts = parts;
    this.#corpora = new Corpora(parts.store, parts.datasetsFolder);
    this.#scans = new ToolScans(parts.store, this.#examiner);
  }

  close(): Promise<void> {
    return this.#examiner.close();
  }

  async corpora(): Answer<'corpora'> {
    return (await this.#corpora.all()).map(toOverview);
  }

  async corpus({ id }: Input<'corpus'>): Answer<'corpus'> {
    const corpus = await this.#corpora.get(id);
    return {
      ...toOverview(corpus),
      content: corpus.entries.map((entry) => ({ ...entry, half: halfOf(entry.id) })),
    };
  }

  async copyCorpus({ id, name }: Input<'copyCorpus'>): Answer<'copyCorpus'> {
    const { version, entries } = await this.#corpora.get(id);
    return toOverview(this.#corpora.add(name, version, entries));
  }

  async importCorpus({
    name,
    content,
    private: anyLicense,
  }: Input<'importCorpus'>): Answer<'importCorpus'> {
    const { version, entries } = readCorpus(content, name, { private: anyLicense });
    return toOverview(this.#corpora.add(name, version, entries));
  }

  async exportCorpus({ id }: Input<'exportCorpus'>): Answer<'exportCorpus'> {
    const corpus = await this.#corpora.get(id);
    if (isPrivate(corpus.entries))
      throw new ServiceError('INVALID', {
        thing: `The corpus ${corpus.name}`,
        cause: "It is private: the license of an entry doesn't allow passing its text on.",
        nextStep: 'Delete those entries in a copy, then export the copy.',
      });
    return { fileName: safeFileName(corpus.name, '.json'), content: serializeCorpus(corpus) };
  }

  async removeCorpus({ id }: Input<'removeCorpus'>): Answer<'removeCorpus'> {
    const corpus = await this.#corpora.getEditable(id);
    this.#parts.store.security.removeCorpus(id);
    return {
      name: corpus.name,
      content: serializeCorpus(corpus),
      private: isPrivate(corpus.entries),
    };
  }

  async saveEntry({ corpusId, entry, isNew }: Input<'saveEntry'>): Answer<'saveEntry'> {
    const corpus = await this.#corpora.getEditable(corpusId);
    const read = readEntry(entry, corpus.entries.length, corpus.name, {
      private: isPrivate(corpus.entries),
    });
    const known = corpus.entries.some(({ id }) => id === read.id);
    if (isNew && known)
      throw new ServiceError('CONFLICT', {
        thing: `Entry ${read.id} of ${corpus.name}`,
        cause: 'Another entry has this ID.',
        nextStep: 'Give it a unique ID.',
        field: 'id',
      });
    this.#parts.store.security.putEntry(corpusId, read);
    return read;
  }

  async deleteEntry({ corpusId, id }: Input<'deleteEntry'>): Answer<'deleteEntry'> {
    const corpus = await this.#corpora.getEditable(corpusId);
    const entry = corpus.entries.find((each) => each.id === id);
    this.#parts.store.security.deleteEntry(corpusId, id);
    if (!entry) throw new Error(`The entry ${id} to delete doesn't exist.`);
    return entry;
  }

  async baselines(): Answer<'baselines'> {
    // The file of all gates first; before version 4, detectors had a file of their own.
    const files = (await readdir(this.#parts.datasetsFolder))
      .filter((name) => /^(?:baseline_v(?:[4-9]|\d\d+)|security_baseline_v\d+)\.json$/.test(name))
      .sort((a, b) => Number(a < b) - Number(a > b))
      .sort((a, b) => Number(a.startsWith('security')) - Number(b.startsWith('security')));
    return Promise.all(
      files.map(async (fileName) => {
        const content = await readFile(join(this.#parts.datasetsFolder, fileName), 'utf8');
        return { fileName, baseline: readDetectionBaseline(content, fileName) };
      }),
    );
  }

  async readBaseline({ fileName, content }: Input<'readBaseline'>): Answer<'readBaseline'> {
    return readDetectionBaseline(content, fileName);
  }

  async score(
    { corpusId, half, detectors, judge }: Input<'score'>,
    { signal }: CallOptions,
  ): Answer<'score'> {
    const corpus = await this.#corpora.get(corpusId);
    const common = { corpus, half, signal, ...(detectors ? { detectors } : {}) };
    if (!judge) return scoreCorpus(this.#examiner, common);
    requireModel(judge.model.provider);
    const model = await this.#parts.openChatModel(
      judge.model,
      judge.recordFile === null ? {} : { recordFile: judge.recordFile },
    );
    try {
      return await scoreCorpus(this.#examiner, {
        ...common,
        judge: (entries) => judgeWithModel(entries, { model, runs: judge.runs, signal }),
      });
    } finally {
      await model.close();
    }
  }

  async scoreVerdicts(
    { corpusId, half, name, content }: Input<'scoreVerdicts'>,
    { signal }: CallOptions,
  ): Answer<'scoreVerdicts'> {
    const corpus = await this.#corpora.get(corpusId);
    return scoreCorpus(this.#examiner, {
      corpus,
      half,
      externalVerdicts: readVerdicts(content, name, corpus),
      signal,
    });
  }

  async scan({ serverIds }: Input<'scan'>, { signal }: CallOptions): Answer<'scan'> {
    return this.#scans.scan(serverIds, signal);
  }

  toolFindings(input: Input<'toolFindings'>, { signal }: CallOptions): Answer<'toolFindings'> {
    return this.#scans.findings(input, signal);
  }

  scanFile(input: Input<'scanFile'>, { signal }: CallOptions): Answer<'scanFile'> {
    return this.#scans.scanFile(input, signal);
  }

  async accept(
    { serverId, fingerprints, reason }: Input<'accept'>,
    { signal }: CallOptions,
  ): Answer<'accept'> {
    const wanted = new Set(fingerprints);
    const found = allFindings((await this.#scans.scan([serverId], signal)).tools).filter((each) =>
      wanted.has(each.fingerprint),
    );
    if (new Set(found.map(({ fingerprint }) => fingerprint)).size < wanted.size)
      throw new ServiceError('NOT_FOUND', {
        thing: 'The signal',
        cause: 'The server no longer has it: a tool or the instructions changed.',
        nextStep: 'Scan again.',
      });
    const accepted = this.#parts.store.security.accept(found, reason);
    return found.map((each) => ({ ...each, accepted }));
  }

  async withdraw({ fingerprints }: Input<'withdraw'>): Answer<'withdraw'> {
    return {
      withdrawn: this.#parts.store.security.withdraw(fingerprints),
    };
  }
}

/** The built-in rules choose tools; they cannot judge a text. */
function requireModel(provider: Provider): void {
  if (providerTable[provider].kind === 'local')
    throw new ServiceError('INVALID', {
      thing: 'The model as judge',
      cause: `${provider} isn't a model, so it can't judge.`,
      nextStep: 'Choose a provider with a model, or score without it.',
      field: 'judge',
    });
}
