import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { evaluationUnits } from '../../../src-shared/domain/gate.ts';
import { ChatFailure } from '../../adapters/llm/chatModel.ts';
import { call, createEngine } from '../../testing/engine.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { playUnit } from '../../testing/playedUnit.ts';

afterEach(expectNoLeaks);

const { signal } = new AbortController();
const refusedKey = () => new ChatFailure('provider', 'The key was refused (401).', { fatal: true });

describe.each(evaluationUnits)('an evaluation of %ss that ends early', (unit) => {
  /** An evaluation whose fourth answer never comes, at the moment when it is asked for. */
  async function stuck(entries: number) {
    const reached = Promise.withResolvers<void>();
    const state = { isStuck: true, asked: [] as number[] };
    const at = await playUnit(unit, {
      entries,
      answer: async (entry) => {
        state.asked.push(entry);
        if (entry !== 3 || !state.isStuck) return true;
        reached.resolve();
        return new Promise(() => undefined);
      },
    });
    const id = await at.start({ concurrency: 1 });
    await reached.promise;
    return { at, id, state };
  }

  it('cancels while a model never answers and keeps the finished runs', async () => {
    const { at, id } = await stuck(20);
    await using _at = at;
    const began = performance.now();
    expect((await at.service.cancel({ id })).state).toBe('cancelled');
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await at.counts(id)).toEqual({ passed: 3, failed: 0, not_scored: 0, not_run: 17 });
  });

  it('lets one that waits for it begin when it has ended', async () => {
    const { at, id, state } = await stuck(4);
    await using _at = at;
    const next = await at.start({ after: id });
    expect(await at.service.get({ id: next })).toMatchObject({ state: 'running', startedAt: null });
    expect(state.asked).toEqual([0, 1, 2, 3]);
    state.isStuck = false;
    await at.service.cancel({ id });
    await at.drain(next);
    const [first, second] = [await at.service.get({ id }), await at.service.get({ id: next })];
    expect(second.state).toBe('completed');
    expect(Date.parse(second.startedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(first.completedAt ?? ''),
    );
    expect(state.asked.slice(4).toSorted()).toEqual([0, 1, 2, 3]);
    // The one before it has ended long ago.
    await at.drain(await at.start({ after: id }));
  });

  it('cancels one that waits for it, before it asked anything', async () => {
    const { at, id } = await stuck(4);
    await using _at = at;
    const next = await at.start({ after: id });
    expect((await at.service.cancel({ id: next })).state).toBe('cancelled');
    expect(await at.counts(next)).toEqual({ passed: 0, failed: 0, not_scored: 0, not_run: 4 });
    expect((await at.service.get({ id })).state).toBe('running');
  });

  it('is interrupted, not cancelled, when the program ends while it runs', async () => {
    const { at, id } = await stuck(20);
    await using _at = at;
    await at.service.close();
    expect(await at.service.get({ id })).toMatchObject({
      state: 'interrupted',
      reason: 'Touchstone exited while this evaluation was running.',
    });
    expect(await at.counts(id)).toEqual({ passed: 3, failed: 0, not_scored: 0, not_run: 17 });
  });

  it('resumes without repeating finished runs; only the last attempt counts', async () => {
    const { at, id, state } = await stuck(6);
    await using _at = at;
    await at.service.cancel({ id });
    state.isStuck = false;
    const before = at.database.store.events.lastSeq(id);
    await at.service.resume({ id });
    await at.drain(id, before);
    expect((await at.service.get({ id })).state).toBe('completed');
    expect(state.asked.toSorted()).toEqual([0, 1, 2, 3, 3, 4, 5]);
    const runs = await at.runs(id);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 1, 1]);
    expect(runs.every(({ end }) => end === 'passed')).toBe(true);
  });

  it('T49: is interrupted when its owner died, and completes after a resume', async () => {
    await using at = await playUnit(unit, { entries: 4, answer: async () => true });
    const id = await at.start();
    await at.drain(id);
    // What a killed program leaves behind: a running evaluation with a run under way.
    at.database.db.exec(
      "UPDATE evaluations SET state = 'running', owner = 'dead'; UPDATE runs SET status = 'running', classification = NULL, outcome = NULL, verdict = NULL, facts = NULL, observation = NULL WHERE position = 0",
    );
    at.open().recover();
    expect((await at.service.get({ id })).state).toBe('interrupted');
    expect(await at.counts(id)).toEqual({ passed: 3, failed: 0, not_scored: 0, not_run: 1 });
    await at.service.resume({ id });
    await at.drain(id);
    expect((await at.service.get({ id })).state).toBe('completed');
    expect(await at.counts(id)).toEqual({ passed: 4, failed: 0, not_scored: 0, not_run: 0 });
  });

  it('T45: awaits the runs in progress of a refused model, because they are paid for', async () => {
    const inProgress = Promise.withResolvers<void>();
    let asked = 0;
    await using at = await playUnit(unit, {
      entries: 4,
      answer: async () => {
        asked += 1;
        if (asked === 3) throw refusedKey();
        await inProgress.promise;
        return true;
      },
    });
    const id = await at.start({ concurrency: 3 });
    // The other answers arrive only after the refusal is stored.
    for await (const event of at.service.watch({ id, afterSeq: 0 }, { signal }))
      if (event.type === 'runs') inProgress.resolve();
    expect((await at.runs(id)).map(({ end }) => end)).toEqual([
      'passed',
      'passed',
      'not_scored',
      'not_run',
    ]);
    expect(asked).toBe(3);
  });

  it('T45: stops after a fatal provider error and resumes without duplicates', async () => {
    let isRefused = true;
    await using at = await playUnit(unit, {
      entries: 20,
      answer: async (entry) => {
        if (isRefused && entry >= 6) throw refusedKey();
        return true;
      },
    });
    const id = await at.start({ concurrency: 1 });
    await at.drain(id);
    expect(await at.service.get({ id })).toMatchObject({
      state: 'incomplete',
      reason: 'The key was refused (401).',
    });
    expect(await at.counts(id)).toEqual({ passed: 6, failed: 0, not_scored: 1, not_run: 13 });
    isRefused = false;
    await at.service.resume({ id });
    await at.drain(id);
    expect((await at.service.get({ id })).state).toBe('completed');
    expect(await at.counts(id)).toEqual({ passed: 20, failed: 0, not_scored: 0, not_run: 0 });
  });

  it('T50: pauses on a full disk, and continues without playing again what was stored', async () => {
    const [entries, concurrency] = [400, 4];
    let asked = 0;
    await using at = await playUnit(unit, {
      entries,
      answer: async () => {
        asked += 1;
        return true;
      },
    });
    const { db } = at.database;
    const id = await at.start({ concurrency });
    const used = Number(db.pragma('page_count', { simple: true }));
    db.pragma(`max_page_count = ${used + 4}`);
    await at.drain(id);
    expect(await at.service.get({ id })).toMatchObject({
      state: 'interrupted',
      reason: expect.stringMatching(/disk|full|space/i) as unknown,
    });
    await expect(at.service.resume({ id })).rejects.toThrow(ServiceError);
    db.pragma('max_page_count = 1000000');
    await at.service.resume({ id });
    await at.drain(id);
    expect((await at.service.get({ id })).state).toBe('completed');
    expect(await at.counts(id)).toMatchObject({ passed: entries, not_run: 0 });
    // Those in progress when the disk filled up are asked again.
    expect(asked).toBeLessThanOrEqual(entries + concurrency);
  });

  it('counts, lists and resumes any mix of right, wrong and failed answers', async () => {
    const answers = fc.array(fc.constantFrom('passed', 'failed', 'not_scored'), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(answers, fc.integer({ min: 1, max: 4 }), async (ends, concurrency) => {
        const state = { isDown: true, asked: [] as number[] };
        await using at = await playUnit(unit, {
          entries: ends.length,
          answer: async (entry) => {
            state.asked.push(entry);
            if (ends[entry] === 'not_scored' && state.isDown) throw new Error('down');
            return ends[entry] !== 'failed';
          },
        });
        const id = await at.start({ concurrency });
        const events = await at.drain(id);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
        expect((await at.runs(id)).map(({ end }) => end)).toEqual(ends);
        const count = (end: string) => ends.filter((each) => each === end).length;
        expect(await at.counts(id)).toEqual({
          passed: count('passed'),
          failed: count('failed'),
          not_scored: count('not_scored'),
          not_run: 0,
        });
        Object.assign(state, { isDown: false, asked: [] });
        const again = [...ends.keys()].filter((entry) => ends[entry] === 'not_scored');
        if (again.length === 0) return;
        await at.service.resume({ id });
        await at.drain(id);
        expect(state.asked.toSorted()).toEqual(again);
        expect((await at.runs(id)).map(({ attempt }) => attempt)).toEqual(
          ends.map((end) => (end === 'not_scored' ? 2 : 1)),
        );
        expect(await at.counts(id)).toMatchObject({ not_scored: 0, failed: count('failed') });
      }),
      { numRuns: 8 },
    );
  });
});

