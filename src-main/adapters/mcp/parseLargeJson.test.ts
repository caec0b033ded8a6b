import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson } from '../../../src-shared/domain/json.ts';
import { parseLargeJson } from './parseLargeJson.ts';

const large = 'x"\\ü'.repeat(60_000);
const outcome = async (text: string): Promise<unknown> =>
  parseLargeJson(Buffer.from(text)).catch((error: unknown) =>
    error instanceof SyntaxError ? 'refused' : error,
  );
const expected = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return 'refused';
  }
};

describe('parseLargeJson', () => {
  it('gives the same value as JSON.parse for large texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.array(fc.jsonValue()),
        fc.constantFrom(undefined, 1),
        async (one, more, indent) => {
          const text = JSON.stringify(
            { one, large, '': [large, ...more, [], {}], __proto__: 1, nested: { large, more } },
            null,
            indent,
          );
          expect(await parseLargeJson(Buffer.from(text))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 15 },
    );
  });

  it.each([
    ['a comma at the end of a list', `[${JSON.stringify(large)},]`],
    ['a comma at the end of an object', `{"a":${JSON.stringify(large)},}`],
    ['no comma', `["${'a'.repeat(200_000)}" 1]`],
    ['an open list', `[${JSON.stringify(large)}`],
    ['an open string', `["${'a'.repeat(200_000)}]`],
    ['brackets of two kinds', `[{"a":"${'a'.repeat(200_000)}"]}`],
    ['a name without a value', `{"a","b":"${'a'.repeat(200_000)}"}`],
    ['two values', `[1]["${'a'.repeat(200_000)}"]`],
    ['a name that is no text', `{1:"${'a'.repeat(200_000)}"}`],
    ['an empty list of some size', `[${' '.repeat(200_000)}]`],
    ['spaces round everything', ` [ "${'a'.repeat(200_000)}" , 1 ] `],
  ])('accepts or rejects %s as JSON.parse does', async (_what, text) => {
    expect(await outcome(text)).toEqual(expected(text));
  });

  it('T22: keeps the last value of a duplicate name, as JSON.parse does', async () => {
    expect(
      await parseLargeJson(Buffer.from(`{"a":1,"b":"${'b'.repeat(200_000)}","a":2}`)),
    ).toMatchObject({ a: 2 });
  });

  it.each([5, 999, 1_000])('keeps %d levels', async (levels) => {
    const text = `{"a":${'['.repeat(levels - 1)}"${'x'.repeat(200_000)}"${']'.repeat(levels - 1)}}`;
    expect(isJson(await parseLargeJson(Buffer.from(text)), levels)).toBe(true);
  });

  it('cuts a value of a million levels and keeps what is next to it', async () => {
    const deep = `${'{"a":['.repeat(500_000)}${']}'.repeat(500_000)}`;
    const value = await parseLargeJson(Buffer.from(`{"deep":${deep},"after":["x",1]}`));
    expect(value).toMatchObject({ after: ['x', 1] });
    expect(isJson(value, 1_000)).toBe(false);
    expect(isJson(value, 1_010)).toBe(true);
  });
});
