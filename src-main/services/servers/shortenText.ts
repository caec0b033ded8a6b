import { formatCount } from '../../../src-shared/display/numbers.ts';
/** Characters of a server's text that are sent to a screen. */
export const maxShownText = 100_000;

/** The beginning of a text that is too long for a screen, marked as such. */
export function shortenText(text: string): string {
  if (text.length <= maxShownText) return text;
  const shown = formatCount(maxShownText);
  return `${text.slice(0, maxShownText)}…\n\n(Only the first ${shown} characters are shown.)`;
}

/** Instructions as they are sent to a screen. They are stored and used whole. */
export function shortenInstructions<T extends { instructions: string | null }>(said: T): T {
  const { instructions } = said;
  return { ...said, instructions: instructions === null ? null : shortenText(instructions) };
}
