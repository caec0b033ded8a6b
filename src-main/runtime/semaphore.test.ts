import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Resolves to true where the promise has settled by the time that everything due now is done. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return settled;
}

describe('Gate', () => {
  it('would let more in than its limit, or forget who waits', async () => {
    const semaphore = new Semaphore(2);
    await semaphore.acquire();
    await semaphore.acquire();
    const [third, fourth] = [semaphore.acquire(), semaphore.acquire()];
    expect(await isSettled(third)).toBe(false);
    semaphore.release();
    await third;
    // The longest waiting goes first, and its place is not given out twice.
    expect(await isSettled(fourth)).toBe(false);
    semaphore.release();
    await fourth;
  });

  it('idle would come while somebody is inside, or never', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.idle();
    await semaphore.acquire();
    const waiting = semaphore.acquire();
    const idle = [semaphore.idle(), semaphore.idle()];
    semaphore.release();
    await waiting;
    expect(await isSettled(idle[0]!)).toBe(false);
    semaphore.release();
    await Promise.all(idle);
    await semaphore.idle();
  });

  it('any order of entering and leaving would pass the limit or lose a place', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        async (limit, steps) => {
          const semaphore = new Semaphore(limit);
          let inside = 0;
          let asked = 0;
          const entered: Promise<void>[] = [];
          for (const enter of steps) {
            if (enter) {
              asked += 1;
              entered.push(semaphore.acquire().then(() => void (inside += 1)));
            } else if (inside > 0) {
              inside -= 1;
              asked -= 1;
              semaphore.release();
            }
            for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
            expect(inside).toBe(Math.min(limit, asked));
          }
          while (asked > 0) {
            asked -= 1;
            inside -= 1;
            semaphore.release();
            for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          }
          await Promise.all(entered);
          await semaphore.idle();
        },
      ),
    );
  });
});
