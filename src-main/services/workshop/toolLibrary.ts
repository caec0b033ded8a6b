import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  statusTransitions,
  type ManagedTool,
  type ToolContent,
} from '../../../src-shared/domain/workshop.ts';
import { notFound } from '../../store/database/table.ts';
import type { Store } from '../../store/store.ts';
import type { ToolVersion } from '../../../src-shared/domain/workshop.ts';
import type { Input, Output } from '../contractTypes.ts';
import { checkContent, type ContentChecks } from './checkContent.ts';
import { readDraft } from './readDraft.ts';
import type { Revisions } from './revisions.ts';

export interface LibraryParts {
  store: Store;
  revisions: Revisions;
  checks: ContentChecks;
}

/**
 * The tools of the workshop and their versions. Every change is one transaction. A change of the
 * served tools is announced after the commit.
 */
export class ToolLibrary {
  readonly #store: Store;
  readonly #revisions: Revisions;
  readonly #checks: ContentChecks;

  constructor({ store, revisions, checks }: LibraryParts) {
    this.#store = store;
    this.#revisions = revisions;
    this.#checks = checks;
  }

  get(id: string): ManagedTool {
    const found = this.#store.tools.get(id);
    if (found === null) throw notFound('Tool', id);
    return found;
  }

  getByName(name: string): ManagedTool {
    const found = this.#store.tools.getByName(name);
    if (found === null) throw notFound('Tool', name);
    return found;
  }

  /** Throws CONFLICT if the tool is deleted. */
  getLive(id: string): ManagedTool {
    const found = this.get(id);
    if (found.deletedAt === null) return found;
    throw new ServiceError('CONFLICT', {
      thing: `The tool ${found.content.name}`,
      cause: 'It is deleted.',
      nextStep: 'Restore it first.',
    });
  }

  async create(
    { content, categoryId, changelog }: Input<'workshop', 'create'>,
    signal: AbortSignal,
  ): Promise<ManagedTool> {
    this.#requireFreeName(content, null);
    await this.requireValid(content, 'save', signal);
    return this.insert(content, categoryId, changelog, 'dropped');
  }

