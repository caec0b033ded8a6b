/**
 * One number orders the list, colors the map and decides about the flag. Apart from the shapes of
 * similarity, because the first page of the window counts flags and reads no shape.
 */
export const isFlagged = ({ score }: { score: number }, threshold: number): boolean =>
  score >= threshold;
