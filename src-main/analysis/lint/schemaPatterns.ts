import { schemaPattern } from '../../scoring/schema/schemaPattern.ts';
import type { SchemaFlawKind } from './schemaRefusals.ts';

type PatternFlaw = readonly [kind: SchemaFlawKind, what: string];

/** Constructs that some engines lack. Escaped characters and classes are blanked out before. */
const constructs: readonly (readonly [RegExp, SchemaFlawKind, string])[] = [
  [/\(\?<?[=!]/u, 'lookaround', 'a lookahead or lookbehind, which RE2 and Rust’s engine lack'],
  [/\(\?<(?![=!])/u, 'named-group', 'a named group, which Python writes as "(?P<name>"'],
  [/\\[1-9]|\\k</u, 'other-pattern', 'a backreference, which RE2 and Rust’s engine lack'],
];

/**
 * What of a pattern isn't understood by every engine: JSON Schema means ECMAScript, while clients and
 * providers compile patterns with ECMAScript's flag `u`, RE2, Rust's engine or Python's.
 */
export function patternFlaws(pattern: string): PatternFlaw[] {
  const { outside, openBracket, escapes } = scan(pattern);
  const found: PatternFlaw[] = constructs.flatMap(([search, kind, what]) =>
    search.test(outside) ? [[kind, what] as const] : [],
  );
  if (escapes.some((letter) => letter === 'p' || letter === 'P'))
    found.push(['property-escape', 'a Unicode property such as "\\p{L}", which Python’s re lacks']);
  if (openBracket)
    found.push(['open-bracket', 'a "[" without a backslash inside a character class']);
  if (!isStrict(pattern))
    found.push([
      'not-ecmascript',
      schemaPattern(pattern) === null
        ? 'syntax of another language than ECMAScript'
        : 'syntax that ECMAScript has only without its flag "u"',
    ]);
  return found;
}

function isStrict(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A pattern without its classes and escaped characters, and what was found in them. */
function scan(pattern: string): { outside: string; openBracket: boolean; escapes: string[] } {
  let outside = '';
  let inClass = false;
  let openBracket = false;
  const escapes: string[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === '\\') {
      const next = pattern.charAt((at += 1));
      escapes.push(next);
      if (!inClass) outside += /[1-9k]/u.test(next) ? `\\${next}` : '\\ ';
    } else if (inClass) {
      openBracket ||= char === '[';
      inClass = char !== ']';
    } else if (char === '[') inClass = true;
    else outside += char;
  }
  return { outside, openBracket, escapes };
}
