import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  call,
  createEngine,
  type Engine,
  type FakeCase,
  type Script,
} from '../../testing/engine.ts';
import { commitInChunks } from '../runs/commitInChunks.ts';
import { EvaluationReader } from '../results/read/evaluationReader.ts';
import { realMigrationsFolder } from '../../testing/testDatabase.ts';
import { Settler } from '../suites/settler.ts';
const servers = { s: [{ name: 'add' }, { name: 'remove' }] };
const cases = (count: number): FakeCase[] =>
  Array.from({ length: count }, (_, index) => ({
    query: `query ${index}`,
    expected: index % 3 === 2 ? [] : [{ server: 's', tool: index % 2 === 0 ? 'add' : 'remove' }],
  }));
/** Alternates between correct and wrong answers, differently in each repetition. */
const script: Script = async ({ query, repetition }) => {
  const index = Number(query.split(' ')[1]);
  return (index + repetition) % 4 === 0
    ? { calls: [] }
    : { calls: [call('s', (index + repetition) % 5 === 0 ? 'remove' : 'add')] };
};
const page = { filter: {}, sort: 'confidence' as const, descending: true, offset: 3, limit: 7 };
const asked = { modelSettingsId: null };
const open = (inlineUpTo: number) =>
  createEngine({ servers, cases: cases(12), script, inlineUpTo });

async function numbers(engine: Engine, id: string) {
  const summary = await engine.service.summary({ id, ...asked });
  const runs = await engine.service.runs({ id, ...page });
  const { filter, sort, descending } = page;
  const run = await engine.service.run({
    id,
    runId: runs.rows[0]?.runId ?? '',
    filter,
    sort,
    descending,
  });
  return { summary, runs, run };
}

