interface Changes {
  added: readonly unknown[];
  removed: readonly unknown[];
  changed: readonly unknown[];
  instructions: unknown;
}

interface ChangeCounts {
  added: number;
  removed: number;
  changed: number;
  instructions: boolean;
}

/** Reduces a list of changes to its counts. */
export const countChanges = ({ added, removed, changed, instructions }: Changes): ChangeCounts => ({
  added: added.length,
  removed: removed.length,
  changed: changed.length,
  instructions: instructions !== null,
});

/** Describes counted changes: "1 added, 2 changed". */
export function describeChangeCounts({
  added,
  removed,
  changed,
  instructions,
}: ChangeCounts): string {
  const parts = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(instructions ? ['changed instructions'] : []),
  ];
  return parts.length === 0 ? 'a different order or version' : parts.join(', ');
}
