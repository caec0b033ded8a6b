import { expect, it } from 'vitest';
import { orderedId } from './orderedId.ts';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('gives UUIDs of version 7 in order, more than fit into one millisecond', () => {
  const ids = Array.from({ length: 20_000 }, () => orderedId());
  expect(ids.filter((id) => !pattern.test(id))).toEqual([]);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(-17))).size).toBe(ids.length);
});

it('begins with the time, and stays in order where the clock is set back', () => {
  const ahead = Date.now() + 60_000;
  const later = orderedId(() => ahead);
  expect(Number.parseInt(later.replace('-', '').slice(0, 12), 16)).toBe(ahead);
  expect(orderedId(() => ahead - 30_000) > later).toBe(true);
});
