import { expect, it } from 'vitest';
import { byteText } from './byteText.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [999_499, '999 kB'],
  [999_600, '1.0 MB'],
  [3_200_000, '3.2 MB'],
  [5_000_000_000_000_000, '5000 TB'],
])('writes %d bytes as "%s"', (bytes, text) => {
  expect(byteText(bytes)).toBe(text);
});
