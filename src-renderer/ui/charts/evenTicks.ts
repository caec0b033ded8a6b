const maxGaps = 6;
/** Rates from 0 to 1 are read in quarters. */
const quarters = [0, 0.25, 0.5, 0.75, 1];
/** What is a rounding error away from a mark is that mark. */
const rounding = 1e-9;

/**
 * Marks at equal distances (1, 2 or 5 × 10ⁿ) within a range: at most seven, and only whole numbers if
 * `whole`. An end of the range has none unless it is round, because its distance to the next mark
 * would differ from the others. From 0 to 1, the marks are quarters.
 */
export function evenTicks([from, to]: readonly [number, number], whole = false): number[] {
  if (!(to > from)) return [from];
  if (from === 0 && to === 1 && !whole) return quarters;
  const least = Math.max(((to - from) / maxGaps) * (1 - rounding), whole ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(least));
  const distance = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? least;
  const first = Math.ceil(from / distance - rounding);
  const last = Math.floor(to / distance + rounding);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * distance).toPrecision(12)),
  );
}
