import { expect, test } from 'vitest';
import { allowsRedistribution } from './licenses.ts';

test.each(['MIT', '(MIT OR GPL-3.0-only)', 'GPL-2.0-only OR Apache-2.0', 'MIT AND Apache-2.0'])(
  '%s allows passing texts on',
  (license) => {
    expect(allowsRedistribution(license)).toBe(true);
  },
);

test.each([
  'GPL-3.0',
  'MIT AND GPL-3.0-only',
  'GPL-3.0-only OR MIT AND CC-BY-NC-4.0',
  'MITX',
  'UNLICENSED',
  'SEE LICENSE IN LICENSE',
  '',
])('%j does not', (license) => {
  expect(allowsRedistribution(license)).toBe(false);
});
