import { describe, expect, it } from 'vitest';

import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { ChatFailure } from '../../adapters/llm/chatModel.ts';
import { call, createEngine, type FakeCase, type Script } from '../../testing/engine.ts';

const tools = [{ name: 'add' }, { name: 'remove' }];
const expectAdd = [{ server: 's', tool: 'add' }];
const cases = (n: number): FakeCase[] =>
  Array.from({ length: n }, (_, index) => ({ query: `query ${index}`, expected: expectAdd }));
const answerAdd: Script = async () => ({ calls: [call('s', 'add')] });
const page = { filter: {}, sort: 'position', descending: false, offset: 0, limit: 500 } as const;

describe('an evaluation that ends early', () => {
  it('cancels while a model never answers and keeps the finished runs', async () => {
    const asked = Promise.withResolvers<void>();
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(20),
      script: async ({ query }) => {
        if (query !== 'query 3') return { calls: [call('s', 'add')] };
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const id = await engine.start({ concurrency: 1 });
    await asked.promise;
    const began = performance.now();
    const cancelled = await engine.service.cancel({ id });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(cancelled).toMatchObject({ state: 'cancelled', counts: { tp: 3, failed: 1, open: 16 } });
  });

  it('is interrupted, not cancelled, when the program ends while it runs', async () => {
    const asked = Promise.withResolvers<void>();
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(20),
      script: async ({ query }) => {
        if (query !== 'query 3') return { calls: [call('s', 'add')] };
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const id = await engine.start({ concurrency: 1 });
    await asked.promise;
    await engine.service.close();
    expect(engine.database.store.evaluations.get('case', id)).toMatchObject({
      state: 'interrupted',
      reason: 'Touchstone exited while this evaluation was running.',
    });
    expect(engine.database.store.outcomes.classes(id).counts).toMatchObject({
      tp: 3,
      failed: 1,
      open: 16,
    });
  });

  it('resumes without repeating finished runs; only the last attempt counts', async () => {
    const asked: string[] = [];
    let stuck = true;
    const reached = Promise.withResolvers<void>();
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(6),
      script: async ({ query }) => {
        asked.push(query);
        if (query === 'query 2' && stuck) {
          reached.resolve();
          return new Promise(() => undefined);
        }
        return { calls: [call('s', 'add')] };
      },
    });
    const id = await engine.start({ concurrency: 1 });
    await reached.promise;
    await engine.service.cancel({ id });
    stuck = false;
    const before = engine.database.store.events.lastSeq(id);
    await engine.service.resume({ id });
    await engine.drain(id, before);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tp: 6, failed: 0, total: 6 },
    });
    expect(asked).toEqual([
      'query 0',
      'query 1',
      'query 2',
      'query 3',
      'query 4',
      'query 5',
      'query 2',
    ]);
    const { rows } = await engine.service.runs({ id, ...page });
    expect(rows.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 1, 1, 1]);
  });

  it('T49: is interrupted when its owner died, and completes after a resume', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(4),
      script: answerAdd,
    });
    const id = await engine.start();
    await engine.drain(id);
    // What a killed program leaves behind: a running evaluation with a run under way.
    engine.database.db
      .prepare("UPDATE evaluations SET state = 'running', owner = 'dead' WHERE id = ?")
      .run(id);
    const [first] = (await engine.service.runs({ id, ...page })).rows;
    engine.database.db
      .prepare("UPDATE runs SET status = 'running', classification = NULL WHERE id = ?")
      .run(first!.runId);
    const service = engine.takeOver();
    expect(await service.get({ id })).toMatchObject({
      state: 'interrupted',
      counts: { tp: 3, failed: 1 },
    });
    const seq = engine.database.store.events.lastSeq(id);
    await service.resume({ id });
    await engine.drain(id, seq);
    expect(await service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tp: 4, failed: 0 },
    });
  });

  it('T45: awaits the runs in progress of a refused model, because they are paid for', async () => {
    const inProgress = Promise.withResolvers<undefined>();
    let asked = 0;
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(4),
      script: async () => {
        asked += 1;
        if (asked === 3)
          throw new ChatFailure('provider', 'The key was refused (401).', { fatal: true });
        await inProgress.promise;
        return { calls: [call('s', 'add')] };
      },
    });
    const id = await engine.start({ concurrency: 3 });
    // The other answers arrive only after the refusal is stored.
    for await (const event of engine.service.watch(
      { id, afterSeq: 0 },
      { signal: new AbortController().signal },
    ))
      if (event.type === 'runs') inProgress.resolve(undefined);
    const { rows } = await engine.service.runs({ id, ...page });
    expect(rows.map(({ failure, classification }) => [failure, classification])).toEqual([
      [null, 'TP'],
      [null, 'TP'],
      ['provider', null],
      [null, null],
    ]);
    expect(asked).toBe(3);
  });

  it('T45: stops after a fatal provider error and resumes without duplicates', async () => {
    let refused = true;
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(20),
      script: async ({ query }) => {
        if (refused && Number(query.slice(6)) >= 6)
          throw new ChatFailure('provider', 'The key was refused (401).', { fatal: true });
        return { calls: [call('s', 'add')] };
      },
    });
    const id = await engine.start({ concurrency: 1 });
    await engine.drain(id);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'incomplete',
      reason: 'The key was refused (401).',
      counts: { tp: 6, failed: 1, open: 13 },
    });
    refused = false;
    const seq = engine.database.store.events.lastSeq(id);
    await engine.service.resume({ id });
    await engine.drain(id, seq);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tp: 20, failed: 0, total: 20 },
    });
  });

  it('T50: pauses on a full disk without losing runs, and resumes once there is space', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(400),
      script: answerAdd,
    });
    const { db } = engine.database;
    const id = await engine.start({ concurrency: 4 });
    const pages = Number(db.pragma('page_count', { simple: true }));
    db.pragma(`max_page_count = ${pages + 4}`);
    await engine.drain(id);
    const paused = await engine.service.get({ id });
    expect(paused.state).toBe('interrupted');
    expect(paused.reason).toMatch(/disk|full|space/i);
    await expect(engine.service.resume({ id })).rejects.toThrow(ServiceError);
    db.pragma('max_page_count = 1000000');
    const seq = engine.database.store.events.lastSeq(id);
    await engine.service.resume({ id });
    await engine.drain(id, seq);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tp: 400, total: 400 },
    });
  });
});
