import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractWords } from '../../../src-shared/contract/contractWords.ts';
import { redacted } from './redact.ts';
import { createSecretGuard } from './secretGuard.ts';

const secret = 'sk-4f9Qx7Lm2Zp8Rt6Vb1Nc3Hd5';

function guardOf(...secrets: string[]) {
  const guard = createSecretGuard();
  guard.exempt(contractWords);
  for (const each of secrets) guard.guard(each);
  return guard;
}

describe('redactValue', () => {
  const { redactValue } = guardOf(secret);

  it('redacts strings and keys at any depth, and keeps what else is there', () => {
    expect(
      redactValue({
        list: [1, null, { text: `a ${secret} b` }],
        [secret]: true,
        [`x${secret}`]: 2,
      }),
    ).toEqual({
      list: [1, null, { text: `a ${redacted} b` }],
      [redacted]: true,
      [`x${redacted}`]: 2,
    });
    expect(redactValue(secret)).toBe(redacted);
  });

  it('keeps the values of two keys that become the same', () => {
    expect(redactValue({ [secret]: 1, [secret.toUpperCase()]: 2 })).toEqual({
      [redacted]: 1,
      [`${redacted} 2`]: 2,
    });
  });

  it('returns the same value where it holds no secret', () => {
    const value = { a: [{ b: 'text' }], n: Number.NaN, none: undefined };
    expect(redactValue(value)).toBe(value);
  });

  it('redacts cycles and 100,000 levels without recursion', () => {
    const cycle: { self?: unknown; text: string } = { text: secret };
    cycle.self = cycle;
    const clean = redactValue(cycle);
    expect(clean.text).toBe(redacted);
    expect(clean.self).toBe(clean);
    let deep: unknown = secret;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    let inner = redactValue(deep);
    while (Array.isArray(inner)) inner = inner[0];
    expect(inner).toBe(redacted);
  });

  it('keeps a key named __proto__ as data', () => {
    const value = JSON.parse(`{"__proto__":{"text":"${secret}"}}`) as object;
    expect(JSON.stringify(redactValue(value))).toBe(`{"__proto__":{"text":"${redacted}"}}`);
  });

  it('turns a number into text if its digits are a secret', () => {
    const { redactValue: clean, redact } = guardOf('48151623420815');
    expect(clean({ pin: 48_151_623_420_815, at: 1_700_000_000 })).toEqual({
      pin: redacted,
      at: 1_700_000_000,
    });
    expect(redact('{"pin":48151623420815}')).toBe(`{"pin":"${redacted}"}`);
  });
});

describe('redactTexts', () => {
  const collect = async (guard: ReturnType<typeof guardOf>, parts: readonly string[]) => {
    let text = '';
    for await (const part of guard.redactTexts(parts)) text += part;
    return text;
  };

  it('finds a secret however a text is split, and loses nothing', async () => {
    const escaped = Array.from(
      secret,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ).join('');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(secret, escaped, 'plain text ', '\\', '\\\\', '"', 'é😀'), {
          maxLength: 60,
        }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (pieces, sizes) => {
          const whole = pieces.join('|');
          const parts: string[] = [];
          for (let at = 0; at < whole.length;) {
            const size = sizes[parts.length % sizes.length] ?? 1;
            parts.push(whole.slice(at, at + size));
            at += size;
          }
          const guard = guardOf(secret);
          expect(await collect(guard, parts)).toBe(guard.redact(whole));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('passes parts on at once while nothing is guarded', async () => {
    const parts: string[] = [];
    for await (const part of guardOf().redactTexts(['a', 'b'])) parts.push(part);
    expect(parts).toEqual(['a', 'b']);
  });
});

describe('words that are no secrets', () => {
  it('leaves words of the contract, of other formats and dates, alone and as keys', () => {
    const { redact, redactValue } = guardOf(
      'anthropic-assistant-key-2026-11-22',
      'evaluation',
      'localhost-properties-1',
    );
    const value = {
      provider: 'anthropic',
      role: 'assistant',
      properties: {},
      evaluation: '2026-11-22T10:00:00.000Z',
    };
    expect(redactValue(value)).toBe(value);
    expect(redact('http://localhost:8080')).toBe('http://localhost:8080');
    expect(redact('anthropic-assistant')).toBe(redacted);
  });

  it('removes the tokens of a JSON document and keeps its names and addresses', () => {
    const state = {
      serverUrl: 'https://tools.example.test/mcp',
      clientInformation: { redirect_uris: ['http://127.0.0.1:4711/callback'] },
      tokens: { access_token: 'at-4f9Qx7Lm2Zp8Rt6V', token_type: 'Bearer' },
    };
    const { redact } = guardOf(JSON.stringify(state));
    const text = 'https://tools.example.test/mcp redirect_uris access_token /callback';
    expect(redact(text)).toBe(text);
    expect(redact(`Bearer ${state.tokens.access_token}`)).toBe(`Bearer ${redacted}`);
    expect(JSON.parse(redact(JSON.stringify(state)))).toEqual({
      ...state,
      tokens: { ...state.tokens, access_token: redacted },
    });
  });

  it('keeps scheme and host of an address and removes its password, key and query', () => {
    const { redact } = guardOf(
      'postgres://app:Tr0ub4dor%26three@db.internal:5432/production',
      'https://hooks.example.test/services/T0123456789/XyZ123456789?token=abcdef123456',
    );
    expect(redact('postgres://app:x@db.internal:5432/production')).toBe(
      'postgres://app:x@db.internal:5432/production',
    );
    expect(redact('https://hooks.example.test/services/')).toBe(
      'https://hooks.example.test/services/',
    );
    expect(redact('a Tr0ub4dor&three b XyZ123456789 c abcdef123456')).toBe(
      `a ${redacted} b ${redacted} c ${redacted}`,
    );
    expect(redact('postgres://app:Tr0ub4dor%26three@db.internal:5432/production')).toBe(redacted);
  });
});
