/** A part of a text: visible characters, or neighboring invisible characters by their codes. */
export type TextPart = { text: string } | { codes: readonly string[] };

/**
 * Characters that are invisible or change the direction of text: C1 controls, bidi controls,
 * zero-width characters and joiners, fillers, line and paragraph separators, variation selectors,
 * tags, and lone surrogates. C0 controls have symbols of their own.
 */
const invisibleCharacters =
  /(?:[\u0080-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate})+/gu;

/**
 * Joiners belong inside an emoji and between letters of scripts that join; a selector after an
 * emoji chooses its colors.
 */
const emojiAtEnd = /\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?$/u;
const joinedScripts =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;

function isNeededJoiner(run: string, before: string, after: string): boolean {
  if (run === '\ufe0f') return /[\p{Extended_Pictographic}#*0-9]$/u.test(before);
  if (run === '\u200d' || run === '\ufe0f\u200d') {
    if (emojiAtEnd.test(before) && /^\p{Extended_Pictographic}/u.test(after)) return true;
  }
  return (
    (run === '\u200c' || run === '\u200d') &&
    joinedScripts.test(before.slice(-2)) &&
    joinedScripts.test(after.slice(0, 2))
  );
}

/** `U+202E`. */
function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Replaces C0 controls by their symbols (ESC by ␛), except tabs and line ends. */
function withControlSymbols(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
      character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    );
}

/** Splits text into its visible and its invisible parts, in order. */
export function textParts(text: string): TextPart[] {
  const normalized = withControlSymbols(text);
  const parts: TextPart[] = [];
  let shown = 0;
  for (const { 0: run, index } of normalized.matchAll(invisibleCharacters)) {
    if (
      isNeededJoiner(
        run,
        normalized.slice(Math.max(0, index - 8), index),
        normalized.slice(index + run.length, index + run.length + 2),
      )
    )
      continue;
    if (index > shown) parts.push({ text: normalized.slice(shown, index) });
    parts.push({ codes: Array.from(run, codeOf) });
    shown = index + run.length;
  }
  if (shown < normalized.length) parts.push({ text: normalized.slice(shown) });
  return parts;
}

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
