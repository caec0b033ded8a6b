/** The CSS grid track of a column width: pixels, or a track such as `minmax(160px, 2fr)`. */
export type Width = number | string | undefined;

const standard = 120;

export function track(width: Width): string {
  if (width === undefined) return `minmax(${standard}px, 1fr)`;
  return typeof width === 'number' ? `${width}px` : width;
}

/** What is cut at the right of a table rather than scrolled to: less than the padding of a cell. */
const sliver = 8;

/** The style of what a table holds: `least` pixels wide where a sliver less would not do. */
export const wholeColumns = (least: number): { minWidth: string } => ({
  minWidth: `clamp(0px, (${least - sliver}px - 100cqi) * 1000, ${least}px)`,
});

/** The heading and the two edges of a table in pixels. */
const around = 36;

/**
 * The greatest height up to `limit` that ends with a whole row, so that no table scrolls by a
 * sliver. In a low window it still shows a few rows.
 */
export const wholeRows = (limit: string, rowHeight: number): string =>
  `calc(round(down, max(180px, ${limit}) - ${around}px, ${rowHeight}px) + ${around}px)`;

interface Sized {
  width?: Width;
  spare?: number;
}

/** The columns that a table has room for, in their order. Until it is measured, that is all. */
export function fittingColumns<One extends Sized>(
  columns: readonly One[],
  room: number,
): readonly One[] {
  const shown = [...columns];
  const needed = (): number => shown.reduce((sum, { width }) => sum + minWidth(width), 0);
  while (room > 0 && needed() > room) {
    const last = shown.reduce<One | null>(
      (most, each) => ((each.spare ?? 0) > (most?.spare ?? 0) ? each : most),
      null,
    );
    if (last === null) break;
    shown.splice(shown.indexOf(last), 1);
  }
  return shown.length === columns.length ? columns : shown;
}

/** The minimum width of a track in pixels: what a table needs before it scrolls sideways. */
export function minWidth(width: Width): number {
  if (typeof width === 'number') return width;
  const pixels = /(\d+(?:\.\d+)?)px/.exec(width ?? '')?.[1];
  return pixels === undefined ? standard : Number(pixels);
}
