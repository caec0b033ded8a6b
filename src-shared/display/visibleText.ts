/** A part of a text: visible characters, or neighboring ones that nobody sees. */
export type SeenPart = { text: string } | { unseen: readonly string[] };

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

const printableAscii = /^[\t\n\r\u0020-\u007e]*$/;

/**
 * Splits text into its visible and its invisible parts, in order. Every screen, report and line of
 * the command line that shows foreign text uses this. C0 controls are left to the caller, because
 * each shows them in its own way.
 */
export function seenParts(text: string): SeenPart[] {
  if (printableAscii.test(text)) return text === '' ? [] : [{ text }];
  const parts: SeenPart[] = [];
  let shown = 0;
  for (const { 0: run, index } of text.matchAll(invisibleCharacters)) {
    if (
      isNeededJoiner(
        run,
        text.slice(Math.max(0, index - 8), index),
        text.slice(index + run.length, index + run.length + 2),
      )
    )
      continue;
    if (index > shown) parts.push({ text: text.slice(shown, index) });
    parts.push({ unseen: Array.from(run) });
    shown = index + run.length;
  }
  if (shown < text.length) parts.push({ text: text.slice(shown) });
  return parts;
}

/** Writes each invisible character and each of `controls` in another way. */
export const replaceInvisible = (
  text: string,
  write: (character: string) => string,
  controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g,
): string =>
  seenParts(text)
    .map((part) =>
      'text' in part ? part.text.replace(controls, write) : part.unseen.map(write).join(''),
    )
    .join('');

/** `U+202E`. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A text with the name of every invisible character, such as `[U+202E]`. */
export const escapeInvisible = (text: string): string =>
  replaceInvisible(text, (character) => `[${codePointName(character)}]`);

/**
 * JSON in which invisible characters, such as those that turn the direction of a text, are written as
 * escapes. It parses to the same value.
 */
export const stringifyVisible = (value: unknown): string =>
  replaceInvisible(JSON.stringify(value), (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );

/** Entries of a list that are written at once. */
const writtenAtOnce = 500;

/**
 * The same text in parts, each at the boundary of a value: as one text, a list of 50,000 entries
 * would be in memory several times.
 */
export function* visibleJsonParts(value: unknown, depth = 3): Generator<string> {
  if (Array.isArray(value) && value.length > writtenAtOnce) {
    for (let at = 0; at < value.length; at += writtenAtOnce) {
      const part = stringifyVisible(value.slice(at, at + writtenAtOnce)).slice(1, -1);
      yield `${at === 0 ? '[' : ','}${part}`;
    }
    yield ']';
  } else if (
    depth > 0 &&
    value !== null &&
    typeof value === 'object' &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !('toJSON' in value)
  ) {
    let before = '{';
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || typeof member === 'function') continue;
      yield `${before}${stringifyVisible(name)}:`;
      yield* visibleJsonParts(member, depth - 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield stringifyVisible(value);
}

/** `\u200b`, or with more digits `\u{e0001}`. */
function escapeOf(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
}

/** A name for a terminal: control and invisible characters become codes such as `\u001b`. */
export const escapeControls = (text: string): string =>
  replaceInvisible(text, escapeOf, /[\u0000-\u001f\u007f]/g);

/**
 * The same for a text of several lines. Messages quote servers and providers, and what they say must
 * not move the cursor, color the terminal, or hide anything.
 */
export const escapeLines = (text: string): string =>
  replaceInvisible(text, escapeOf, /[\u0000-\u0008\u000b-\u001f\u007f]/g);
