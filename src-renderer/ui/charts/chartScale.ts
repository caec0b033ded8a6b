/** A linear scale from values to pixels. */
export function scale(
  from: readonly [number, number],
  to: readonly [number, number],
): (value: number) => number {
  const span = from[1] - from[0];
  return (value) =>
    span === 0 ? (to[0] + to[1]) / 2 : to[0] + ((value - from[0]) / span) * (to[1] - to[0]);
}

/** The SVG path of a line, broken at undefined values: a gap is never bridged. */
export function brokenLine(places: readonly ({ x: number; y: number } | null)[]): string {
  let down = false;
  const parts: string[] = [];
  for (const place of places) {
    if (place !== null)
      parts.push(`${down ? 'L' : 'M'}${place.x.toFixed(1)},${place.y.toFixed(1)}`);
    down = place !== null;
  }
  return parts.join('');
}

/**
 * The SVG path of closed bands between low and high, one per run of defined values. A run of a
 * single value is left out, because its whisker shows it.
 */
export function bands(
  places: readonly ({ x: number; low: number; high: number } | null)[],
): string {
  const runs: { x: number; low: number; high: number }[][] = [[]];
  for (const place of places) {
    if (place === null) runs.push([]);
    else runs.at(-1)?.push(place);
  }
  return runs
    .filter((run) => run.length > 1)
    .map(
      (run) =>
        `M${[...run.map(({ x, high }) => `${x.toFixed(1)},${high.toFixed(1)}`), ...run.toReversed().map(({ x, low }) => `${x.toFixed(1)},${low.toFixed(1)}`)].join('L')}Z`,
    )
    .join('');
}
