import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shuffled } from './shuffle.ts';

it('keeps every index once and repeats for the same seed', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer(), (n, seed) => {
      const order = shuffled(n, seed);
      expect([...order].sort((a, b) => a - b)).toEqual(
        Array.from({ length: n }, (_, index) => index),
      );
      expect(shuffled(n, seed)).toEqual(order);
    }),
  );
});

it('puts each of 5 first about equally often', () => {
  const first = Array.from({ length: 5_000 }, (_, seed) => shuffled(5, seed)[0] ?? 0);
  for (const place of [0, 1, 2, 3, 4])
    expect(first.filter((each) => each === place).length).toBeGreaterThan(850);
});
