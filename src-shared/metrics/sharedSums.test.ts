import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SharedSums, type Shared } from './sharedSums.ts';

it('gives each the sums of what was added to it, and equal ones the same object', () => {
  const added = fc.record({ to: fc.nat(9), a: fc.nat(3), b: fc.nat(1) });
  fc.assert(
    fc.property(fc.array(added, { maxLength: 60 }), (steps) => {
      const shared = new SharedSums<{ a: number; b: number }>({ a: 0, b: 0 });
      const all = new Map<number, Shared<{ a: number; b: number }>>();
      const plain = new Map<number, { a: number; b: number }>();
      for (const { to, a, b } of steps) {
        all.set(
          to,
          shared.after(all.get(to) ?? shared.none, a * 2 + b, (sums) => {
            sums.a += a;
            sums.b += b;
          }),
        );
        const own = plain.get(to) ?? { a: 0, b: 0 };
        plain.set(to, { a: own.a + a, b: own.b + b });
      }
      expect([...all].map(([to, { sums }]) => [to, sums])).toEqual([...plain]);
      const distinct = new Set([...plain.values()].map((sums) => JSON.stringify(sums)));
      expect(new Set(all.values()).size).toBe(distinct.size);
    }),
  );
});
