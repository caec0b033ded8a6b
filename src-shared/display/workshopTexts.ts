import type { RemovedCategory } from '../domain/workshop.ts';
import { counted } from './numbers.ts';

/** What happened to a category and to what was directly in it. */
export function removedCategoryText(removed: RemovedCategory): string {
  const { what, tools, categories, movedTo } = removed;
  const moved = [
    ...(tools > 0 ? [counted(tools, 'tool')] : []),
    ...(categories > 0 ? [counted(categories, 'category', 'categories')] : []),
  ].join(' and ');
  if (moved === '') return `${what} was removed.`;
  const target =
    movedTo !== null
      ? `moved to ${movedTo}`
      : `${tools + categories === 1 ? 'is' : 'are'} at the top level now`;
  return `${what} was removed. ${moved} ${target}.`;
}
