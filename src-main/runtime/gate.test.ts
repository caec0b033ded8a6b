import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Gate } from './gate.ts';

/** Resolves to true where the promise has settled by the time that everything due now is done. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return settled;
}

describe('Gate', () => {
  it('would let more in than its limit, or forget who waits', async () => {
    const gate = new Gate(2);
    await gate.enter();
    await gate.enter();
    const [third, fourth] = [gate.enter(), gate.enter()];
    expect(await isSettled(third)).toBe(false);
    gate.leave();
    await third;
    // The longest waiting goes first, and its place is not given out twice.
    expect(await isSettled(fourth)).toBe(false);
    gate.leave();
    await fourth;
  });

  it('idle would come while somebody is inside, or never', async () => {
    const gate = new Gate(1);
    await gate.idle();
    await gate.enter();
    const waiting = gate.enter();
    const idle = [gate.idle(), gate.idle()];
    gate.leave();
    await waiting;
    expect(await isSettled(idle[0]!)).toBe(false);
    gate.leave();
    await Promise.all(idle);
    await gate.idle();
  });

  it('any order of entering and leaving would pass the limit or lose a place', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        async (limit, steps) => {
          const gate = new Gate(limit);
          let inside = 0;
          let asked = 0;
          const entered: Promise<void>[] = [];
          for (const enter of steps) {
            if (enter) {
              asked += 1;
              entered.push(gate.enter().then(() => void (inside += 1)));
            } else if (inside > 0) {
              inside -= 1;
              asked -= 1;
              gate.leave();
            }
            for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
            expect(inside).toBe(Math.min(limit, asked));
          }
          while (asked > 0) {
            asked -= 1;
            inside -= 1;
            gate.leave();
            for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          }
          await Promise.all(entered);
          await gate.idle();
        },
      ),
    );
  });
});