  /** Adds a tool that has already been checked. */
  insert(
    content: ToolContent,
    categoryId: string | null,
    changelog: string,
    draft: 'dropped' | 'kept',
  ): ManagedTool {
    return this.#change(null, () => {
      const created = this.#store.tools.insert(content, categoryId, changelog);
      if (draft === 'dropped') this.#store.workshop.dropDraft('new');
      return created;
    });
  }

  async save(
    { id, content, changelog, baseVersion }: Input<'workshop', 'save'>,
    signal: AbortSignal,
  ): Promise<ManagedTool> {
    requireBase(this.getLive(id), baseVersion);
    this.#requireFreeName(content, id);
    await this.requireValid(content, 'save', signal);
    // Checked again: another window may have saved while the content was checked.
    requireBase(this.getLive(id), baseVersion);
    return this.saveVersion(id, content, changelog, 'dropped');
  }

  /**
   * Saves content that has already been checked. An import keeps the draft in the editor, which
   * then shows both.
   */
  saveVersion(
    id: string,
    content: ToolContent,
    changelog: string,
    draft: 'dropped' | 'kept',
  ): ManagedTool {
    const before = this.getLive(id);
    this.#requireFreeName(content, id);
    return this.#change(before, () => {
      const saved = this.#store.tools.save(id, content, changelog);
      if (draft === 'dropped') this.#store.workshop.dropDraft(id);
      return saved;
    });
  }

  setStatus({ id, status }: Input<'workshop', 'setStatus'>): ManagedTool {
    const tool = this.getLive(id);
    if (!statusTransitions[tool.status].includes(status)) {
      const allowed = statusTransitions[tool.status].join(' or ');
      throw new ServiceError('INVALID', {
        thing: `The tool ${tool.content.name}`,
        cause: `It is ${tool.status} and can't become ${status}.`,
        nextStep: `From ${tool.status} it can become ${allowed}.`,
        field: 'status',
      });
    }
    return this.#change(tool, () => this.#store.tools.setStatus(id, status));
  }

  setCategory({ id, categoryId }: Input<'workshop', 'setCategory'>): ManagedTool {
    return this.#change(this.getLive(id), () => this.#store.tools.setCategory(id, categoryId));
  }

  /** Clients see the categories of served tools. */
  changeCategory<T>(work: () => T): T {
    const changed = this.#store.transaction(() => {
      // Asked before: those of a deleted category may have none afterwards.
      const isServed = this.#store.tools.active().some(({ categoryId }) => categoryId !== null);
      const done = work();
      if (isServed) this.#store.workshop.raiseRevision();
      return done;
    });
    this.#revisions.notify();
    return changed;
  }

  remove(id: string): ManagedTool {
    const tool = this.getLive(id);
    return this.#change(tool, () => this.#store.tools.setDeleted(id, true));
  }

  undelete(id: string): ManagedTool {
    const tool = this.get(id);
    if (tool.deletedAt === null) return tool;
    return this.#change(tool, () => this.#store.tools.setDeleted(id, false));
  }

  /** Throws CONFLICT unless the tool is deleted. */
  getDeleted(id: string): ManagedTool {
    const tool = this.get(id);
    if (tool.deletedAt !== null) return tool;
    throw new ServiceError('CONFLICT', {
      thing: `The tool ${tool.content.name}`,
      cause: 'It is not deleted.',
      nextStep: 'Delete it first; then it can be removed permanently.',
    });
  }

  purge(id: string): ManagedTool {
    const tool = this.getDeleted(id);
    this.#store.tools.purge(id);
    return tool;
  }

  getVersion({ id, version }: Input<'workshop', 'version'>, tool = this.get(id)): ToolVersion {
    const found = this.#store.tools.versions.get(tool.id, version);
    if (found !== null) return found;
    throw new ServiceError('NOT_FOUND', {
      thing: `Version ${version} of ${tool.content.name}`,
      cause: `There is none; the latest is ${tool.version}.`,
      nextStep: 'Choose another version.',
      field: 'version',
    });
  }

  restoreVersion({ id, version, changelog }: Input<'workshop', 'restore'>): ManagedTool {
    const old = this.getVersion({ id, version }, this.getLive(id));
    return this.saveVersion(
      id,
      old.content,
      changelog ?? `Restored version ${version}.`,
      'dropped',
    );
  }

  /** All problems of a draft, or of content before it is saved. */
  async check(
    { draft, id }: Input<'workshop', 'check'>,
    signal: AbortSignal,
  ): Promise<Output<'workshop', 'check'>> {
    const { content, problems } = readDraft(draft);
    if (content === null) return { content, problems };
    const found = await checkContent(content, this.#checks, signal);
    const other = this.#store.tools.getByName(content.name);
    if (other === null || other.id === id) return { content, problems: found };
    const message = 'Another tool has this name.';
    const taken = { field: 'name', message, path: null, line: null, column: null };
    return { content, problems: [taken, ...found] };
  }

  /** Raises the revision if the tool is served before or after the change. */
  #change(before: ManagedTool | null, work: () => ManagedTool): ManagedTool {
    const after = this.#store.transaction(() => {
      const changed = work();
      if (isServed(before) || isServed(changed)) this.#store.workshop.raiseRevision();
      return changed;
    });
    this.#revisions.notify();
    return after;
  }

  /** Throws INVALID with the first problem of content that should be saved or run. */
  async requireValid(
    content: ToolContent,
    purpose: 'save' | 'run',
    signal: AbortSignal,
  ): Promise<void> {
    const problems = await checkContent(content, this.#checks, signal);
    const [first] = problems;
    if (first === undefined) return;
    const field = ['content', first.field, ...(first.path ?? '').split('/').slice(1)].join('.');
    throw new ServiceError('INVALID', {
      thing: `The tool ${content.name}`,
      // One line per problem, so that all of them can be fixed at once.
      cause: problems.map(({ message }) => message).join('\n'),
      nextStep: `Fix it and ${purpose} again.`,
      field,
    });
  }

  #requireFreeName(content: ToolContent, id: string | null): void {
    const other = this.#store.tools.getByName(content.name);
    if (other === null || other.id === id) return;
    throw new ServiceError('CONFLICT', {
      thing: `The tool ${content.name}`,
      cause: 'Another tool has this name.',
      nextStep: 'Choose another name.',
      field: 'content.name',
    });
  }
}

function isServed(tool: ManagedTool | null): boolean {
  return tool !== null && tool.status === 'ACTIVE' && tool.deletedAt === null;
}

function requireBase({ content, version }: ManagedTool, baseVersion: number): void {
  if (version === baseVersion) return;
  throw new ServiceError('CONFLICT', {
    thing: `The tool ${content.name}`,
    cause:
      `It was saved elsewhere in the meantime: the latest version is ${version}, and what was edited ` +
      `is version ${baseVersion}.`,
    nextStep: 'Compare with the latest version, then save on top of it.',
    field: 'baseVersion',
  });
}
