interface Changes {
  added: readonly unknown[];
  removed: readonly unknown[];
  changed: readonly unknown[];
  instructions: unknown;
  /** Prompts, resources and templates. */
  items: Pick<Changes, 'added' | 'removed' | 'changed'>;
}

interface ChangeCounts {
  added: number;
  removed: number;
  changed: number;
  instructions: boolean;
  items: number;
}

export const countChanges = (changes: Changes): ChangeCounts => ({
  added: changes.added.length,
  removed: changes.removed.length,
  changed: changes.changed.length,
  instructions: changes.instructions !== null,
  items: changes.items.added.length + changes.items.removed.length + changes.items.changed.length,
});

/** Describes counted changes: "1 added, 2 changed". */
export function describeChangeCounts({
  added,
  removed,
  changed,
  instructions,
  items,
}: ChangeCounts): string {
  const parts = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(instructions ? ['changed instructions'] : []),
    ...(items > 0 ? [`${items} other ${items === 1 ? 'item' : 'items'} changed`] : []),
  ];
  return parts.length === 0 ? 'a different order or version' : parts.join(', ');
}
