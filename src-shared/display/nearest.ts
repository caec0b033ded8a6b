/**
 * The known word with the smallest edit distance, at most a third of its length. Null if there is
 * none.
 */
function nearest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .map((each) => ({
      each,
      distance:
        each.startsWith(word) && word.length > 1
          ? 1
          : editDistance(word.toLowerCase(), each.toLowerCase()),
    }))
    .filter(
      ({ each, distance }) =>
        distance <= Math.max(1, Math.floor(Math.max(each.length, word.length) / 3)),
    )
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.each ?? null;
}

/** ` Did you mean X?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const found = nearest(word, known);
  return found === null ? '' : ` Did you mean ${found}?`;
}

/**
 * Edit distance: letters inserted, deleted or replaced, or two neighbors swapped (optimal string
 * alignment).
 */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 100) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index += 1) {
      const replaced = (row[index - 1] ?? 0) + (other[index - 1] === one[at] ? 0 : 1);
      const swapped =
        at > 0 && index > 1 && one[at] === other[index - 2] && one[at - 1] === other[index - 1]
          ? (before[index - 2] ?? 0) + 1
          : Infinity;
      next.push(Math.min(replaced, swapped, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
