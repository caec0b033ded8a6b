import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachLimited, Semaphore } from './semaphore.ts';

/** Resolves to true where the promise has settled by the time that everything due now is done. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return settled;
}

describe('Semaphore', () => {
  it('admits at most its limit, the longest waiting first', async () => {
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

  it('is idle exactly when no slot is taken', async () => {
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

  it('keeps to its limit and loses no slot in any order of calls', async () => {
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

  it('admits those who wait when its limit is raised, and nobody above a lowered one', async () => {
    const semaphore = new Semaphore(2);
    await semaphore.acquire();
    await semaphore.acquire();
    const waiting = semaphore.acquire();
    semaphore.limit = 1;
    semaphore.release();
    expect(await isSettled(waiting)).toBe(false);
    semaphore.limit = 2;
    await waiting;
    expect(semaphore.held).toBe(2);
  });

  it('rejects a wait that is aborted and gives its turn to the next', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const stop = new AbortController();
    const [aborted, next] = [semaphore.acquire(stop.signal), semaphore.acquire()];
    stop.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    await expect(semaphore.acquire(stop.signal)).rejects.toThrow('stopped');
    semaphore.release();
    await next;
  });
});

describe('forEachLimited', () => {
  it('works at every item once, at most the limit at a time', async () => {
    let [running, most] = [0, 0];
    const seen: number[] = [];
    await forEachLimited([1, 2, 3, 4, 5], 2, async (item, index) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      seen.push(item * 10 + index);
      running -= 1;
    });
    expect([most, seen]).toEqual([2, [10, 21, 32, 43, 54]]);
  });

  it('rejects with the first error', async () => {
    const work = forEachLimited([1, 2, 3], 2, async (item) => {
      if (item === 2) throw new Error(`item ${item}`);
    });
    await expect(work).rejects.toThrow('item 2');
  });
});
