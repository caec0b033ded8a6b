import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { Store } from '../../store/store.ts';
import { canLimitMemory } from '../../adapters/process/launchUnderLimits.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import {
  assembleWorkshop,
  type WorkshopDependencies,
  type WorkshopComponents,
} from './assembleWorkshop.ts';
import { modelTool, modelTools } from './modelTools.ts';
import { proposeToolCases } from './proposeToolCases.ts';
import { registerWorkshop, type RegisterServer } from './registerWorkshop.ts';

type Topic = ServiceFor<'workshop'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

export interface WorkshopParts extends WorkshopDependencies {
  register: RegisterServer;
  /** Opens the model that writes requests of proposed cases; null if none can be asked. */
  openChatModel: OpenChatModel | null;
}

/** Tools that users write: saved in versions, run, served, imported and exported. */
export class WorkshopService implements ServiceFor<'workshop'> {
  readonly #store: Store;
  readonly #components: WorkshopComponents;
  readonly #register: RegisterServer;
  readonly #openChatModel: OpenChatModel | null;

  constructor({ register, openChatModel, ...parts }: WorkshopParts) {
    this.#store = parts.store;
    this.#components = assembleWorkshop(parts);
    this.#register = register;
    this.#openChatModel = openChatModel;
  }

  /** Ends executions that a killed process left open. */
  recover(): void {
    this.#components.executions.recover();
  }

  async close(): Promise<void> {
    await this.#components.serving.stop();
    await this.#components.executions.close();
    this.#components.revisions.close();
    await this.#components.schemaChecker.close();
  }

  async list(query: Input<'list'>): Answer<'list'> {
    return this.#store.tools.search(query);
  }

  async tags(): Answer<'tags'> {
    return this.#store.tools.tags();
  }

  async get({ id }: Input<'get'>): Answer<'get'> {
    return this.#components.library.get(id);
  }

  async getByName({ name }: Input<'getByName'>): Answer<'getByName'> {
    return this.#components.library.getByName(name);
  }

  create(input: Input<'create'>, { signal }: CallOptions): Answer<'create'> {
    return this.#components.library.create(input, signal);
  }

  save(input: Input<'save'>, { signal }: CallOptions): Answer<'save'> {
    return this.#components.library.save(input, signal);
  }

  async setStatus(input: Input<'setStatus'>): Answer<'setStatus'> {
    return this.#components.library.setStatus(input);
  }

  async setCategory(input: Input<'setCategory'>): Answer<'setCategory'> {
    return this.#components.library.setCategory(input);
  }

  async remove({ id }: Input<'remove'>): Answer<'remove'> {
    return { what: `Tool ${this.#components.library.remove(id).content.name}` };
  }

  async undelete({ id }: Input<'undelete'>): Answer<'undelete'> {
    return this.#components.library.undelete(id);
  }

  async purge({ id }: Input<'purge'>): Answer<'purge'> {
    const { library, secrets } = this.#components;
    await secrets.removeAll(library.getDeleted(id));
    return { what: `Tool ${library.purge(id).content.name}` };
  }

  secrets({ id }: Input<'secrets'>): Answer<'secrets'> {
    const { library, secrets } = this.#components;
    return secrets.list(id === undefined ? null : library.get(id));
  }

  async setSecret({ id, name, value }: Input<'setSecret'>): Answer<'setSecret'> {
    return this.#components.secrets.set(this.#components.library.getLive(id), name, value);
  }

  async removeSecret({ id, name }: Input<'removeSecret'>): Answer<'removeSecret'> {
    return this.#components.secrets.remove(this.#components.library.get(id), name);
  }

  check(input: Input<'check'>, { signal }: CallOptions): Answer<'check'> {
    return this.#components.library.check(input, signal);
  }

  async versions({ id }: Input<'versions'>): Answer<'versions'> {
    return this.#store.tools.versions.list(this.#components.library.get(id).id);
  }

  async version(input: Input<'version'>): Answer<'version'> {
    return this.#components.library.getVersion(input);
  }

  async restore(input: Input<'restore'>): Answer<'restore'> {
    return this.#components.library.restoreVersion(input);
  }

  async categories(): Answer<'categories'> {
    return this.#store.toolCategories.list();
  }

  async createCategory(input: Input<'createCategory'>): Answer<'createCategory'> {
    return this.#store.toolCategories.insert(input);
  }

