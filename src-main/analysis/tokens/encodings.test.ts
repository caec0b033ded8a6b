import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { countTokens } from './encodings.ts';

const reference = { cl100k_base: new Tiktoken(cl100k), o200k_base: new Tiktoken(o200k) };
const expected = (text: string, name: 'cl100k_base' | 'o200k_base') =>
  reference[name].encode(text, [], []).length;

describe('countTokens', () => {
  it.each(['cl100k_base', 'o200k_base'] as const)('%s: equals js-tiktoken on any text', (name) => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 200 }),
          fc.string({ unit: 'binary', maxLength: 100 }),
          fc.stringMatching(/^[a-c ]{0,80}$/),
          fc.stringMatching(/^[\n\r\t 0-9a]{0,60}$/),
          fc.stringMatching(/^[ -~\n\r\t]{0,80}$/),
          fc
            .array(
              fc.constantFrom(
                "'s",
                "'LL",
                "'r",
                'Word',
                'XMLHttp',
                '://',
                '  ',
                '\r\n',
                '12345',
                '_id',
                "'",
                'É',
                '/',
                '{"',
              ),
              { maxLength: 20 },
            )
            .map((parts) => parts.join('')),
        ),
        (text) => {
          expect(countTokens(text, name)).toBe(expected(text, name));
        },
      ),
      { numRuns: 600 },
    );
  });

  it.each([
    '',
    'hello world',
    '<|endoftext|> is ordinary text',
    '  \n\n  x',
    'naïve café 東京 👩‍👩‍👧 ٣',
    '{"type":"object","properties":{"user_id":{"type":"string"}}}',
    'a'.repeat(600),
    ' '.repeat(600),
  ])('counts %j like the reference', (text) => {
    expect(countTokens(text)).toBe(expected(text, 'cl100k_base'));
  });

  it('counts a run of a million equal characters in linear time', () => {
    expect(countTokens('a'.repeat(1_000_000))).toBe(125_000);
    expect(countTokens(' '.repeat(1_000_000))).toBeGreaterThan(0);
  });

  it('counts source code like the reference', () => {
    const text = readFileSync(import.meta.filename, 'utf8');
    expect(countTokens(text, 'o200k_base')).toBe(expected(text, 'o200k_base'));
  });

  it('counts text correctly when ASCII and multibyte characters mix', () => {
    for (const foreign of ['é', '東', '👧', '\ud83d', '٣']) {
      for (let before = 0; before < 6; before += 1) {
        for (let after = 0; after < 6; after += 1) {
          const text = `${'a'.repeat(before)}${foreign}${'é'.repeat(after)}b 東`.repeat(3);
          expect(countTokens(text), text).toBe(expected(text, 'cl100k_base'));
        }
      }
    }
  });

  it('keeps cached counts correct while the cache grows', () => {
    const pieces = Array.from(
      { length: 12_000 },
      (_, at) =>
        ` ${'xqjz'.charAt(at % 4)}${at.toString(36).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}${'word'.repeat(at % 4)}`,
    );
    const text = pieces.join('');
    const whole = expected(text, 'o200k_base');
    for (let time = 0; time < 2; time += 1) expect(countTokens(text, 'o200k_base')).toBe(whole);
    for (const piece of pieces.filter((_piece, at) => at % 37 === 0))
      expect(countTokens(piece, 'o200k_base'), piece).toBe(expected(piece, 'o200k_base'));
  });
});
