import { itemKinds, itemKindNouns, type ItemKind } from '../domain/itemKinds.ts';
import { counted } from './numbers.ts';

/** Counts by kind: `4 prompts, 1 resource`. Empty if there are none. */
export function countItems(items: readonly { kind: ItemKind }[]): string {
  const counts = new Map<ItemKind, number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return itemKinds
    .flatMap((kind) => {
      const count = counts.get(kind);
      return count === undefined ? [] : [counted(count, itemKindNouns[kind])];
    })
    .join(', ');
}

/** Tools and other items of a server that share something: `2 tools and 1 prompt or resource`. */
export function toolsAndItems(tools: number, items: number, noun = 'tool'): string {
  return [
    ...(tools > 0 || items === 0 ? [counted(tools, noun)] : []),
    ...(items > 0 ? [counted(items, 'prompt or resource', 'prompts or resources')] : []),
  ].join(' and ');
}
