/**
 * The pattern of a `$regex` matcher: ECMAScript with the flag `u`, not anchored. A leading `(?i)`, as
 * in other languages, ignores case. Throws SyntaxError if it is no valid pattern.
 */
export function compilePattern(pattern: string): RegExp {
  const ignoreCase = '(?i)';
  return pattern.startsWith(ignoreCase)
    ? new RegExp(pattern.slice(ignoreCase.length), 'iu')
    : new RegExp(pattern, 'u');
}
