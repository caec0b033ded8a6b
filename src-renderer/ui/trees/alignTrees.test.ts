import { describe, expect, it } from 'vitest';
import { alignTrees, type AlignedLine } from './alignTrees.ts';

const brief = (line: AlignedLine): string =>
  `${line.path || '/'} ${line.side} ${line.expected ?? '·'} | ${line.actual ?? '·'}${line.differs ? ' ≠' : ''}`;

describe('alignTrees', () => {
  it('ignores the order of keys', () => {
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

  it('shows members that only one side has', () => {
    expect(alignTrees({ a: 1, gone: 2 }, { a: 3, extra: null }).lines.map(brief)).toEqual([
      '/ both · | ·',
      '/a both 1 | 3 ≠',
      '/gone expected 2 | ·',
      '/extra actual · | null',
    ]);
  });

  it('treats null, false and "" as values', () => {
    expect(alignTrees(null, false).lines.map(brief)).toEqual(['/ both null | false ≠']);
    expect(alignTrees('', undefined).lines.map(brief)).toEqual(['/ expected "" | ·']);
    expect(alignTrees(undefined, undefined).lines.map(brief)).toEqual(['/ neither · | ·']);
  });

  it('shows a list and an object whole', () => {
    expect(alignTrees(['x'], { 0: 'x' }).lines.map(brief)).toEqual(['/ both ["x"] | {"0":"x"} ≠']);
    expect(alignTrees({}, { a: 1 }).lines.map(brief)).toEqual(['/ both {} | {"a":1} ≠']);
  });

  it('shows a matcher whole', () => {
    const isLeaf = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && '$any' in value;
    expect(
      alignTrees({ day: { $any: [1, 2] } }, { day: { deep: 1 } }, { isLeaf }).lines.map(brief),
    ).toEqual(['/ both · | ·', '/day both {"$any":[1,2]} | {"deep":1} ≠']);
  });

  it('cuts a list of a million entries at the limit', () => {
    const huge = Array.from({ length: 1_000_000 }, (_, index) => index);
    const whole = alignTrees([1, 2], huge, { limit: 50 });
    expect(whole.lines).toHaveLength(50);
    expect(whole.cut).toBe(true);
    const deep = alignTrees(undefined, huge, { limit: 50 });
    expect(deep.lines).toHaveLength(50);
    expect(deep.cut).toBe(true);
  });
});
