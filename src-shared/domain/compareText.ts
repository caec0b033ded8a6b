/**
 * Orders texts by their UTF-16 code units, as sort() does without a comparison: the same in every
 * locale, so that stored results can be compared byte for byte.
 */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
