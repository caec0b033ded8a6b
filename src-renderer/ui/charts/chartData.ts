export interface ChartPoint {
  x: number;
  /** Null draws a gap. */
  y: number | null;
  /** The ends of the interval, drawn as an error bar. */
  low?: number | null;
  high?: number | null;
  /** Written beside the point. */
  label?: string;
  /** One more line in the readout. */
  note?: string;
  /** True for a corner of a line that is no point of its own. */
  corner?: boolean;
  /** Where a click on the point leads. */
  to?: string;
}

export interface ChartSeries {
  name: string;
  points: readonly ChartPoint[];
  /** False draws points only. */
  connect?: boolean;
}

/** One position on the x axis with the point of each series, if it has one there. */
export interface ChartRow {
  x: number;
  points: (ChartPoint | null)[];
}

/**
 * All series over one axis, in ascending order of x. Readouts then show every series at a position,
 * even if the series have points at different positions. A second point of a series at one position
 * (a vertical step) gets a row of its own.
 */
export function mergeSeries(series: readonly ChartSeries[]): ChartRow[] {
  const rows: ChartRow[] = [];
  const lastAt = new Map<number, ChartRow>();
  series.forEach(({ points }, at) => {
    for (const point of points) {
      let row = lastAt.get(point.x);
      if (!row || row.points[at] !== null) {
        rows.push((row = { x: point.x, points: series.map(() => null) }));
        lastAt.set(point.x, row);
      }
      row.points[at] = point;
    }
  });
  return rows.sort((a, b) => a.x - b.x);
}

/** The distances from a value to the ends of its interval, as error bars take them. */
export function errorOf(point: ChartPoint | null | undefined): [number, number] | null {
  if (!point || point.y === null || point.low == null || point.high == null) return null;
  return [point.y - point.low, point.high - point.y];
}
