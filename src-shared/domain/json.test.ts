import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonObject, jsonValue } from './json.ts';

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('JSON values', () => {
  it('accepts everything that JSON.parse returns', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) => jsonValue.safeParse(JSON.parse(JSON.stringify(value))).success,
      ),
    );
  });

  it('T64: rejects a depth of 100,000 without exhausting the stack', () => {
    expect(jsonValue.safeParse(nested(100_000)).success).toBe(false);
    expect(jsonValue.safeParse(nested(6_000)).success).toBe(true);
  });

  it('rejects a depth of 100,000 below a member called __proto__', () => {
    const hidden: unknown = JSON.parse(
      `{"__proto__":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    );
    expect(jsonObject.safeParse(hidden).success).toBe(false);
  });

  it.each([undefined, Number.NaN, Infinity, () => 1, Symbol('x')])(
    'rejects %s, which is not JSON',
    (value) => {
      expect(jsonValue.safeParse(value).success).toBe(false);
      expect(jsonObject.safeParse({ value }).success).toBe(false);
    },
  );

  it('rejects arrays and null as objects', () => {
    expect(jsonObject.safeParse([]).success).toBe(false);
    expect(jsonObject.safeParse(null).success).toBe(false);
  });
});
