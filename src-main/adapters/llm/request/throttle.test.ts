import { describe, expect, it } from 'vitest';
import { ask, noteWaits, openTestModel } from '../../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer } from '../../../testing/fakeModelServer/start.ts';
import { Throttle } from './throttle.ts';
import type { Timing } from './timing.ts';

const never = new AbortController().signal;
const free = { perMinute: null, waited: false };

/** A clock that goes on only by the waits that are asked for. */
function walkingClock(): Timing & { waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    random: () => 0,
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}

/** Whether it has been let in once everything that could happen has happened. */
async function settles(work: Promise<unknown>): Promise<boolean> {
  let done = false;
  void work.then(
    () => (done = true),
    () => undefined,
  );
  await new Promise((resolve) => setImmediate(resolve));
  return done;
}

function acquireMany(throttle: Throttle, count: number): Promise<(() => void)[]> {
  return Promise.all(Array.from({ length: count }, () => throttle.acquire(never, free)));
}

describe('Throttle', () => {
  it('has no limit until an overload, then half of what was under way', async () => {
    const throttle = new Throttle(noteWaits());
    const releases = await acquireMany(throttle, 8);
    expect(throttle.limit).toBe(Number.POSITIVE_INFINITY);
    throttle.overloaded(null);
    expect(throttle.limit).toBe(4);
    const ninth = throttle.acquire(never, free);
    for (const release of releases.splice(0, 4)) release();
    expect(await settles(ninth)).toBe(false);
    releases[0]?.();
    expect(await settles(ninth)).toBe(true);
  });

  it('allows one request more after each full round of successes', async () => {
    const throttle = new Throttle(noteWaits());
    await acquireMany(throttle, 4);
    throttle.overloaded(null);
    throttle.overloaded(null);
    expect(throttle.limit).toBe(1);
    throttle.overloaded(null);
    expect(throttle.limit).toBe(1);
    const limits: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      throttle.succeeded();
      limits.push(throttle.limit);
    }
    // One more for each full round of successes.
    expect(limits).toEqual([2, 2, 3, 3, 3, 4]);
  });

  it('spaces requests by the rate, without a wait before the first', async () => {
    const clock = walkingClock();
    const throttle = new Throttle(clock);
    for (let count = 0; count < 4; count += 1)
      await throttle.acquire(never, { perMinute: 30, waited: false });
    expect(clock.waits).toEqual([2_000, 2_000, 2_000]);
  });

  it('holds new requests as long as the host asked, and none that has waited already', async () => {
    const clock = walkingClock();
    const throttle = new Throttle(clock);
    const releaseFirst = await throttle.acquire(never, free);
    throttle.overloaded(7_000);
    releaseFirst();
    const releaseSecond = await throttle.acquire(never, { perMinute: null, waited: true });
    expect(clock.waits).toEqual([]);
    releaseSecond();
    await throttle.acquire(never, free);
    expect(clock.waits).toEqual([7_000]);
  });

  it('leaves the next slot to others when a waiting request is aborted', async () => {
    const throttle = new Throttle(noteWaits());
    const release = await throttle.acquire(never, free);
    throttle.overloaded(null);
    const stop = new AbortController();
    const [given, next] = [throttle.acquire(stop.signal, free), throttle.acquire(never, free)];
    stop.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    expect(await settles(next)).toBe(false);
    release();
    expect(await settles(next)).toBe(true);
  });

  it('gets every answer from a host that is overloaded at first', async () => {
    let refusing = true;
    await using server = await startFakeModelServer({
      rule: () =>
        refusing
          ? { does: 'error', status: 429, type: 'rate_limit_error', message: 'Slow down.' }
          : { does: 'answer', text: 'ok' },
    });
    const timing = noteWaits();
    const model = await openTestModel(server, 'openai-compatible', {
      configuration: { maxRetries: 5 },
      timing: {
        ...timing,
        wait: async (ms, signal) => {
          refusing = false;
          await timing.wait(ms, signal);
        },
      },
    });
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => model.choose(ask('hello'), AbortSignal.timeout(20_000))),
    );
    expect(replies.map(({ observation }) => observation.text)).toEqual(new Array(16).fill('ok'));
    expect(timing.waits.length).toBeGreaterThan(0);
    expect(server.requests.length).toBeGreaterThan(16);
    await model.close();
  });
});