describe('a large evaluation', () => {
  it('returns the same numbers, runs and neighbors from the worker as in process', async () => {
    await using engine = await open(0);
    const id = await engine.start({ repetitions: 3 });
    await engine.drain(id);
    const inThread = await numbers(engine, id);
    const here = new EvaluationReader({
      store: engine.database.store,
      file: engine.database.file,
      migrationsFolder: realMigrationsFolder,
    });
    const row = engine.database.store.evaluations.get('case', id)!;
    const { summary } = await here.read(row, {
      kind: 'summary',
      evaluationId: id,
      modelSettingsId: null,
    });
    expect(inThread.summary).toEqual(summary);
    expect(inThread.summary.runs).toBe(36);
    expect(inThread.runs).toEqual(
      await here.read(row, { kind: 'page', evaluationId: id, ...page }),
    );
    expect(inThread.runs.rows).toHaveLength(7);
    expect([inThread.run.place.previous?.runId, inThread.run.place.next?.runId]).toEqual([
      expect.any(String),
      inThread.runs.rows[1]?.runId,
    ]);
    await here.close();
  });

  it("closes the worker's connection, so that no journal file remains", async () => {
    const engine = await open(0);
    const { file } = engine.database;
    const id = await engine.start();
    await engine.drain(id);
    await engine.service.summary({ id, ...asked });
    await engine.service.close();
    engine.database.db.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    await engine[Symbol.asyncDispose]();
  });

  it('stays invisible when planning fails, and the next start deletes what was written', async () => {
    let now = 0;
    // Each clock reading uses up most of a turn, so that the first steps are committed before
    // the failure.
    await using engine = await createEngine({
      servers,
      cases: cases(12),
      script,
      monotonic: () => (now += 30),
    });
    const { store, db } = engine.database;
    const inserted = store.runs.insert.bind(store.runs);
    let left = 20;
    store.runs.insert = (run) => {
      if ((left -= 1) === 0) throw new Error('the end of the program');
      inserted(run);
    };
    await expect(engine.start({ repetitions: 3 })).rejects.toThrow('the end of the program');
    store.runs.insert = inserted;
    expect(db.prepare('SELECT count(*) FROM runs').pluck().get()).toBeGreaterThan(0);
    expect(await engine.service.list({ limit: 100 })).toEqual([]);
    engine.takeOver();
    const settler = new Settler(store);
    settler.begin();
    await settler.idle();
    expect(db.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(0);
    expect(db.prepare('SELECT count(*) FROM evaluations').pluck().get()).toBe(0);
  });

  it('yields while it is planned and writes every step', async () => {
    await using engine = await open(500);
    const { store, db } = engine.database;
    let now = 0;
    const clock = { now: () => '2026-01-01T00:00:00.000Z', monotonic: () => (now += 30) };
    const turns: number[] = [];
    let steps = 0;
    const write = db.prepare('INSERT INTO settings VALUES (?, 1)');
    const plan = (function* () {
      for (; steps < 10; steps += 1) yield write.run(`step ${steps}`);
    })();
    const result = await commitInChunks(
      { store, clock },
      plan,
      () => (write.run('last'), 'planned'),
      () => void turns.push(steps),
    );
    expect(result).toBe('planned');
    expect(turns.length).toBeGreaterThan(3);
    expect(
      db
        .prepare("SELECT count(*) FROM settings WHERE key LIKE 'step %' OR key = 'last'")
        .pluck()
        .get(),
    ).toBe(11);
  });
});

describe('the summary of an ended evaluation', () => {
  const kept = (engine: Engine) =>
    engine.database.db
      .prepare<[], { seq: number; summary: string }>(
        'SELECT seq, summary FROM evaluation_summaries',
      )
      .all();

  it('is stored once and read back instead of computed again', async () => {
    await using engine = await open(500);
    const id = await engine.start({ repetitions: 2 });
    await engine.drain(id);
    const first = await engine.service.summary({ id, ...asked });
    expect(kept(engine).map(({ summary }) => JSON.parse(summary) as unknown)).toEqual([first]);
    // Another process reads the stored summary and never reads the runs.
    engine.database.store.runFolds.runs = () => {
      throw new Error('computed again');
    };
    expect(await engine.takeOver().summary({ id, ...asked })).toEqual(first);
  });

  it('is recomputed after a resume and after a re-scoring', async () => {
    let down = true;
    await using engine = await createEngine({
      servers,
      cases: cases(4),
      inlineUpTo: 500,
      script: async (request) => {
        if (down && request.query === 'query 1') throw new Error('down');
        return { calls: [call('s', 'add')], confidence: { score: 0.6, method: 'margin' } };
      },
    });
    const id = await engine.start();
    await engine.drain(id);
    const before = await engine.service.summary({ id, ...asked });
    expect(before.counts).toMatchObject({ failed: 1, total: 4 });
    down = false;
    await engine.service.resume({ id });
    await engine.drain(id);
    const resumed = await engine.service.summary({ id, ...asked });
    expect(resumed.counts).toMatchObject({ failed: 0, total: 4 });
    const rescored = await engine.service.rescore({ id, highConfidence: 0.5 });
    expect(rescored.confidence).not.toEqual(resumed.confidence);
    expect(await engine.service.summary({ id, ...asked })).toEqual(rescored);
    expect(kept(engine)).toHaveLength(1);
  });

  // Intervals over runs would be far too narrow, because the repetitions of one case agree.
  it('has intervals over cases, not over repetitions', async () => {
    await using engine = await createEngine({
      servers,
      cases: [{ query: 'q', expected: [{ server: 's', tool: 'add' }] }],
      script: async () => ({ calls: [call('s', 'add')] }),
    });
    const id = await engine.start({ repetitions: 5 });
    await engine.drain(id);
    const { metrics } = await engine.service.summary({ id, ...asked });
    expect(metrics.selectionRecall).toEqual({ value: 1, low: null, high: null, n: 5 });
  });

  it('adds no history when a re-scoring changes nothing', async () => {
    await using engine = await open(500);
    const id = await engine.start();
    await engine.drain(id);
    await engine.service.rescore({ id });
    expect(
      engine.database.db.prepare('SELECT count(*) FROM evaluation_result_history').pluck().get(),
    ).toBe(0);
  });
});
