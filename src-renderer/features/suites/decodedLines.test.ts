import { expect, test } from 'vitest';
import { decodeText } from '../../../src-shared/display/decodeText.ts';
import { decodedLines } from './decodedLines.ts';

test('shows the lines that an encoding changes, with their numbers', () => {
  const bytes = new Uint8Array(
    Buffer.from(
      `prompt,expected_tool\r\nHello,ping\r\n${'x'.repeat(200)}é,ping\r\nGrüße,ping`,
      'latin1',
    ),
  );
  const lines = (encoding: string) => decodedLines(decodeText(bytes, encoding).text ?? '');
  expect(lines('windows-1252')).toEqual([
    { line: 3, text: `…${'x'.repeat(80)}é,ping` },
    { line: 4, text: 'Grüße,ping' },
  ]);
  expect(lines('koi8-r').at(-1)).toEqual({ line: 4, text: 'GrЭъe,ping' });
  expect(decodedLines('a\n\nb')).toEqual([
    { line: 1, text: 'a' },
    { line: 3, text: 'b' },
  ]);
});
