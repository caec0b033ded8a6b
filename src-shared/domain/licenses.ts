/** Licenses that allow passing texts on with this program; all others are rejected. */
export const allowedLicenses = [
  'self-authored',
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'CC0-1.0',
  'CC-BY-4.0',
  '0BSD',
  'Unlicense',
] as const;

const allowed: ReadonlySet<string> = new Set(allowedLicenses);

/**
 * Returns true if a license allows passing texts on. Of an SPDX expression without parentheses
 * inside, one side of OR has to, and both sides of AND.
 */
export function allowsRedistribution(license: string): boolean {
  const expression = license.trim().replace(/^\(([^()]*)\)$/, '$1');
  return expression
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((part) => allowed.has(part.trim())));
}
