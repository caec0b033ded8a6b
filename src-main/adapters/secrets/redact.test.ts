import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodings, hex } from './encodings.fixture.ts';
import { redacted } from './redact.ts';
import { createRedactor } from './redactor.fixture.ts';

const key = fc
  .stringMatching(/^sk-[A-Za-z0-9_-]{20,60}$/)
  .filter((text) => new Set(text.slice(3)).size > 8);
const around = fc.string({ unit: 'grapheme', maxLength: 30 });

/** The longest run of characters of the secret, in any case, that a text still shows. */
function shownOf(secret: string, text: string): number {
  const [wanted, given] = [secret.toLowerCase(), text.toLowerCase()];
  let longest = 0;
  for (let from = 0; from < wanted.length; from += 1)
    while (given.includes(wanted.slice(from, from + longest + 1)) && from + longest < wanted.length)
      longest += 1;
  return longest;
}

describe('createRedactor', () => {
  it.each(Object.entries(encodings))('removes a secret %s', (_name, encode) => {
    fc.assert(
      fc.property(key, around, around, (secret, before, after) => {
        const cleaned = createRedactor([secret])(`${before} ${encode(secret)} ${after}`);
        expect(cleaned).toContain(redacted);
        expect(cleaned).not.toContain(encode(secret).slice(0, encode(secret).length / 2));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves no more than 8 characters in a row of a secret that was cut or split', () => {
    fc.assert(
      fc.property(key, fc.nat(60), fc.nat(60), (secret, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const part = secret.slice(from, to);
        const cleaned = createRedactor([secret])(`{"a":"${part}","b":"${secret.slice(to)}"}`);
        expect(shownOf(secret, cleaned)).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('keeps JSON valid, whatever of a secret is escaped in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 9, maxLength: 40 }),
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        around,
        (secret, escaped, more) => {
          const written = Array.from({ length: secret.length }, (_, at) =>
            escaped[at] === true
              ? `\\u${hex(secret.charCodeAt(at), 4)}`
              : JSON.stringify(secret.charAt(at)).slice(1, -1),
          ).join('');
          const json = `{"key":"${written}","more":${JSON.stringify(more)}}`;
          expect(JSON.parse(json)).toMatchObject({ key: secret });
          const cleaned = JSON.parse(createRedactor([secret])(json)) as { key: string };
          expect(shownOf(secret, cleaned.key)).toBeLessThanOrEqual(8);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds a secret anywhere in a text that is read in several windows', () => {
    const secret = 'sk-4f9Qx7Lm2Zp8Rt6Vb1Nc3Hd5';
    const redact = createRedactor([secret]);
    for (const at of [0, 262_130, 262_144, 300_000]) {
      const text = `${'x'.repeat(at)}${encodings['as JSON \\u escapes']?.(secret) ?? ''}${'y'.repeat(300_000)}`;
      expect(redact(text)).toBe(`${'x'.repeat(at)}${redacted}${'y'.repeat(300_000)}`);
    }
  });

  it('changes nothing in texts that only resemble a secret', () => {
    const redact = createRedactor(['sk-4f9Qx7Lm2Zp8Rt6Vb1Nc3Hd5', 'short']);
    const text = 'sk-4f9Qx and Rt6Vb1Nc, \\u0073k, 100%, R&D; short %zz &unknown;';
    expect(redact(text)).toBe(text);
    expect(createRedactor([])('anything')).toBe('anything');
  });

  it('removes secrets with characters beyond ASCII', () => {
    const redact = createRedactor(['пароль-от-базы']);
    expect(redact(`a=${encodeURIComponent('пароль-от-базы')}&b=1`)).toBe(`a=${redacted}&b=1`);
    expect(redact('ПАРОЛЬ пароль-от-базы!')).toBe(`ПАРОЛЬ ${redacted}!`);
  });
});
