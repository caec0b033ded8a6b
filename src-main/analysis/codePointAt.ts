/**
 * The code point that begins at an index, as `String.prototype.codePointAt` defines it. V8's
 * compiled code gets that wrong for a text that was cut out of a longer one between the halves of a
 * pair: it adds the half that the text no longer has.
 *
 * @param index From 0 to the length of the text, without it.
 */
export function codePointAt(text: string, index: number): number {
  const high = text.charCodeAt(index);
  if (high < 0xd800 || high > 0xdbff || index + 1 === text.length) return high;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : high;
}
