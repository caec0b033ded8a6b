import { describe, expect, it } from 'vitest';
import { newestOwn } from './sampleData.ts';

describe('newestOwn', () => {
  const [sample, first, second] = ['todo', 'mail', 'parcels'].map((name, at) => ({
    name,
    createdAt: `2026-11-0${at + 1}T10:00:00.000Z`,
  }));
  const all = [sample, second, first].flatMap((one) => one ?? []);

  it('is the one that was added last, in whatever order they are listed', () => {
    expect(newestOwn(all, ['todo'])).toBe(second);
    expect(newestOwn(all.toReversed(), ['todo'])).toBe(second);
  });

  it('passes over the sample, although it was added later', () => {
    expect(newestOwn(all, ['parcels', 'todo'])).toBe(first);
  });

  it('is nothing where all are of the sample', () => {
    expect(newestOwn(all, ['todo', 'mail', 'parcels'])).toBeUndefined();
    expect(newestOwn(all.slice(0, 0), [])).toBeUndefined();
  });
});
