import type { ToolCategory } from '../../../src-shared/domain/workshop.ts';

/** The categories in tree order, each with its depth. */
export function categoryTree(
  categories: readonly ToolCategory[],
): { category: ToolCategory; depth: number }[] {
  const below = (
    parentId: string | null,
    depth: number,
  ): { category: ToolCategory; depth: number }[] =>
    categories
      .filter((category) => category.parentId === parentId)
      .flatMap((category) => [{ category, depth }, ...below(category.id, depth + 1)]);
  return below(null, 0);
}