  async updateCategory({ id, ...input }: Input<'updateCategory'>): Answer<'updateCategory'> {
    return this.#components.library.changeCategory(() =>
      this.#store.toolCategories.update(id, input),
    );
  }

  async removeCategory({ id }: Input<'removeCategory'>): Answer<'removeCategory'> {
    const { name, ...moved } = this.#components.library.changeCategory(() =>
      this.#store.toolCategories.delete(id),
    );
    return { what: `Category ${name}`, ...moved };
  }

  async draft({ id }: Input<'draft'>): Answer<'draft'> {
    return this.#store.workshop.draft(id);
  }

  async drafts(): Answer<'drafts'> {
    return this.#store.workshop.drafts();
  }

  async keepDraft({ id, draft, baseVersion }: Input<'keepDraft'>): Answer<'keepDraft'> {
    if (id !== 'new') this.#components.library.get(id);
    return { updatedAt: this.#store.workshop.keepDraft(id, draft, baseVersion) };
  }

  async dropDraft({ id }: Input<'dropDraft'>): Answer<'dropDraft'> {
    this.#store.workshop.dropDraft(id);
    return {};
  }

  start(input: Input<'start'>, { signal }: CallOptions): Answer<'start'> {
    return this.#components.executions.start(input, signal);
  }

  async startDraft(input: Input<'startDraft'>, { signal }: CallOptions): Answer<'startDraft'> {
    if (input.toolId !== null) this.#components.library.getLive(input.toolId);
    await this.#components.library.requireValid(input.content, 'run', signal);
    return this.#components.executions.startDraft(input, signal);
  }

  wait({ id }: Input<'wait'>, { signal }: CallOptions): Answer<'wait'> {
    return this.#components.executions.wait(id, signal);
  }

  execute(input: Input<'execute'>, { signal }: CallOptions): Answer<'execute'> {
    return this.#components.executions.execute(input, signal);
  }

  cancel({ id }: Input<'cancel'>): Answer<'cancel'> {
    return this.#components.executions.cancel(id);
  }

  async execution({ id }: Input<'execution'>): Answer<'execution'> {
    return this.#components.executions.get(id);
  }

  async executions({ filter, offset, limit }: Input<'executions'>): Answer<'executions'> {
    return this.#store.toolExecutions.search(filter, { offset, limit });
  }

  async callers(): Answer<'callers'> {
    return this.#store.toolExecutions.callers();
  }

  async models(input: Input<'models'>): Answer<'models'> {
    return modelTools(this.#store, input);
  }

  async model(input: Input<'model'>): Answer<'model'> {
    return modelTool(this.#store, input);
  }

  watch({ afterRevision }: Input<'watch'>, { signal }: CallOptions): Answer<'watch'> {
    return this.#components.revisions.watch(afterRevision, signal);
  }

  async serving(): Answer<'serving'> {
    return this.#components.serving.state();
  }

  serve({ port }: Input<'serve'>): Answer<'serve'> {
    return this.#components.serving.start(port);
  }

  stopServing(): Answer<'stopServing'> {
    return this.#components.serving.stop();
  }

  clients(): Answer<'clients'> {
    return this.#components.clients.list();
  }

  addToClient({ client, revision }: Input<'addToClient'>): Answer<'addToClient'> {
    return this.#components.clients.add(client, revision);
  }

  undoClient({ client }: Input<'undoClient'>): Answer<'undoClient'> {
    return this.#components.clients.undo(client);
  }

  proposeCases(input: Input<'proposeCases'>, { signal }: CallOptions): Answer<'proposeCases'> {
    return proposeToolCases(this.#store, input, this.#openChatModel, signal);
  }

  register(): Answer<'register'> {
    return registerWorkshop(this.#store, this.#register);
  }

  async export(input: Input<'export'>): Answer<'export'> {
    return this.#components.exchange.export(input);
  }

  previewImport(input: Input<'previewImport'>, { signal }: CallOptions): Answer<'previewImport'> {
    return this.#components.exchange.preview(input, signal);
  }

  import(input: Input<'import'>, { signal }: CallOptions): Answer<'import'> {
    return this.#components.exchange.import(input, signal);
  }

  async settings(): Answer<'settings'> {
    return this.#store.workshop.settings();
  }

  async updateSettings(change: Input<'updateSettings'>): Answer<'updateSettings'> {
    return this.#store.workshop.patchSettings(change);
  }

  async interpreter(_input: undefined, { signal }: CallOptions): Answer<'interpreter'> {
    const found = await this.#components.interpreters.find(signal);
    return found.found
      ? { found: true, command: found.command, version: found.version, reason: null }
      : { found: false, command: null, version: null, reason: found.reason };
  }

  async limits(): Answer<'limits'> {
    return { memory: await canLimitMemory() };
  }
}
