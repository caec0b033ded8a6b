import { describe, expect, it } from 'vitest';
import { call, createEngine } from '../../../testing/engine.ts';

const servers = { s: [{ name: 'add' }] };
const cases = Array.from({ length: 6 }, (_, at) => ({
  query: `add ${at}`,
  expected: [{ server: 's', tool: 'add' }],
}));

/** An evaluation whose model was down, and is up again. `hold` makes the next answers wait. */
async function broken() {
  const state = { isDown: true, asked: 0 };
  const engine = await createEngine({
    servers,
    cases,
    script: async () => {
      state.asked += 1;
      if (state.isDown) throw new Error('down');
      return { calls: [call('s', 'add')] };
    },
  });
  const id = await engine.start();
  await engine.drain(id);
  Object.assign(state, { isDown: false, asked: 0 });
  return { engine, id, state };
}

describe('a resume', () => {
  it('runs everything once where two come at once, also in two programs', async () => {
    const { engine, id, state } = await broken();
    await using _engine = engine;
    const other = engine.takeOver();
    const all = await Promise.all([
      engine.service.resume({ id }),
      engine.service.resume({ id }),
      other.resume({ id }),
    ]);
    expect(all.map((one) => one.state)).toEqual(['running', 'running', 'running']);
    const events = await engine.drain(id);
    expect(events.filter(({ type }) => type === 'resumed')).toHaveLength(1);
    expect(state.asked).toBe(cases.length);
    expect((await engine.service.get({ id })).state).toBe('completed');
    await other.close();
  });

  it('is canceled by a cancel that comes while it is being planned', async () => {
    const { engine, id } = await broken();
    await using _engine = engine;
    const resumed = engine.service.resume({ id });
    const cancelled = await engine.service.cancel({ id });
    await resumed;
    expect(cancelled.state).toBe('cancelled');
  });

  it('keeps a second scoring out while it is being planned', async () => {
    const { engine, id } = await broken();
    await using _engine = engine;
    const resumed = engine.service.resume({ id });
    await expect(engine.service.rescore({ id, expectations: 'frozen' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await resumed;
    await engine.drain(id);
  });

  it('can begin again after the program ended while it was being planned', async () => {
    const { engine, id, state } = await broken();
    await using _engine = engine;
    expect(engine.database.store.evaluations.claim(id, 'a process that is gone')).toBe(true);
    const next = engine.takeOver();
    next.recover();
    expect((await next.get({ id })).state).toBe('interrupted');
    await next.resume({ id });
    for await (const _event of next.watch({ id, afterSeq: 0 }, new AbortController())) continue;
    expect(state.asked).toBe(cases.length);
    await next.close();
  });
});
