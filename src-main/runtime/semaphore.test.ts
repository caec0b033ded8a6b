import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachLimited, Semaphore, type Release } from './semaphore.ts';

/** Resolves to true if the promise has settled by the time that everything due now is done. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => void (settled = true);
  promise.then(settle, settle);
  await untilQuiet();
  return settled;
}

async function untilQuiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe('Semaphore', () => {
  it('admits at most its limit, the longest waiting first', async () => {
    const semaphore = new Semaphore(2);
    const first = await semaphore.acquire();
    const second = await semaphore.acquire();
    const [third, fourth] = [semaphore.acquire(), semaphore.acquire()];
    expect(await isSettled(third)).toBe(false);
    first();
    await third;
    expect(await isSettled(fourth)).toBe(false);
    second();
    await fourth;
  });

  it('ignores a second release of the same slot', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    const [second, third] = [semaphore.acquire(), semaphore.acquire()];
    release();
    release();
    await second;
    expect(await isSettled(third)).toBe(false);
  });

  it('is idle exactly when no slot is taken', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.idle();
    const release = await semaphore.acquire();
    const waiting = semaphore.acquire();
    const idle = [semaphore.idle(), semaphore.idle()];
    release();
    expect(await isSettled(idle[0]!)).toBe(false);
    (await waiting)();
    await Promise.all(idle);
    await semaphore.idle();
  });

  it('rejects a wait that is aborted and gives its turn to the next', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    const abort = new AbortController();
    const aborted = semaphore.acquire(abort.signal);
    const next = semaphore.acquire();
    abort.abort(new Error('No longer needed.'));
    await expect(aborted).rejects.toThrow('No longer needed.');
    release();
    await next;
    await expect(semaphore.acquire(abort.signal)).rejects.toThrow('No longer needed.');
  });

  it('keeps the slot of a wait that is aborted after it was admitted', async () => {
    const semaphore = new Semaphore(1);
    const release = await semaphore.acquire();
    const abort = new AbortController();
    const admitted = semaphore.acquire(abort.signal);
    release();
    abort.abort(new Error('Too late.'));
    (await admitted)();
    await semaphore.idle();
  });

  it('admits those who wait when its limit is raised, and nobody above a lowered one', async () => {
    const semaphore = new Semaphore(2);
    const release = await semaphore.acquire();
    await semaphore.acquire();
    const waiting = semaphore.acquire();
    semaphore.limit = 1;
    release();
    expect(await isSettled(waiting)).toBe(false);
    semaphore.limit = 2;
    await waiting;
    expect(semaphore.held).toBe(2);
  });

  it('admits several at once if a limit given as a function has risen', async () => {
    let limit = 1;
    const semaphore = new Semaphore(() => limit);
    const release = await semaphore.acquire();
    const waiting = [semaphore.acquire(), semaphore.acquire(), semaphore.acquire()];
    limit = 2;
    release();
    await Promise.all(waiting.slice(0, 2));
    expect(await isSettled(waiting[2]!)).toBe(false);
  });

  it('keeps to its limit and loses no slot in any order of calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 40 }),
        async (limit, steps) => {
          const semaphore = new Semaphore(limit);
          const held: Release[] = [];
          let asked = 0;
          const releaseOne = async () => {
            asked -= 1;
            held.shift()?.();
            await untilQuiet();
          };
          for (const acquire of steps) {
            if (acquire) {
              asked += 1;
              void semaphore.acquire().then((release) => held.push(release));
              await untilQuiet();
            } else if (held.length > 0) await releaseOne();
            expect(held).toHaveLength(Math.min(limit, asked));
          }
          while (asked > 0) await releaseOne();
          await semaphore.idle();
        },
      ),
    );
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
