import { compareText } from '../../src-shared/domain/compareText.ts';
import { toolId } from '../../src-shared/domain/labels.ts';
import { editTool, type TextEdit } from '../../src-shared/domain/textEdit.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';

/**
 * A candidate: the tools as they are plus a set of edits, at most one for each text, ordered by tool
 * and place so that equal sets are equal lists. `oldText` is always the text as it is.
 */
export type Catalog = readonly TextEdit[];

export const idOf = ({ server, name }: Pick<Tool, 'server' | 'name'>): string =>
  toolId(server, name);

const keyOf = ({ toolId: id, path }: TextEdit): string => `${id} ${path}`;

/** Edits on top of a catalog. An edit that restores the text as it is disappears. */
export function extend(catalog: Catalog, edits: readonly TextEdit[]): Catalog {
  const byKey = new Map(catalog.map((edit) => [keyOf(edit), edit]));
  for (const edit of edits) {
    const oldText = byKey.get(keyOf(edit))?.oldText ?? edit.oldText;
    if (oldText === edit.newText) byKey.delete(keyOf(edit));
    else byKey.set(keyOf(edit), { ...edit, oldText });
  }
  return [...byKey.values()].sort((a, b) => compareText(keyOf(a), keyOf(b)));
}

/** Equal catalogs have equal keys. */
export const catalogKey = (catalog: Catalog): string =>
  JSON.stringify(catalog.map(({ toolId: id, path, newText }) => [id, path, newText]));

export const editedTools = (catalog: Catalog): Set<string> =>
  new Set(catalog.map(({ toolId: id }) => id));

/**
 * Every edit of the first catalog, and those of the second for tools that the first leaves alone. A
 * tool is never a mix of two texts that were tried apart.
 */
export function merge(first: Catalog, second: Catalog): Catalog {
  const edited = editedTools(first);
  return extend(
    first,
    second.filter(({ toolId: id }) => !edited.has(id)),
  );
}

/** The tools that a model sees with a catalog. Untouched tools are the same objects. */
export function applyCatalog<Each extends Tool>(
  tools: readonly Each[],
  catalog: Catalog,
): (Each | Tool)[] {
  const byTool = new Map<string, TextEdit[]>();
  for (const edit of catalog) byTool.set(edit.toolId, [...(byTool.get(edit.toolId) ?? []), edit]);
  return tools.map((tool) => {
    const edits = byTool.get(idOf(tool));
    return edits ? editTool(tool, edits) : tool;
  });
}
