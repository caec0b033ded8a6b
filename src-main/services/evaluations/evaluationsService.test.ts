import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import { call, createEngine, type FakeCase, type Script } from '../../testing/engine.ts';

const tools = [{ name: 'add' }, { name: 'remove' }];
const expectAdd = [{ server: 's', tool: 'add' }];
const cases = (n: number): FakeCase[] =>
  Array.from({ length: n }, (_, index) => ({ query: `query ${index}`, expected: expectAdd }));
const answerAdd: Script = async () => ({ calls: [call('s', 'add')] });
const outcomes = (events: EvaluationEvent[]) =>
  events.flatMap((event) => (event.type === 'runs' ? event.outcomes : []));
const page = { filter: {}, sort: 'position', descending: false, offset: 0, limit: 500 } as const;

describe('an evaluation', () => {
  it('commits its plan and event 1 before `start` answers', async () => {
    const gate = Promise.withResolvers<void>();
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(3),
      script: async () => gate.promise.then(() => ({ calls: [call('s', 'add')] })),
    });
    const id = await engine.start();
    expect(engine.database.store.events.after('case', id, 0, 1)).toMatchObject([
      { seq: 1, type: 'planned', runs: 3 },
    ]);
    expect(engine.database.store.outcomes.classes(id).counts).toMatchObject({
      total: 3,
      open: 3,
    });
    gate.resolve();
    expect((await engine.drain(id)).at(-1)).toMatchObject({ type: 'ended', state: 'completed' });
  });

  it('numbers events without gaps, in groups of at most 100 runs, each run published once', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(230),
      script: answerAdd,
    });
    const events = await engine.drain(await engine.start());
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    for (const event of events)
      if (event.type === 'runs') expect(event.outcomes.length).toBeLessThanOrEqual(100);
    expect(new Set(outcomes(events).map(({ runId }) => runId)).size).toBe(230);
  });

  it('resumes a watch after the last seq read, without duplicates or gaps', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(250),
      script: answerAdd,
    });
    const id = await engine.start();
    const all = await engine.drain(id);
    expect(await engine.drain(id, 2)).toEqual(all.slice(2));
  });

  // The bound is generous because the machine may be busy; what matters is that it does not wait
  // for the model.
  it('marks the cases of a dead server as not scored and runs the others', async () => {
    const trouble = new ServiceError('TROUBLE', {
      thing: 'Server broken',
      cause: 'It ended with exit code 3.',
      nextStep: 'Check its command.',
    });
    await using engine = await createEngine({
      servers: { s: tools, broken: trouble },
      cases: [
        { query: 'a', expected: expectAdd, servers: ['s'] },
        { query: 'b', expected: [{ server: 'broken', tool: 'x' }], servers: ['broken'] },
      ],
      script: answerAdd,
    });
    const id = await engine.start();
    const events = await engine.drain(id);
    expect(outcomes(events).find(({ position }) => position === 1)).toMatchObject({
      status: 'failed',
      failure: 'server',
      classification: null,
      errorMessage: expect.stringContaining('exit code 3'),
    });
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'incomplete',
      counts: { tp: 1, fn: 0, failed: 1 },
    });
  });

  it('fails a run without calling the model when its expected tool is not offered', async () => {
    let asked = 0;
    await using engine = await createEngine({
      servers: { s: tools },
      cases: [{ query: 'a', expected: [{ server: 's', tool: 'gone' }] }],
      script: async () => {
        asked += 1;
        return { calls: [] };
      },
    });
    const [outcome] = outcomes(await engine.drain(await engine.start()));
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: 'tool_not_offered',
      errorMessage: expect.stringContaining('s:gone'),
    });
    expect(asked).toBe(0);
  });

  it('T43: never passes a cut-off reply, and scores a refusal as no tool called', async () => {
    const stop = { cut: 'cut_off', odd: 'unknown', refused: 'refused', fine: 'answered' } as const;
    await using engine = await createEngine({
      servers: { s: tools },
      cases: [
        { query: 'cut', expected: expectAdd },
        { query: 'odd', expected: expectAdd },
        { query: 'refused', expected: expectAdd },
        { query: 'refused', expected: [] },
        { query: 'fine', expected: [] },
      ],
      script: async ({ query }) => ({ calls: [], stopReason: stop[query as keyof typeof stop] }),
    });
    const found = outcomes(await engine.drain(await engine.start())).sort(
      (a, b) => a.position - b.position,
    );
    expect(
      found.map(({ status, failure, classification }) => [status, failure, classification]),
    ).toEqual([
      ['failed', 'model', null],
      ['failed', 'model', null],
      ['completed', null, 'FN'],
      ['failed', 'model', null],
      ['completed', null, 'TN'],
    ]);
  });

  it('T48: assigns each result to its own case when answers arrive out of order', async () => {
    const release = Array.from({ length: 8 }, () => Promise.withResolvers<void>());
    await using engine = await createEngine({
      servers: { s: tools },
      cases: Array.from({ length: 8 }, (_, index) => ({
        query: `query ${index}`,
        expected: [{ server: 's', tool: index % 2 === 0 ? 'add' : 'remove' }],
      })),
      script: async ({ query }) => {
        const index = Number(query.slice(6));
        release[7 - index]?.resolve();
        await release[index]?.promise;
        return { calls: [call('s', index < 4 ? 'add' : 'remove')] };
      },
    });
    const found = outcomes(await engine.drain(await engine.start({ concurrency: 8 }))).sort(
      (a, b) => a.position - b.position,
    );
    expect(found.map(({ classification }) => classification)).toEqual([
      'TP',
      'FN',
      'TP',
      'FN',
      'FN',
      'TP',
      'FN',
      'TP',
    ]);
  });

  it('does not change when its case, suite or server is edited or deleted', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(2),
      script: answerAdd,
    });
    const id = await engine.start();
    await engine.drain(id);
    const summary = await engine.service.summary({ id, modelSettingsId: null });
    const { store } = engine.database;
    store.suites.hide(engine.suiteId);
    store.servers.delete(store.servers.list()[0]!.id);
    expect(await engine.service.summary({ id, modelSettingsId: null })).toEqual(summary);
    const rescored = await engine.service.rescore({ id });
    expect(rescored.counts).toEqual(summary.counts);
  });

  it('re-scores without calling a model and keeps the old score in the history', async () => {
    let asked = 0;
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(3),
      script: async () => {
        asked += 1;
        return { calls: [call('s', 'add')], confidence: { score: 0.6, method: 'margin' as const } };
      },
    });
    const id = await engine.start();
    await engine.drain(id);
    expect((await engine.service.summary({ id, modelSettingsId: null })).confidence).toMatchObject({
      needsClarity: 3,
      robust: 0,
    });
    const after = await engine.service.rescore({ id, highConfidence: 0.5 });
    expect(after.confidence).toMatchObject({ needsClarity: 0, robust: 3 });
    expect(asked).toBe(3);
    const { rows } = await engine.service.runs({ id, ...page });
    const detail = await engine.service.run({
      id,
      runId: rows[0]!.runId,
      filter: {},
      sort: 'position',
      descending: false,
    });
    expect(detail.history).toMatchObject([{ score: { confidenceCategory: 'needs_clarity' } }]);
  });

  it('rebuilds the raw request byte for byte from the frozen tools', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(1),
      script: answerAdd,
    });
    const id = await engine.start();
    await engine.drain(id);
    const { rows } = await engine.service.runs({ id, ...page });
    const { rawRequest } = await engine.service.run({
      id,
      runId: rows[0]!.runId,
      filter: {},
      sort: 'position',
      descending: false,
    });
    expect(rawRequest).toBe(
      JSON.stringify({
        query: 'query 0',
        tools: tools.map(({ name }) => ({
          server: 's',
          name,
          description: '',
          inputSchema: { type: 'object' },
        })),
      }),
    );
    const stored = engine.database.db
      .prepare<[], { llm_request_raw: string }>('SELECT llm_request_raw FROM test_runs')
      .get();
    expect(stored?.llm_request_raw).not.toContain('inputSchema');
  });

  it('stores a tool once however many evaluations and runs use it', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(5),
      script: answerAdd,
    });
    await engine.drain(await engine.start());
    await engine.drain(await engine.start());
    const count = (table: string) =>
      engine.database.db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
    expect([count('tool_contents'), count('snapshot_tools'), count('entry_contents')]).toEqual([
      2, 2, 5,
    ]);
    expect(count('tool_definitions')).toBe(2 * 5 * 2);
  });

  it('reports an unregistered server in the plan and refuses to start', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: [{ query: 'a', servers: ['nowhere'] }],
      script: answerAdd,
    });
    const plan = await engine.service.plan(engine.request());
    expect(plan.problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining('nowhere') },
    ]);
    await expect(engine.start()).rejects.toMatchObject({ code: 'INVALID' });
    expect(engine.database.store.evaluations.list(null, 10)).toEqual([]);
  });

  it('can be restored after it was deleted', async () => {
    await using engine = await createEngine({
      servers: { s: tools },
      cases: cases(1),
      script: answerAdd,
    });
    const id = await engine.start();
    await engine.drain(id);
    const { token } = await engine.service.remove({ id });
    await expect(engine.service.get({ id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const taken = engine.database.store.trash.take(token);
    engine.database.store.evaluations.restore(taken?.content);
    expect(await engine.service.get({ id })).toMatchObject({ id });
  });
});

describe('an evaluation with a hostile tool', () => {
  it('T36: scores the other cases next to a deep or slow schema and still shows the snapshot', async () => {
    let deep = {};
    for (let depth = 0; depth < 200; depth += 1) deep = { properties: { a: deep } };
    await using engine = await createEngine({
      servers: {
        s: [
          ...tools,
          { name: 'deep', inputSchema: { type: 'object', ...deep } },
          {
            name: 'slow',
            inputSchema: {
              type: 'object',
              properties: { a: { type: 'string', pattern: '^(a+)+$' } },
            },
          },
        ],
      },
      cases: [
        { query: 'add', expected: expectAdd },
        { query: 'slow', expected: [{ server: 's', tool: 'slow' }] },
        { query: 'deep', expected: [{ server: 's', tool: 'deep' }] },
      ],
      script: async ({ query }) => ({
        calls: [call('s', query, query === 'slow' ? { a: `${'a'.repeat(32)}!` } : {})],
      }),
    });
    const id = await engine.start();
    const events = await engine.drain(id);
    expect(outcomes(events).map(({ errorMessage }) => errorMessage)).toEqual([null, null, null]);
    expect(events.at(-1)).toMatchObject({ state: 'completed' });
    const { rows } = await engine.service.runs({ id, ...page });
    expect(rows.map(({ classification, passed }) => [classification, passed])).toEqual([
      ['TP', true],
      ['TP', null],
      ['TP', null],
    ]);
    expect(JSON.stringify(await engine.service.snapshot({ id })).length).toBeLessThan(100_000);
  });
});
