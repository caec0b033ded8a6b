import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ManagedTool, ToolContent, ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { notFound } from '../../store/database/conflict.ts';
import type { Store } from '../../store/store.ts';
import type { Services } from '../services.ts';
import {
  readToolFiles,
  writeToolFiles,
  type FileTrouble,
  type NamedText,
  type ReadTool,
} from './toolFiles.ts';

type Topic = Services['workshop'];
type Act = 'create' | 'save' | 'same';

export interface ImportParts {
  store: Store;
  check: (content: ToolContent, signal: AbortSignal) => Promise<ToolProblem[]>;
  changing: <T extends ManagedTool>(before: ManagedTool | null, work: () => T) => T;
  save: (id: string, content: ToolContent, changelog: string) => ManagedTool;
}

/** Tools as files, out and in. An import is checked as a whole before its first tool is written. */
export function createImportExport({
  store,
  check,
  changing,
  save,
}: ImportParts): Pick<Topic, 'export' | 'previewImport' | 'import'> {
  const read = async (
    files: readonly NamedText[],
    signal: AbortSignal,
  ): Promise<{
    tools: (ReadTool & { act: Act; existing: ManagedTool | null })[];
    problems: FileTrouble[];
  }> => {
    const { tools, problems } = readToolFiles(files);
    const checked = await Promise.all(
      tools.map(async ({ file, content }) =>
        (await check(content, signal)).map(({ field, path, message, line, column }) => ({
          file,
          message: `${field}${path ?? ''}: ${message}`,
          line,
          column,
        })),
      ),
    );
    const acts = tools.map((tool) => {
      const existing = store.tools.getByName(tool.content.name);
      const act: Act =
        existing === null
          ? 'create'
          : sameContent(existing.content, tool.content)
            ? 'same'
            : 'save';
      return { ...tool, act, existing };
    });
    return { tools: acts, problems: [...problems, ...checked.flat()] };
  };

  return {
    export: async ({ ids }) => {
      const chosen =
        ids === null ? everyTool(store) : ids.map((id) => store.tools.get(id) ?? missing(id));
      const names = categoryNames(store);
      return {
        files: chosen.flatMap(({ content, categoryId }) =>
          writeToolFiles(content, names(categoryId)),
        ),
      };
    },

    previewImport: async ({ files }, { signal }) => {
      const { tools, problems } = await read(files, signal);
      return {
        tools: tools.map(({ file, content, act }) => ({ file, name: content.name, act })),
        problems,
      };
    },

    import: async ({ files, changelog }, { signal }) => {
      const { tools, problems } = await read(files, signal);
      const [first] = problems;
      if (first !== undefined) {
        const where = first.line === null ? '' : `, line ${first.line}`;
        throw new ServiceError('INVALID', {
          thing: `The file ${first.file}${where}`,
          cause: `${first.message} Nothing was imported.`,
          nextStep:
            problems.length === 1
              ? 'Correct it and import again.'
              : `Correct it and ${problems.length - 1} more, and import again.`,
          field: 'files',
        });
      }
      return store.transaction(() => ({
        tools: tools.map(({ content, category, act, existing }) => {
          const categoryId =
            category === null ? (existing?.categoryId ?? null) : ensureCategory(store, category);
          const line = changelog === '' ? 'Imported from a file.' : changelog;
          let tool =
            existing ?? changing(null, () => store.tools.insert(content, categoryId, line));
          if (existing !== null && act === 'save') tool = save(existing.id, content, line);
          if (tool.categoryId !== categoryId) tool = store.tools.setCategory(tool.id, categoryId);
          return { id: tool.id, name: content.name, act, version: tool.version };
        }),
      }));
    },
  };
}

function missing(id: string): never {
  throw notFound('Tool', id);
}

function everyTool(store: Store): ManagedTool[] {
  const { rows } = store.tools.search({
    search: '',
    deleted: false,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  });
  return rows.flatMap(({ id }) => store.tools.get(id) ?? []);
}

/** Names from the top of the tree down to a category. */
function categoryNames(store: Store): (id: string | null) => string[] {
  const all = new Map(store.toolCategories.list().map((category) => [category.id, category]));
  const namesOf = (id: string | null): string[] => {
    const category = id === null ? undefined : all.get(id);
    return category === undefined ? [] : [...namesOf(category.parentId), category.name];
  };
  return namesOf;
}

/**
 * The last category of the path; those that are missing are made, those that exist stay where they
 * are.
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

/** The same whatever the order in which a file names its fields. */
function sameContent(one: ToolContent, other: ToolContent): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
