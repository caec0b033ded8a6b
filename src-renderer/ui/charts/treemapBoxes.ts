/** A rectangle on screen, in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const headHeight = 20;
const edge = 3;

/** The height of a group's heading; 0 if the group is too small for one. */
export function groupHead({ width, height }: Pick<Box, 'width' | 'height'>): number {
  return width >= 44 && height >= 48 ? headHeight : 0;
}

/**
 * Where an item is drawn: scaled into its group below the heading, so that the areas of one group
 * stay in proportion.
 */
export function insideGroup(item: Box, group: Box, head: number): Box {
  const top = Math.max(head, edge);
  const scaleX = Math.max(0, group.width - 2 * edge) / group.width;
  const scaleY = Math.max(0, group.height - top - edge) / group.height;
  return {
    x: group.x + edge + (item.x - group.x) * scaleX,
    y: group.y + top + (item.y - group.y) * scaleY,
    width: item.width * scaleX,
    height: item.height * scaleY,
  };
}

/** A text cut to a width, at an average width of a character; empty if not even three fit. */
export function fitText(text: string, width: number, characterWidth: number): string {
  const fits = Math.floor(width / characterWidth);
  if (text.length <= fits) return text;
  return fits < 3 ? '' : `${text.slice(0, fits - 1).trimEnd()}…`;
}

/** The first text that fits; the last one cut to the width if none does. */
export function fitFirst(texts: readonly string[], width: number, characterWidth: number): string {
  const whole = texts.find((text) => text.length * characterWidth <= width);
  return whole ?? fitText(texts.at(-1) ?? '', width, characterWidth);
}
