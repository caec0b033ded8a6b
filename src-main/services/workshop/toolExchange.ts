import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { asSentence } from '../../../src-shared/domain/asSentence.ts';
import {
  categoryPath,
  type ManagedTool,
  type ToolContent,
} from '../../../src-shared/domain/workshop.ts';
import { notFound } from '../../store/database/table.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { checkContent, type ContentChecks } from './checkContent.ts';
import {
  readToolFiles,
  writeToolFiles,
  type ToolFileProblem,
  type NamedText,
  type ReadTool,
} from './toolFiles.ts';
import type { ToolLibrary } from './toolLibrary.ts';

type Action = 'create' | 'save' | 'same';

interface ToolToImport extends ReadTool {
  act: Action;
  existing: ManagedTool | null;
}

export interface ExchangeParts {
  store: Store;
  library: ToolLibrary;
  checks: ContentChecks;
}

/**
 * Imports and exports tools as files. An import is checked as a whole before the first tool is
 * written.
 */
export class ToolExchange {
  readonly #store: Store;
  readonly #library: ToolLibrary;
  readonly #checks: ContentChecks;

  constructor({ store, library, checks }: ExchangeParts) {
    this.#store = store;
    this.#library = library;
    this.#checks = checks;
  }

  export({ ids }: Input<'workshop', 'export'>): Output<'workshop', 'export'> {
    const store = this.#store;
    const chosen =
      ids === null ? listAllTools(store) : ids.map((id) => store.tools.get(id) ?? missing(id));
    const categories = store.toolCategories.list();
    return {
      files: chosen.flatMap(({ content, categoryId }) =>
        writeToolFiles(content, categoryPath(categories, categoryId)),
      ),
    };
  }

  async preview(
    { files }: Input<'workshop', 'previewImport'>,
    signal: AbortSignal,
  ): Promise<Output<'workshop', 'previewImport'>> {
    const { tools, problems } = await this.#read(files, signal);
    return {
      tools: tools.map(({ file, content, act }) => ({ file, name: content.name, act })),
      problems,
    };
  }

  async import(
    { files, changelog, categoryId }: Input<'workshop', 'import'>,
    signal: AbortSignal,
  ): Promise<Output<'workshop', 'import'>> {
    const { tools, problems } = await this.#read(files, signal);
    refuseProblems(problems);
    const line = changelog === '' ? 'Imported from a file.' : changelog;
    return this.#store.transaction(() => ({
      tools: tools.map((tool) => this.#write(tool, line, categoryId)),
    }));
  }

  #write(
    { content, category, act, existing }: ToolToImport,
    changelog: string,
    chosen: string | null | undefined,
  ): Output<'workshop', 'import'>['tools'][number] {
    const categoryId =
      chosen !== undefined
        ? chosen
        : category === null
          ? (existing?.categoryId ?? null)
          : ensureCategory(this.#store, category);
    let tool = existing ?? this.#library.insert(content, categoryId, changelog, 'kept');
    if (existing !== null && act === 'save')
      tool = this.#library.saveVersion(existing.id, content, changelog, 'kept');
    if (tool.categoryId !== categoryId) tool = this.#store.tools.setCategory(tool.id, categoryId);
    return { id: tool.id, name: content.name, act, version: tool.version };
  }

  async #read(
    files: readonly NamedText[],
    signal: AbortSignal,
  ): Promise<{ tools: ToolToImport[]; problems: ToolFileProblem[] }> {
    const { tools, problems } = readToolFiles(files);
    const checked = await Promise.all(
      tools.map(async ({ file, content }) =>
        (await checkContent(content, this.#checks, signal)).map(
          ({ field, path, message, line, column }) => ({
            file,
            message: `${field}${path ?? ''}: ${message}`,
            line,
            column,
          }),
        ),
      ),
    );
    const acts = tools.map((tool) => {
      const existing = this.#store.tools.getByName(tool.content.name);
      const act: Action =
        existing === null
          ? 'create'
          : sameContent(existing.content, tool.content)
            ? 'same'
            : 'save';
      return { ...tool, act, existing };
    });
    return { tools: acts, problems: [...problems, ...checked.flat()] };
  }
}

function refuseProblems(problems: readonly ToolFileProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const where = first.line === null ? '' : `, line ${first.line}`;
  throw new ServiceError('INVALID', {
    thing: `The file ${first.file}${where}`,
    cause: `${asSentence(first.message)} Nothing was imported.`,
    nextStep:
      problems.length === 1
        ? 'Fix it and import again.'
        : `Correct it and ${problems.length - 1} more, and import again.`,
    field: 'files',
  });
}

function missing(id: string): never {
  throw notFound('Tool', id);
}

function listAllTools(store: Store): ManagedTool[] {
  const { rows } = store.tools.search({
    search: '',
    deleted: false,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  });
  return rows.flatMap(({ id }) => store.tools.get(id) ?? []);
}

/**
 * Returns the last category of the path and creates missing ones. Existing categories stay where
 * they are.
 */
function ensureCategory(store: Store, path: readonly string[]): string | null {
  let parentId: string | null = null;
  for (const name of path)
    parentId = (
      store.toolCategories.getByName(name) ??
      store.toolCategories.insert({ name, description: null, parentId })
    ).id;
  return parentId;
}

/** Compares content regardless of the order of its fields. */
function sameContent(one: ToolContent, other: ToolContent): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareText(a, b)))
      : inner,
  );
}
