import { describe, expect, it } from 'vitest';
import { alignTrees, type AlignedLine } from './alignTrees.ts';

const brief = (line: AlignedLine): string =>
  `${line.path || '/'} ${line.side} ${line.expected ?? '·'} | ${line.actual ?? '·'}${line.differs ? ' ≠' : ''}`;

describe('two trees side by side', () => {
  it('keys in another order must not look like differences', () => {
    expect(
      alignTrees({ a: 1, b: { c: [true] } }, { b: { c: [true] }, a: 1 }).lines.map(brief),
    ).toEqual([
      '/ both · | ·',
      '/a both 1 | 1',
      '/b both · | ·',
      '/b/c both · | ·',
      '/b/c/[0] both true | true',
    ]);
  });

  it('an argument that only one side has would vanish if only common keys were walked', () => {
    expect(alignTrees({ a: 1, gone: 2 }, { a: 3, extra: null }).lines.map(brief)).toEqual([
      '/ both · | ·',
      '/a both 1 | 3 ≠',
      '/gone expected 2 | ·',
      '/extra actual · | null',
    ]);
  });

  it('null, false and "" are values, not absences', () => {
    expect(alignTrees(null, false).lines.map(brief)).toEqual(['/ both null | false ≠']);
    expect(alignTrees('', undefined).lines.map(brief)).toEqual(['/ expected "" | ·']);
    expect(alignTrees(undefined, undefined).lines.map(brief)).toEqual(['/ neither · | ·']);
  });

  it('a list against an object has no common keys to walk: both stand whole', () => {
    expect(alignTrees(['x'], { 0: 'x' }).lines.map(brief)).toEqual(['/ both ["x"] | {"0":"x"} ≠']);
    expect(alignTrees({}, { a: 1 }).lines.map(brief)).toEqual(['/ both {} | {"a":1} ≠']);
  });

  it('the inside of a matcher taken for expected arguments would show nonsense', () => {
    const isLeaf = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && '$any' in value;
    expect(
      alignTrees({ day: { $any: [1, 2] } }, { day: { deep: 1 } }, { isLeaf }).lines.map(brief),
    ).toEqual(['/ both · | ·', '/day both {"$any":[1,2]} | {"deep":1} ≠']);
  });

  it('a reply of a million entries must not become a million rows', () => {
    const huge = Array.from({ length: 1_000_000 }, (_, index) => index);
    const whole = alignTrees([1, 2], huge, { limit: 50 });
    expect(whole.lines).toHaveLength(50);
    expect(whole.cut).toBe(true);
    const deep = alignTrees(undefined, huge, { limit: 50 });
    expect(deep.lines).toHaveLength(50);
    expect(deep.cut).toBe(true);
  });
});
