import { createRandom } from './random.ts';

/**
 * The integers from 0 to n − 1 in an order that the seed determines (Fisher–Yates with xoshiro128+;
 * docs/rules.md §3, Order).
 * @param n how many, ≥ 0
 * @param seed any integer; the same seed gives the same order on every machine
 * @returns a permutation of 0 … n − 1
 */
export function shuffled(n: number, seed: number): number[] {
  const random = createRandom(seed);
  const order = Array.from({ length: n }, (_, index) => index);
  for (let last = n - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}
