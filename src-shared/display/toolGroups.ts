import { categoryPath, type ToolCategory } from '../domain/workshop.ts';

export interface ToolGroup<Tool> {
  /** Names from the top level down, `office/texts`; null without a category. */
  category: string | null;
  tools: Tool[];
}

/** Tools by category, in the order of their paths; those without a category are last. */
export function groupByCategory<Tool extends { categoryId: string | null }>(
  tools: readonly Tool[],
  categories: readonly ToolCategory[],
): ToolGroup<Tool>[] {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const path = categoryPath(categories, tool.categoryId).join('/');
    const group = groups.get(path);
    if (group === undefined) groups.set(path, [tool]);
    else group.push(tool);
  }
  return [...groups]
    .sort(([one], [other]) =>
      one === '' ? 1 : other === '' ? -1 : one.localeCompare(other, 'en', { sensitivity: 'base' }),
    )
    .map(([path, grouped]) => ({ category: path === '' ? null : path, tools: grouped }));
}
