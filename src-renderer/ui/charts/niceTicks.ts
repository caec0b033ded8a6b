/** About five round numbers that span two bounds; the last is at or above the upper bound. */
export function niceTicks(low: number, high: number): number[] {
  const span = Math.max(high - low, Number.EPSILON);
  const power = 10 ** Math.floor(Math.log10(span / 5));
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => span / size <= 6) ?? span;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}
