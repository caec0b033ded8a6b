import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { Store } from '../../store/store.ts';
import { canLimitMemory } from '../../adapters/process/launchUnderLimits.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import {
  assembleWorkshop,
  type WorkshopDependencies,
  type WorkshopComponents,
} from './assembleWorkshop.ts';
import { modelTool, modelTools } from './modelTools.ts';
import { proposeToolCases } from './proposeToolCases.ts';
import { registerWorkshop, type RegisterServer } from './registerWorkshop.ts';

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

  async list(query: Input<'workshop', 'list'>): Promise<Output<'workshop', 'list'>> {
    return this.#store.tools.search(query);
  }

  async tags(): Promise<Output<'workshop', 'tags'>> {
    return this.#store.tools.tags();
  }

  async get({ id }: Input<'workshop', 'get'>): Promise<Output<'workshop', 'get'>> {
    return this.#components.library.get(id);
  }

  async getByName({
    name,
  }: Input<'workshop', 'getByName'>): Promise<Output<'workshop', 'getByName'>> {
    return this.#components.library.getByName(name);
  }

  create(
    input: Input<'workshop', 'create'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'create'>> {
    return this.#components.library.create(input, signal);
  }

  save(
    input: Input<'workshop', 'save'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'save'>> {
    return this.#components.library.save(input, signal);
  }

  async setStatus(input: Input<'workshop', 'setStatus'>): Promise<Output<'workshop', 'setStatus'>> {
    return this.#components.library.setStatus(input);
  }

  async setCategory(
    input: Input<'workshop', 'setCategory'>,
  ): Promise<Output<'workshop', 'setCategory'>> {
    return this.#components.library.setCategory(input);
  }

  async remove({ id }: Input<'workshop', 'remove'>): Promise<Output<'workshop', 'remove'>> {
    return { what: `Tool ${this.#components.library.remove(id).content.name}` };
  }

  async undelete({ id }: Input<'workshop', 'undelete'>): Promise<Output<'workshop', 'undelete'>> {
    return this.#components.library.undelete(id);
  }

  async purge({ id }: Input<'workshop', 'purge'>): Promise<Output<'workshop', 'purge'>> {
    const { library, secrets } = this.#components;
    await secrets.removeAll(library.getDeleted(id));
    return { what: `Tool ${library.purge(id).content.name}` };
  }

  secrets({ id }: Input<'workshop', 'secrets'>): Promise<Output<'workshop', 'secrets'>> {
    const { library, secrets } = this.#components;
    return secrets.list(id === undefined ? null : library.get(id));
  }

  async setSecret({
    id,
    name,
    value,
  }: Input<'workshop', 'setSecret'>): Promise<Output<'workshop', 'setSecret'>> {
    return this.#components.secrets.set(this.#components.library.getLive(id), name, value);
  }

  async removeSecret({
    id,
    name,
  }: Input<'workshop', 'removeSecret'>): Promise<Output<'workshop', 'removeSecret'>> {
    return this.#components.secrets.remove(this.#components.library.get(id), name);
  }

  check(
    input: Input<'workshop', 'check'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'check'>> {
    return this.#components.library.check(input, signal);
  }

  async versions({ id }: Input<'workshop', 'versions'>): Promise<Output<'workshop', 'versions'>> {
    return this.#store.tools.versions.list(this.#components.library.get(id).id);
  }

  async version(input: Input<'workshop', 'version'>): Promise<Output<'workshop', 'version'>> {
    return this.#components.library.getVersion(input);
  }

  async restore(input: Input<'workshop', 'restore'>): Promise<Output<'workshop', 'restore'>> {
    return this.#components.library.restoreVersion(input);
  }

  async categories(): Promise<Output<'workshop', 'categories'>> {
    return this.#store.toolCategories.list();
  }

  async createCategory(
    input: Input<'workshop', 'createCategory'>,
  ): Promise<Output<'workshop', 'createCategory'>> {
    return this.#store.toolCategories.insert(input);
  }

  async updateCategory({
    id,
    ...input
  }: Input<'workshop', 'updateCategory'>): Promise<Output<'workshop', 'updateCategory'>> {
    return this.#components.library.changeCategory(() =>
      this.#store.toolCategories.update(id, input),
    );
  }

  async removeCategory({
    id,
  }: Input<'workshop', 'removeCategory'>): Promise<Output<'workshop', 'removeCategory'>> {
    const { name, ...moved } = this.#components.library.changeCategory(() =>
      this.#store.toolCategories.delete(id),
    );
    return { what: `Category ${name}`, ...moved };
  }

  async draft({ id }: Input<'workshop', 'draft'>): Promise<Output<'workshop', 'draft'>> {
    return this.#store.workshop.draft(id);
  }

  async drafts(): Promise<Output<'workshop', 'drafts'>> {
    return this.#store.workshop.drafts();
  }

  async keepDraft({
    id,
    draft,
    baseVersion,
  }: Input<'workshop', 'keepDraft'>): Promise<Output<'workshop', 'keepDraft'>> {
    if (id !== 'new') this.#components.library.get(id);
    return { updatedAt: this.#store.workshop.keepDraft(id, draft, baseVersion) };
  }

  async dropDraft({
    id,
  }: Input<'workshop', 'dropDraft'>): Promise<Output<'workshop', 'dropDraft'>> {
    this.#store.workshop.dropDraft(id);
    return {};
  }

  start(
    input: Input<'workshop', 'start'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'start'>> {
    return this.#components.executions.start(input, signal);
  }

  async startDraft(
    input: Input<'workshop', 'startDraft'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'startDraft'>> {
    if (input.toolId !== null) this.#components.library.getLive(input.toolId);
    await this.#components.library.requireValid(input.content, 'run', signal);
    return this.#components.executions.startDraft(input, signal);
  }

  wait(
    { id }: Input<'workshop', 'wait'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'wait'>> {
    return this.#components.executions.wait(id, signal);
  }

  execute(
    input: Input<'workshop', 'execute'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'execute'>> {
    return this.#components.executions.execute(input, signal);
  }

  cancel({ id }: Input<'workshop', 'cancel'>): Promise<Output<'workshop', 'cancel'>> {
    return this.#components.executions.cancel(id);
  }

  async execution({
    id,
  }: Input<'workshop', 'execution'>): Promise<Output<'workshop', 'execution'>> {
    return this.#components.executions.get(id);
  }

  async executions({
    filter,
    offset,
    limit,
  }: Input<'workshop', 'executions'>): Promise<Output<'workshop', 'executions'>> {
    return this.#store.toolExecutions.search(filter, { offset, limit });
  }

  async callers(): Promise<Output<'workshop', 'callers'>> {
    return this.#store.toolExecutions.callers();
  }

  async models(input: Input<'workshop', 'models'>): Promise<Output<'workshop', 'models'>> {
    return modelTools(this.#store, input);
  }

  async model(input: Input<'workshop', 'model'>): Promise<Output<'workshop', 'model'>> {
    return modelTool(this.#store, input);
  }

  watch(
    { afterRevision }: Input<'workshop', 'watch'>,
    { signal }: CallOptions,
  ): AsyncIterable<Output<'workshop', 'watch'>> {
    return this.#components.revisions.watch(afterRevision, signal);
  }

  async serving(): Promise<Output<'workshop', 'serving'>> {
    return this.#components.serving.state();
  }

  serve({ port }: Input<'workshop', 'serve'>): Promise<Output<'workshop', 'serve'>> {
    return this.#components.serving.start(port);
  }

  stopServing(): Promise<Output<'workshop', 'stopServing'>> {
    return this.#components.serving.stop();
  }

  clients(): Promise<Output<'workshop', 'clients'>> {
    return this.#components.clients.list();
  }

  addToClient({
    client,
    revision,
  }: Input<'workshop', 'addToClient'>): Promise<Output<'workshop', 'addToClient'>> {
    return this.#components.clients.add(client, revision);
  }

  undoClient({
    client,
  }: Input<'workshop', 'undoClient'>): Promise<Output<'workshop', 'undoClient'>> {
    return this.#components.clients.undo(client);
  }

  proposeCases(
    input: Input<'workshop', 'proposeCases'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'proposeCases'>> {
    return proposeToolCases(this.#store, input, this.#openChatModel, signal);
  }

  register(): Promise<Output<'workshop', 'register'>> {
    return registerWorkshop(this.#store, this.#register);
  }

  async export(input: Input<'workshop', 'export'>): Promise<Output<'workshop', 'export'>> {
    return this.#components.exchange.export(input);
  }

  previewImport(
    input: Input<'workshop', 'previewImport'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'previewImport'>> {
    return this.#components.exchange.preview(input, signal);
  }

  import(
    input: Input<'workshop', 'import'>,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'import'>> {
    return this.#components.exchange.import(input, signal);
  }

  async settings(): Promise<Output<'workshop', 'settings'>> {
    return this.#store.workshop.settings();
  }

  async updateSettings(
    change: Input<'workshop', 'updateSettings'>,
  ): Promise<Output<'workshop', 'updateSettings'>> {
    return this.#store.workshop.patchSettings(change);
  }

  async interpreter(
    _input: undefined,
    { signal }: CallOptions,
  ): Promise<Output<'workshop', 'interpreter'>> {
    const found = await this.#components.interpreters.find(signal);
    return found.found
      ? { found: true, command: found.command, version: found.version, reason: null }
      : { found: false, command: null, version: null, reason: found.reason };
  }

  async limits(): Promise<Output<'workshop', 'limits'>> {
    return { memory: await canLimitMemory() };
  }
}
