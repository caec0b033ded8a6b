/** Groups of failures are open at first until this many lines are shown. */
const linesAtFirst = 16;

/** Which groups are open at first, by the number of their lines: the first always is. */
export function openGroups(lines: readonly number[]): boolean[] {
  let shown = 0;
  return lines.map((count) => {
    const open = shown + count <= linesAtFirst || shown === 0;
    if (open) shown += count;
    return open;
  });
}
