import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { threads } from './watchedWorker.ts';
import type { Order } from './workerPool.fixture.ts';
import { WorkerPool, type WorkerPoolOptions } from './workerPool.ts';

const entry = new URL('./workerPool.fixture.ts', import.meta.url);
const open: WorkerPool<Order, unknown>[] = [];

function createPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool<Order, unknown> {
  const pool = new WorkerPool<Order, unknown>({ entry, ...options });
  open.push(pool);
  return pool;
}

const double = (value: number): Order => ({ do: 'double', value });
const done = (value: unknown) => ({ outcome: 'done', value });

// As in the program: the threads of a pool end with it.
beforeAll(() => void (threads.keep = false));
afterAll(() => void (threads.keep = true));
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

describe('WorkerPool', () => {
  it('returns the results of every batch in the order of its items', async () => {
    const pool = createPool({ size: 2 });
    const batches = await Promise.all([
      pool.run([double(1), double(2)]),
      pool.run([double(3)]),
      pool.run([]),
    ]);
    expect(batches).toEqual([[done(2), done(4)], [done(6)], []]);
  });

  it('receives bytes that an item hands over, which its thread has no longer', async () => {
    const pool = createPool();
    const handOver = { do: 'handOver' as const, bytes: [1, 2, 3] };
    expect(await pool.run([handOver, double(1)])).toEqual([
      done(Uint8Array.from([1, 2, 3])),
      done(2),
    ]);
    expect(await pool.run([{ do: 'countHeld' }])).toEqual([done(0)]);
    expect(await pool.run([handOver])).toEqual([done(Uint8Array.from([1, 2, 3]))]);
  });

  it('T36: reports only the items that never end as over time', async () => {
    const pool = createPool({ cpuLimitMs: 60 });
    const outcomes = await pool.run([
      double(1),
      { do: 'spin' },
      double(2),
      { do: 'spin' },
      double(3),
    ]);
    expect(outcomes).toMatchObject([
      done(2),
      { outcome: 'over_time', stage: 7, detail: 42 },
      done(4),
      { outcome: 'over_time' },
      done(6),
    ]);
  });

  it('reports nothing of an earlier item while the next one has not started', async () => {
    const pool = createPool();
    await pool.run([{ do: 'report', stage: 7 }]);
    const next = pool.run([double(1)]);
    expect(pool.reported).toEqual({ stage: 0, detail: 0 });
    await next;
  });

  it('T36: leaves the event loop free while an item never ends', async () => {
    const pool = createPool({ cpuLimitMs: 100 });
    let turns = 0;
    let over = false;
    const turn = (): void => {
      turns += 1;
      if (!over) setImmediate(turn);
    };
    turn();
    const [outcome] = await pool.run([{ do: 'spin' }]);
    over = true;
    expect(outcome?.outcome).toBe('over_time');
    expect(turns).toBeGreaterThan(50);
  });

  it('measures the computing time of each item by itself', async () => {
    const pool = createPool({ cpuLimitMs: 150 });
    const items: Order[] = Array.from({ length: 6 }, () => ({ do: 'spinForMs', ms: 60 }));
    expect(await pool.run(items)).toEqual(items.map(() => done('spun')));
  });

  it('does not count waiting as computing time', async () => {
    const pool = createPool({ cpuLimitMs: 60, wallLimitMs: 60_000 });
    expect(await pool.run([{ do: 'sleepMs', ms: 400 }])).toEqual([done('slept')]);
  });

  it('ends an item that sleeps beyond the wall-clock limit', async () => {
    const pool = createPool({ cpuLimitMs: 1000, wallLimitMs: 150 });
    expect(await pool.run([{ do: 'sleepMs', ms: 600_000 }, double(1)])).toMatchObject([
      { outcome: 'over_time' },
      done(2),
    ]);
  });

  it('reports an error of one item and keeps the worker', async () => {
    const pool = createPool();
    expect(await pool.run([{ do: 'count' }, { do: 'throw' }, { do: 'count' }])).toEqual([
      done(1),
      { outcome: 'failed', reason: 'no' },
      done(2),
    ]);
  });

  it('reports only the item that ended its thread as crashed', async () => {
    const pool = createPool();
    expect(await pool.run([double(1), { do: 'exit' }, double(2)])).toMatchObject([
      done(2),
      { outcome: 'crashed', stage: 3, detail: 1 },
      done(4),
    ]);
  });

  it('T36: ends a thread that exhausts its memory and keeps the process', async () => {
    const pool = createPool({
      cpuLimitMs: 60_000,
      wallLimitMs: 120_000,
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    });
    const [exhausted, after] = await pool.run([{ do: 'exhaust' }, double(4)]);
    expect(exhausted?.outcome).toBe('crashed');
    expect(after).toEqual(done(8));
  });

  it('provides the shared value of each key, also after a worker was replaced', async () => {
    const pool = createPool({ cpuLimitMs: 60, sharedValues: 2 });
    const ask = (key: string, more: Order[] = []) =>
      pool.run([...more, { do: 'shared' }], { shared: { key, value: { name: key } } });
    expect(await ask('a')).toEqual([done({ name: 'a' })]);
    expect(await ask('b', [{ do: 'spin' }])).toMatchObject([
      { outcome: 'over_time' },
      done({ name: 'b' }),
    ]);
    for (const key of ['a', 'c', 'd', 'a', 'b'])
      expect(await ask(key)).toEqual([done({ name: key })]);
    expect(await pool.run([{ do: 'shared' }])).toEqual([done(null)]);
  });

  it('sends a shared value to a worker once', async () => {
    const pool = createPool();
    let reads = 0;
    // A value is read when it is sent: the getter tells how often.
    const value = Object.defineProperty({}, 'probe', { enumerable: true, get: () => (reads += 1) });
    for (let batch = 0; batch < 5; batch += 1)
      await pool.run([{ do: 'shared' }], { shared: { key: 'k', value } });
    expect(reads).toBe(1);
  });

  it('rejects aborted batches at once and completes the others', async () => {
    const pool = createPool({ cpuLimitMs: 200 });
    const abort = new AbortController();
    const stuck = pool.run([{ do: 'spin' }], { signal: abort.signal });
    const queued = pool.run([double(5)], { signal: abort.signal });
    const other = pool.run([double(6)]);
    abort.abort(new Error('enough'));
    await expect(stuck).rejects.toThrow('enough');
    await expect(queued).rejects.toThrow('enough');
    expect(await other).toEqual([done(12)]);
    await expect(pool.run([double(1)], { signal: abort.signal })).rejects.toThrow('enough');
  });

  it('rejects every waiting batch when it is closed', async () => {
    const pool = createPool();
    const waiting = [pool.run([{ do: 'spin' }]), pool.run([double(1)])].map((each) =>
      expect(each).rejects.toThrow('closed'),
    );
    await pool.close();
    await Promise.all(waiting);
    await expect(pool.run([double(1)])).rejects.toThrow('closed');
  });

  it('rejects when no worker starts', async () => {
    const pool = createPool({ entry: new URL('./no-such-worker.ts', import.meta.url) });
    await expect(pool.run([double(1)])).rejects.toThrow(/does not start/);
  });

  it('rejects a value that cannot be sent and goes on with the next batch', async () => {
    const pool = createPool();
    const unsendable = { do: 'double', value: () => 1 } as unknown as Order;
    const outcomes = await Promise.allSettled([pool.run([unsendable]), pool.run([double(2)])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('leaves an idle thread to the next pool of the same module, without its shared values', async () => {
    threads.keep = true;
    const counted = async (key: string, value: unknown) => {
      const pool = createPool();
      const shared = { key, value };
      const outcomes = await pool.run([{ do: 'count' }, { do: 'shared' }], { shared });
      await pool.close();
      return outcomes;
    };
    try {
      const first = await counted('k', 'of the first pool');
      expect(first).toEqual([done(1), done('of the first pool')]);
      expect(await counted('k', 'of the next')).toEqual([done(2), done('of the next')]);
    } finally {
      threads.keep = false;
    }
  });
});
