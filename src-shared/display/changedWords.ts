/** What changed in a list of tools, counted: "1 added, 2 changed". */
export function changedWords({ added, removed, changed, instructions }: { added: readonly unknown[]; removed: readonly unknown[]; changed: readonly unknown[]; instructions: unknown }): string {
  const parts = [
    ...(added.length > 0 ? [`${added.length} added`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
    ...(instructions !== null ? ['other instructions'] : []),
  ];
  return parts.length === 0 ? 'another order, or another version' : parts.join(', ');
}