describe.each(evaluationUnits)('a resume of %ss', (unit) => {
  const entries = 6;

  /**
   * An evaluation whose model was down, and is up again. `hold` makes the next model wait while it
   * is opened; `opening` resolves once it does.
   */
  async function broken() {
    const state = { isDown: true, asked: 0, hold: null as Promise<void> | null };
    const opening = Promise.withResolvers<void>();
    const at = await playUnit(unit, {
      entries,
      answer: async () => {
        state.asked += 1;
        if (state.isDown) throw new Error('down');
        return true;
      },
      opening: async () => {
        if (state.hold === null) return;
        opening.resolve();
        await state.hold;
      },
    });
    const id = await at.start({ concurrency: 1 });
    await at.drain(id);
    Object.assign(state, { isDown: false, asked: 0 });
    return { at, id, state, opening: opening.promise };
  }

  it('runs everything once where two come at once, also in two programs', async () => {
    const { at, id, state } = await broken();
    await using _at = at;
    const other = at.open();
    const all = await Promise.all([
      at.service.resume({ id }),
      at.service.resume({ id }),
      other.resume({ id }),
    ]);
    expect(all.map((one) => one.state)).toEqual(['running', 'running', 'running']);
    const events = await at.drain(id);
    await other.close();
    expect(events.filter(({ type }) => type === 'resumed')).toHaveLength(1);
    expect(state.asked).toBe(entries);
    expect((await at.service.get({ id })).state).toBe('completed');
    expect((await at.runs(id)).every(({ attempt }) => attempt === 2)).toBe(true);
  });

  it('is canceled by a cancel that comes while it is being planned', async () => {
    const { at, id, state, opening } = await broken();
    await using _at = at;
    const hold = Promise.withResolvers<void>();
    state.hold = hold.promise;
    const resumed = at.service.resume({ id });
    await opening;
    const cancelled = at.service.cancel({ id });
    hold.resolve();
    await resumed;
    expect((await cancelled).state).toBe('cancelled');
    expect((await at.counts(id)).passed).toBe(0);
  });

  it('gives the evaluation back if no model can be opened, and can be tried again', async () => {
    const { at, id, state } = await broken();
    await using _at = at;
    const { reason, completedAt } = await at.service.get({ id });
    state.hold = Promise.reject(new Error('No key.'));
    state.hold.catch(() => undefined);
    const both = await Promise.allSettled([at.service.resume({ id }), at.service.resume({ id })]);
    expect(both).toMatchObject([
      { status: 'rejected', reason: { message: 'No key.' } },
      { status: 'rejected', reason: { message: 'No key.' } },
    ]);
    expect(await at.service.get({ id })).toMatchObject({
      state: 'incomplete',
      reason,
      completedAt,
    });
    state.hold = null;
    await at.service.resume({ id });
    await at.drain(id);
    expect((await at.service.get({ id })).state).toBe('completed');
  });

  it('can begin again after the program ended while it was being planned', async () => {
    const { at, id, state } = await broken();
    await using _at = at;
    expect(at.database.store.evaluations.claim(id, 'a process that is gone')).toBe(true);
    const next = at.open();
    next.recover();
    expect((await next.get({ id })).state).toBe('interrupted');
    await next.resume({ id });
    for await (const _event of next.watch({ id, afterSeq: 0 }, { signal })) continue;
    await next.close();
    expect(state.asked).toBe(entries);
  });
});

it('keeps a second scoring of cases out while a resume is being planned', async () => {
  let isDown = true;
  await using engine = await createEngine({
    servers: { s: [{ name: 'add' }] },
    cases: [{ query: 'add', expected: [{ server: 's', tool: 'add' }] }],
    script: async () => {
      if (isDown) throw new Error('down');
      return { calls: [call('s', 'add')] };
    },
  });
  const id = await engine.start();
  await engine.drain(id);
  isDown = false;
  const resumed = engine.service.resume({ id });
  await expect(engine.service.rescore({ id, expectations: 'frozen' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  await resumed;
  await engine.drain(id);
});
