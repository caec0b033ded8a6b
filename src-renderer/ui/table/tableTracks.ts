/** The CSS grid track of a column width: pixels, or a track such as `minmax(160px, 2fr)`. */
export type Width = number | string | undefined;

const standard = 120;

export function track(width: Width): string {
  if (width === undefined) return `minmax(${standard}px, 1fr)`;
  return typeof width === 'number' ? `${width}px` : width;
}

/** The minimum width of a track in pixels: what a table needs before it scrolls sideways. */
export function minWidth(width: Width): number {
  if (typeof width === 'number') return width;
  const pixels = /(\d+(?:\.\d+)?)px/.exec(width ?? '')?.[1];
  return pixels === undefined ? standard : Number(pixels);
}
