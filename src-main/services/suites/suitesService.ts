import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { suite as suiteSchema } from '../../../src-shared/domain/testCase.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import { findCaseProblems } from './caseProblems.ts';
import { Settler } from './settler.ts';
import { createCaseReader, readInPlace, type CaseReader } from './caseReader.ts';
import { findSuite } from './findSuite.ts';
import { knownSchemas } from './knownSchemas.ts';
import { makeProposals } from './proposals.ts';
import { SuiteCases } from './suiteCases.ts';
import { SuiteExchange } from './suiteExchange.ts';
import { SuiteTasks } from './suiteTasks.ts';
import { ownFirst } from '../../store/workspace/sampleMarks.ts';

type Topic = ServiceFor<'suites'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

/** What the trash has of a suite: its cases and tasks are hidden with it. */
const removedSuite = suiteSchema.pick({ id: true, name: true });

type SuiteReader = Pick<
  CaseReader,
  'read' | 'readLog' | 'readWorkbook' | 'joinAnswers' | 'progress'
>;

export interface SuitesParts {
  /** The store gives every suite and case its id and timestamps. */
  store: Store;
  /** If missing, texts are read on the main thread. */
  reader?: SuiteReader;
  /** If missing, cases are proposed by rules alone. */
  openChatModel?: OpenChatModel;
  /** If missing, the service has one of its own. */
  settler?: Settler;
}

/** Suites, their cases, and suite files. Every change is one transaction. */
export class SuitesService implements ServiceFor<'suites'> {
  readonly #store: Store;
  readonly #openChatModel: OpenChatModel | null;
  readonly #cases: SuiteCases;
  readonly #tasks: SuiteTasks;
  readonly #exchange: SuiteExchange;
  readonly #reader: SuiteReader;

