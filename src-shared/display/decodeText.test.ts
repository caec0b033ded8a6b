import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, findEncoding } from './decodeText.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding));
const utf16be = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

describe('decodeText', () => {
  test('reads every text in UTF-8 unchanged, with and without a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.startsWith('\ufeff') && !text.includes('\0'));
        for (const mark of ['', '\ufeff'])
          expect(decodeText(bytesOf(mark + text))).toEqual({
            text,
            encoding: 'utf-8',
            problem: null,
          });
      }),
    );
  });

  test('keeps a replacement character that the file itself contains', () => {
    expect(decodeText(bytesOf('a \ufffd b')).text).toBe('a \ufffd b');
  });

  test('reads UTF-16 with a byte order mark, in both byte orders', () => {
    const text = '\ufeffSchöne Grüße 🛒 "x"';
    for (const bytes of [bytesOf(text, 'utf16le'), utf16be(text)])
      expect(decodeText(bytes).text).toBe(text.slice(1));
  });

  test.each([
    ['Latin-1', bytesOf('prompt\r\nSchöne Grüße', 'latin1'), 2, 4, 'byte 12 (0xF6)'],
    ['Latin-1 with CR alone', bytesOf('a\rb\ré', 'latin1'), 3, 1, 'byte 5 (0xE9)'],
    ['a character that the end cuts off', bytesOf('añ').subarray(0, 2), 1, 2, 'byte 2 (0xC3)'],
    ['an overlong sequence', new Uint8Array([0x61, 0xc0, 0xaf]), 1, 2, 'byte 2 (0xC0)'],
    ['a surrogate', new Uint8Array([0x0a, 0xed, 0xa0, 0x80]), 2, 1, 'byte 2 (0xED)'],
    ['a value past U+10FFFF', new Uint8Array([0xf4, 0x90, 0x80, 0x80]), 1, 1, 'byte 1 (0xF4)'],
    ['a fault after an emoji', new Uint8Array([...bytesOf('🛒'), 0x80]), 1, 3, 'byte 5 (0x80)'],
  ])('refuses %s with line, column and byte', (_what, bytes, line, column, cause) => {
    expect(decodeText(bytes)).toEqual({
      text: null,
      problem: {
        line,
        column,
        cause: expect.stringContaining(`It isn’t UTF-8: ${cause}`) as string,
        suggestion: 'windows-1252',
        remedy: 'Save it as UTF-8.',
      },
    });
  });

  test('agrees with the fatal decoder of the platform on which bytes are UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const marked = [0xef, 0xfe, 0xff, 0].includes(bytes[0] ?? 1);
        fc.pre(!marked && !bytes.includes(0));
        let isValid = true;
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        } catch {
          isValid = false;
        }
        const { problem } = decodeText(bytes);
        expect(problem === null).toBe(isValid);
        const at = Number(/byte (\d+)/.exec(problem?.cause ?? '')?.[1] ?? 1) - 1;
        new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, at));
      }),
      { numRuns: 2000 },
    );
  });

  test('names UTF-16 without a byte order mark, UTF-32, and half of a UTF-16 character', () => {
    const json = '{"query": "Grüße", "tool": "ping"}\n';
    expect(decodeText(bytesOf(json, 'utf16le')).problem).toMatchObject({
      cause: 'It looks like UTF-16LE without a byte order mark.',
      suggestion: 'utf-16le',
    });
    expect(decodeText(utf16be(json)).problem).toMatchObject({ suggestion: 'utf-16be' });
    // Naming an encoding wouldn't help.
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])).problem).toMatchObject({
      cause: 'It’s UTF-32, which isn’t read.',
      suggestion: null,
    });
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x61, 0, 0x00, 0xd8])).problem?.cause).toContain(
      'UTF-16LE',
    );
    // A NUL in a text of UTF-8 is for the reader of the format to report.
    expect(decodeText(bytesOf('{"a": "\0"}')).problem).toBeNull();
  });

  test('decodes by a given encoding what is not UTF-8, and nothing else', () => {
    const texts: [string, Uint8Array][] = [
      ['latin1', bytesOf('Grüße', 'latin1')],
      ['windows-1252', new Uint8Array([0x80])],
      ['utf-16le', bytesOf('Grüße, ping', 'utf16le')],
      ['shift_jis', new Uint8Array([0x93, 0xfa, 0x96, 0x7b])],
      ['iso-2022-jp', new Uint8Array([0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42])],
    ];
    expect(texts.map(([label, bytes]) => decodeText(bytes, label).text)).toEqual([
      'Grüße',
      '€',
      'Grüße, ping',
      '日本',
      '日',
    ]);
    expect(decodeText(bytesOf('Grüße'), 'latin1')).toMatchObject({
      text: 'Grüße',
      encoding: 'utf-8',
    });
    expect(decodeText(bytesOf('\ufeffGrüße', 'utf16le'), 'latin1').text).toBe('Grüße');
    expect(decodeText(new Uint8Array([0x61, 0x0a, 0x93, 0xff]), 'shift_jis').problem).toMatchObject(
      { line: 2, column: 1, cause: expect.stringContaining('It isn’t SHIFT_JIS') as string },
    );
  });

  test('knows the labels of the WHATWG and no other', () => {
    expect(['latin1', 'UTF-16', 'cp1252', 'utf-7', 'nonsense'].map(findEncoding)).toEqual([
      'windows-1252',
      'utf-16le',
      'windows-1252',
      null,
      null,
    ]);
  });
});
