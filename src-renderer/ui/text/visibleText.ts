/**
 * A stretch of text that shows as it is, or of neighbouring characters that would show nothing, by
 * their codes.
 */
export type TextPart = { text: string } | { codes: readonly string[] };

/**
 * What can turn text round, or stands in it unseen: later controls, bidi controls, zero-width
 * characters and joiners, fillers, line and paragraph separators, variation selectors, tags, and
 * halves of surrogate pairs. The earlier controls have pictures of their own.
 */
const unseen =
  /(?:[\u0080-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Surrogate})+/gu;

/**
 * Joiners have work to do inside an emoji and between letters of scripts that join; a selector
 * behind an emoji chooses its colours.
 */
const joins = /\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?$/u;
const joinedScripts =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;

function atWork(run: string, before: string, after: string): boolean {
  if (run === '\ufe0f') return /[\p{Extended_Pictographic}#*0-9]$/u.test(before);
  if (run === '\u200d' || run === '\ufe0f\u200d') {
    if (joins.test(before) && /^\p{Extended_Pictographic}/u.test(after)) return true;
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

/** Earlier controls by their pictures (ESC as ␛), save tab and line ends. */
function pictured(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
      character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    );
}

/**
 * Takes text apart into what shows as it is and what would not be seen, in order: what is shown is
 * what is there.
 */
export function textParts(text: string): TextPart[] {
  const whole = pictured(text);
  const parts: TextPart[] = [];
  let shown = 0;
  for (const { 0: run, index } of whole.matchAll(unseen)) {
    if (
      atWork(
        run,
        whole.slice(Math.max(0, index - 8), index),
        whole.slice(index + run.length, index + run.length + 2),
      )
    )
      continue;
    if (index > shown) parts.push({ text: whole.slice(shown, index) });
    parts.push({ codes: Array.from(run, codeOf) });
    shown = index + run.length;
  }
  if (shown < whole.length) parts.push({ text: whole.slice(shown) });
  return parts;
}

/** Codes written out: the first ones, and how many more. */
export function codesText(codes: readonly string[], limit = 3): string {
  return codes.length <= limit
    ? codes.join(' ')
    : `${codes.slice(0, limit).join(' ')} +${codes.length - limit}`;
}

/**
 * The same for a place that takes no markup (a title, an attribute, an option): `[U+202E]` stands
 * for what would not be seen.
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