  constructor({ store, reader, openChatModel, settler }: SuitesParts) {
    this.#store = store;
    this.#openChatModel = openChatModel ?? null;
    this.#cases = new SuiteCases(store);
    this.#tasks = new SuiteTasks(store);
    this.#reader = reader ?? {
      read: (input) => readInPlace(input, knownSchemas(store)),
      readLog: (source, fileName, signal) =>
        createCaseReader(store).readLog(source, fileName, signal),
      readWorkbook: async ({ bytes, sheet }) =>
        (await import('./exchange/workbook.ts')).readWorkbook(bytes, sheet),
      joinAnswers: async ({ answers, ...records }) =>
        (await import('./exchange/answersFile.ts')).joinAnswers(records, answers),
      progress: () => null,
    };
    this.#exchange = new SuiteExchange(store, this.#reader, settler ?? new Settler(store));
  }

  async list(): Answer<'list'> {
    return ownFirst(this.#store, 'suites', this.#store.suites.list());
  }

  async get({ id }: Input<'get'>): Answer<'get'> {
    return findSuite(this.#store, id);
  }

  async create(input: Input<'create'>): Answer<'create'> {
    return this.#store.suites.insert(input);
  }

  async update({ id, ...input }: Input<'update'>): Answer<'update'> {
    return this.#store.suites.update(id, input);
  }

  async remove({ id }: Input<'remove'>): Answer<'remove'> {
    const { suites, trash } = this.#store;
    return this.#store.transaction(() => {
      const { name } = suites.hide(id);
      const what = `Suite ${name}`;
      return { token: trash.put({ kind: 'suite', title: what, content: { id, name } }), what };
    });
  }

  /** Undoes `remove`. Call it inside the transaction that takes the token. */
  restoreSuite(content: unknown): void {
    this.#store.suites.restore(removedSuite.parse(content));
  }

  async cases({ suiteId }: Input<'cases'>): Answer<'cases'> {
    const { id } = findSuite(this.#store, suiteId);
    return this.#store.testCases.readBySuite(id, createYielder());
  }

  async tasks({ suiteId }: Input<'tasks'>): Answer<'tasks'> {
    return this.#store.tasks.listBySuite(findSuite(this.#store, suiteId).id);
  }

  async createCase(input: Input<'createCase'>): Answer<'createCase'> {
    return this.#cases.create(input);
  }

  async createCases(input: Input<'createCases'>): Answer<'createCases'> {
    return this.#cases.createMany(input);
  }

  async updateCase(input: Input<'updateCase'>): Answer<'updateCase'> {
    return this.#cases.update(input);
  }

  async removeCases(input: Input<'removeCases'>): Answer<'removeCases'> {
    return this.#cases.remove(input);
  }

  async editCases(input: Input<'editCases'>): Answer<'editCases'> {
    return this.#cases.edit(input);
  }

  async duplicateCases(input: Input<'duplicateCases'>): Answer<'duplicateCases'> {
    return this.#cases.duplicate(input);
  }

  /** Undoes `removeCases` and `editCases`. Call it inside the transaction that takes the token. */
  restoreCases(content: unknown): void {
    this.#cases.restore(content);
  }

  async createTask(input: Input<'createTask'>): Answer<'createTask'> {
    return this.#tasks.create(input);
  }

  async updateTask(input: Input<'updateTask'>): Answer<'updateTask'> {
    return this.#tasks.update(input);
  }

  async removeTasks(input: Input<'removeTasks'>): Answer<'removeTasks'> {
    return this.#tasks.remove(input);
  }

  async duplicateTasks(input: Input<'duplicateTasks'>): Answer<'duplicateTasks'> {
    return this.#tasks.duplicate(input);
  }

  /** Undoes `removeTasks`. Call it inside the transaction that takes the token. */
  restoreTasks(content: unknown): void {
    this.#tasks.restore(content);
  }

  async problems({ suiteId }: Input<'problems'>): Answer<'problems'> {
    const suite = findSuite(this.#store, suiteId);
    const cases = await this.#store.testCases.readBySuite(suiteId, createYielder());
    return findCaseProblems(this.#store, suite, cases, knownSchemas(this.#store));
  }

  async drafts({ suiteId }: Input<'drafts'>): Answer<'drafts'> {
    return this.#store.suiteDrafts.list(findSuite(this.#store, suiteId).id);
  }

  async saveDraft({ suiteId, key, content }: Input<'saveDraft'>): Answer<'saveDraft'> {
    if (content === null) this.#store.suiteDrafts.delete(suiteId, key);
    else this.#store.suiteDrafts.put(suiteId, key, content);
    return { kept: content !== null };
  }

  async proposeCases(
    { suiteId, servers, tools, kinds, model }: Input<'proposeCases'>,
    { signal }: CallOptions,
  ): Answer<'proposeCases'> {
    return makeProposals({
      store: this.#store,
      suite: findSuite(this.#store, suiteId),
      servers,
      only: tools,
      kinds,
      model,
      openChatModel: this.#openChatModel,
      signal,
    });
  }

  async proposeFromLog(
    { fileName, source, server, limit }: Input<'proposeFromLog'>,
    { signal }: CallOptions,
  ): Answer<'proposeFromLog'> {
    const log = await this.#reader.readLog(source, fileName, signal);
    const [{ knownCatalog }, { logProposals }] = await Promise.all([
      import('./knownCatalog.ts'),
      import('./logs/logProposals.ts'),
    ]);
    const catalog = knownCatalog(this.#store, knownSchemas(this.#store));
    return logProposals(log, { server: server ?? null, limit }, catalog, createYielder());
  }

  async acceptProposals(input: Input<'acceptProposals'>): Answer<'acceptProposals'> {
    return this.#cases.acceptProposals(input);
  }

  readWorkbook(input: Input<'readWorkbook'>, { signal }: CallOptions): Answer<'readWorkbook'> {
    return this.#exchange.readWorkbook(input, signal);
  }

  joinAnswers(input: Input<'joinAnswers'>, { signal }: CallOptions): Answer<'joinAnswers'> {
    return this.#exchange.joinAnswers(input, signal);
  }

  async importProgress(): Answer<'importProgress'> {
    return this.#exchange.progress();
  }

  previewImport(input: Input<'previewImport'>, { signal }: CallOptions): Answer<'previewImport'> {
    return this.#exchange.preview(input, signal);
  }

  import(input: Input<'import'>, { signal }: CallOptions): Answer<'import'> {
    return this.#exchange.import(input, signal);
  }

  export(input: Input<'export'>): Answer<'export'> {
    return this.#exchange.export(input);
  }
}
