import { afterEach, describe, expect, it } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { calls, called, says, scripted } from '../../testing/taskRuns.ts';
import { createTaskService, task } from '../../testing/taskService.ts';

afterEach(expectNoLeaks);

/**
 * An evaluation of tasks whose model was down, and is up again. `hold` makes the next model wait
 * while it is opened; `opened` resolves once it does.
 */
async function broken(names: string[]) {
  const state = { isDown: true, asked: 0, hold: null as Promise<void> | null };
  const opening = Promise.withResolvers<void>();
  const at = createTaskService(
    names.map((name) => task(name)),
    async () => {
      if (state.hold !== null) {
        opening.resolve();
        await state.hold;
      }
      return scripted(async ({ by }) => {
        state.asked += 1;
        if (state.isDown) throw new Error('down');
        return by === 'user' ? calls(called('add_task')) : says('Done.');
      }).model;
    },
  );
  const id = await at.start({ concurrency: 1 });
  await at.drain(id);
  Object.assign(state, { isDown: false, asked: 0 });
  return { at, id, state, opening: opening.promise };
}

describe('a resume of tasks', () => {
  it('runs everything once where two come at once', async () => {
    const { at, id, state } = await broken(['one', 'two', 'three']);
    await using _at = at;
    const both = await Promise.all([at.service.resume({ id }), at.service.resume({ id })]);
    expect(both.map((one) => one.state)).toEqual(['running', 'running']);
    const events = await at.drain(id);
    expect(events.filter(({ type }) => type === 'resumed')).toHaveLength(1);
    expect(state.asked).toBe(6);
    expect(await at.runs(id)).toMatchObject(
      Array.from({ length: 3 }, () => ({ outcome: 'succeeded', attempt: 2 })),
    );
  }, 60_000);

  it('leaves alone what another program has begun to resume', async () => {
    const { at, id, state } = await broken(['one', 'two']);
    await using _at = at;
    const other = at.open();
    const [, second] = await Promise.all([at.service.resume({ id }), other.resume({ id })]);
    expect(second.state).toBe('running');
    await at.drain(id);
    await other.close();
    expect(state.asked).toBe(4);
    expect((await at.service.get({ id })).state).toBe('completed');
  }, 60_000);

  it('is canceled by a cancel that comes while it is being planned', async () => {
    const { at, id, state, opening } = await broken(['one', 'two']);
    await using _at = at;
    const hold = Promise.withResolvers<void>();
    state.hold = hold.promise;
    const resumed = at.service.resume({ id });
    await opening;
    const cancelled = at.service.cancel({ id });
    hold.resolve();
    await resumed;
    expect((await cancelled).state).toBe('cancelled');
    expect((await at.runs(id)).some(({ outcome }) => outcome === 'succeeded')).toBe(false);
  }, 60_000);

  it('gives the evaluation back if no model can be opened, and can be tried again', async () => {
    const { at, id, state } = await broken(['one']);
    await using _at = at;
    const before = await at.service.get({ id });
    state.hold = Promise.reject(new Error('No key.'));
    state.hold.catch(() => undefined);
    const both = await Promise.allSettled([at.service.resume({ id }), at.service.resume({ id })]);
    expect(both).toMatchObject([
      { status: 'rejected', reason: { message: 'No key.' } },
      { status: 'rejected', reason: { message: 'No key.' } },
    ]);
    const { reason, completedAt } = before;
    expect(await at.service.get({ id })).toMatchObject({
      state: 'incomplete',
      reason,
      completedAt,
    });
    state.hold = null;
    await at.service.resume({ id });
    await at.drain(id);
    expect((await at.service.get({ id })).state).toBe('completed');
  }, 60_000);

  it('can begin again after the program ended while it was being planned', async () => {
    const { at, id, state } = await broken(['one']);
    await using _at = at;
    expect(at.store.evaluations.claim(id, 'a process that is gone')).toBe(true);
    const next = at.open();
    next.recover();
    expect((await next.get({ id })).state).toBe('interrupted');
    await next.resume({ id });
    for await (const _event of next.watch({ id, afterSeq: 0 }, new AbortController())) continue;
    await next.close();
    expect(state.asked).toBe(2);
  }, 60_000);

  it('T50: continues what a full disk stopped, and plays no run again whose end it held', async () => {
    let asked = 0;
    await using at = createTaskService(
      Array.from({ length: 60 }, (_, index) => task(`t${index}`)),
      () =>
        scripted(async ({ by }) => {
          asked += 1;
          return by === 'user' ? calls(called('add_task')) : says('x'.repeat(2_000));
        }).model,
    );
    const { db } = at.database;
    const id = await at.start({ concurrency: 4, mode: 'stub' });
    const pages = Number(db.pragma('page_count', { simple: true }));
    db.pragma(`max_page_count = ${pages + 20}`);
    await at.drain(id);
    const paused = await at.service.get({ id });
    expect(paused).toMatchObject({
      state: 'interrupted',
      reason: expect.stringMatching(/disk|full|space/i) as unknown,
    });
    await expect(at.service.resume({ id })).rejects.toThrow();
    db.pragma('max_page_count = 1000000');
    await at.service.resume({ id });
    await at.drain(id);
    const after = await at.service.get({ id });
    expect(after).toMatchObject({ state: 'completed', outcomes: { succeeded: 60 } });
    // Two requests a run; those in progress when the disk filled up are asked again.
    expect(asked).toBeLessThanOrEqual(2 * (60 + 4));
  }, 60_000);
});
