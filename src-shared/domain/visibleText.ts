import { parsePointer, valueAtPointer } from './jsonPointer.ts';

/** A part of a text for display: plain, or the name of an invisible character. */
export interface VisiblePart {
  kind: 'plain' | 'invisible';
  text: string;
  marked: boolean;
}

// Written as escapes, because these characters are invisible in source code too.
const invisibleCharacters =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]/gu;

const codePointName = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Splits a text at a span and replaces invisible characters by their names. Spans count UTF-16
 * units and may exceed the text.
 */
function visibleParts(text: string, span: readonly [number, number]): VisiblePart[] {
  const start = Math.max(0, Math.min(span[0], text.length));
  const end = Math.max(start, Math.min(span[1], text.length));
  const parts: VisiblePart[] = [];
  for (const [from, to, marked] of [
    [0, start, false],
    [start, end, true],
    [end, text.length, false],
  ] as const) {
    const part = text.slice(from, to);
    let last = 0;
    for (const match of part.matchAll(invisibleCharacters)) {
      if (match.index > last)
        parts.push({ kind: 'plain', text: part.slice(last, match.index), marked });
      parts.push({ kind: 'invisible', text: codePointName(match[0]), marked });
      last = match.index + match[0].length;
    }
    if (last < part.length) parts.push({ kind: 'plain', text: part.slice(last), marked });
  }
  return parts;
}

/**
 * The string that the `place` of a finding points to, or the key itself for `#name`; null if there
 * is none.
 */
export function textAt(definition: unknown, place: string): string | null {
  const isName = place.endsWith('#name');
  if (isName) return parsePointer(place.slice(0, -'#name'.length)).at(-1) ?? null;
  const value = valueAtPointer(definition, place);
  return typeof value === 'string' ? value : null;
}

/** Writes every control and invisible character in another way. */
export const replaceInvisible = (text: string, write: (character: string) => string): string =>
  text.replace(invisibleCharacters, write);

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

/** A text with every invisible character written out, for terminals and lists. */
export const escapeInvisible = (text: string): string =>
  visibleParts(text, [0, 0])
    .map(({ kind, text: part }) => (kind === 'invisible' ? `[${part}]` : part))
    .join('');
