import { codePointName, seenParts } from '../../../src-shared/display/visibleText.ts';

/** A part of a text: visible characters, or neighboring invisible characters by their codes. */
export type TextPart = { text: string } | { codes: readonly string[] };

/** Replaces C0 controls by their symbols (ESC by ␛), except tabs and line ends. */
function withControlSymbols(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
      character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    );
}

/** Splits text into its visible and its invisible parts, in order. */
export const textParts = (text: string): TextPart[] =>
  seenParts(withControlSymbols(text)).map((part) =>
    'text' in part ? part : { codes: part.unseen.map(codePointName) },
  );

/** The first codes, and how many more there are. */
export function codesText(codes: readonly string[], limit = 3): string {
  return codes.length <= limit
    ? codes.join(' ')
    : `${codes.slice(0, limit).join(' ')} +${codes.length - limit}`;
}

/**
 * The same as plain text, for titles, attributes and options: `[U+202E]` replaces an invisible
 * character.
 */
export function visibleText(text: string): string {
  return textParts(text)
    .map((part) => ('text' in part ? part.text : `[${codesText(part.codes)}]`))
    .join('');
}

/** The first `limit` characters, never ending inside a surrogate pair. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
