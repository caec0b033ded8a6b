import { questionHash } from '../../evaluations/read/questionOf.ts';
import { describe, expect, it } from 'vitest';
import { taskRunSorts, type TaskRunSort } from '../../../../src-shared/domain/runSorts.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import { call, createEngine } from '../../../testing/engine.ts';
import { called, calls, says, scripted } from '../../../testing/taskRuns.ts';
import { createTaskService, task } from '../../../testing/taskService.ts';

describe.each([
  [500, 'in process'],
  [0, 'in a worker'],
])('a list of runs', (inlineUpTo, where) => {
  it(`pages without gaps, finds neighbors, and is rebuilt after a re-scoring (${where})`, async () => {
    await using engine = await createEngine({
      servers: { s: [{ name: 'a' }, { name: 'b' }] },
      cases: Array.from({ length: 25 }, (_, index) => ({
        query: `query ${index}`,
        expected: [{ server: 's', tool: 'a' }],
      })),
      script: async ({ query }) => ({
        calls: [call('s', Number(query.slice(6)) % 3 === 0 ? 'b' : 'a')],
      }),
      inlineUpTo,
    });
    const id = await engine.start();
    await engine.drain(id);
    const list = {
      id,
      filter: { classification: ['TP' as const] },
      sort: 'classification' as const,
      descending: true,
    };
    const all = await engine.service.runs({ ...list, offset: 0, limit: 500 });
    expect(all.total).toBe(16);
    const pages = [];
    for (let offset = 0; offset < 20; offset += 7)
      pages.push(...(await engine.service.runs({ ...list, offset, limit: 7 })).rows);
    expect(pages).toEqual(all.rows);
    for (const [at, { runId }] of all.rows.entries()) {
      const detail = await engine.service.run({ ...list, runId });
      const [before, after] = [all.rows[at - 1], all.rows[at + 1]];
      expect(detail.place).toEqual({
        index: at,
        total: 16,
        previous: before ? { runId: before.runId, query: before.query } : null,
        next: after ? { runId: after.runId, query: after.query } : null,
      });
      expect(await engine.service.runPlace({ ...list, runId })).toEqual({ index: at });
    }
    const {
      rows: [outside],
    } = await engine.service.runs({
      ...list,
      filter: { classification: ['FN'] },
      offset: 0,
      limit: 1,
    });
    expect(await engine.service.runPlace({ ...list, runId: outside?.runId ?? '' })).toEqual({
      index: null,
    });
    const { store } = engine.database;
    const [first] = store.testCases.listBySuite(engine.suiteId);
    if (!first) throw new Error('no case');
    const { id: _id, suiteId: _s, position: _p, createdAt: _c, updatedAt: _u, ...content } = first;
    store.testCases.update(first.id, { ...content, expectedCalls: [{ server: 's', tool: 'b' }] });
    await engine.service.rescore({ id, expectations: 'suite' });
    expect((await engine.service.runs({ ...list, offset: 0, limit: 1 })).total).toBe(17);
  });
});

describe.each([
  [500, 'in process'],
  [0, 'in a worker'],
])('a list of runs of tasks', (inlineUpTo, where) => {
  it(`pages in every order as the report lists them (${where})`, async () => {
    let asked = 0;
    await using at = createTaskService(
      ['Zeta', 'alpha', 'Beta'].map((name) => task(name, { name })),
      () =>
        scripted(({ by }) => {
          asked += by === 'user' ? 1 : 0;
          if (asked % 4 === 0) throw new Error('down');
          if (by === 'user') return calls(called(asked % 3 === 0 ? 'list_tasks' : 'add_task'));
          return says('Done.');
        }).model,
      { inlineUpTo },
    );
    const id = await at.start({ mode: 'stub', repetitions: 3, concurrency: 1 });
    await at.drain(id);
    const { runs } = await at.service.report({ id });
    expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(
      new Set(['succeeded', 'check_failed', 'not_scored']),
    );
    expect(runs.some(({ toolUse }) => toolUse?.firstWrong)).toBe(true);
    const valueOf: Record<TaskRunSort, (row: TaskRunRow) => number | string | null> = {
      position: ({ position }) => position,
      outcome: ({ outcome }) => outcome,
      task: ({ taskName }) => taskName.toLowerCase(),
      model: () => 0,
      repetition: ({ repetition }) => repetition,
      steps: ({ facts }) => facts && facts.steps,
      calls: ({ facts }) => facts && facts.calls,
      time: ({ facts }) => facts && facts.elapsedMs,
    };
    for (const sort of taskRunSorts)
      for (const descending of [false, true]) {
        const list = { id, sort, descending };
        const pages = [];
        for (let offset = 0; offset < 12; offset += 4)
          pages.push(...(await at.service.runs({ ...list, offset, limit: 4 })).rows);
        const place = (row: TaskRunRow) => valueOf[sort](row);
        const sorted = runs.toSorted((a, b) => {
          const [x, y] = [place(a), place(b)];
          if (x === null || y === null) return Number(x === null) - Number(y === null);
          return (x < y ? -1 : x > y ? 1 : 0) * (descending ? -1 : 1);
        });
        expect(pages, `${sort} ${descending}`).toEqual(sorted);
      }
    const one = runs.find(({ toolUse }) => toolUse?.firstWrong);
    const detail = await at.service.run({ id, runId: one?.runId ?? '' });
    expect(detail.toolUse).toEqual(one?.toolUse);
  });
});

describe('the details of a run', () => {
  it('have the system prompt and prior messages as sent', async () => {
    await using engine = await createEngine({
      servers: { s: [{ name: 'a' }] },
      cases: [{ query: 'query', expected: [{ server: 's', tool: 'a' }] }],
      script: async () => ({ calls: [call('s', 'a')] }),
    });
    const { store } = engine.database;
    const suite = store.suites.get(engine.suiteId);
    if (!suite) throw new Error('no suite');
    const messages = [{ role: 'user' as const, content: 'Earlier request.' }];
    store.suites.update(engine.suiteId, { ...suite, system: 'Be brief.', messages });
    const id = await engine.start();
    await engine.drain(id);
    const { rows } = await engine.service.runs({
      id,
      filter: {},
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 1,
    });
    const detail = await engine.service.run({
      id,
      runId: rows[0]?.runId ?? '',
      filter: {},
      sort: 'position',
      descending: false,
    });
    expect(detail).toMatchObject({ system: 'Be brief.', messages });
  });

  it('have the prompt of a case in place of that of its suite, as sent', async () => {
    const sent: unknown[] = [];
    await using engine = await createEngine({
      servers: { s: [{ name: 'a' }] },
      cases: [
        { query: 'of the suite', expected: [{ server: 's', tool: 'a' }] },
        { query: 'of its own', expected: [{ server: 's', tool: 'a' }] },
      ],
      script: async ({ query, system, messages }) => {
        sent.push({ query, system, messages });
        return { calls: [call('s', 'a')] };
      },
    });
    const { store } = engine.database;
    const suite = store.suites.get(engine.suiteId);
    if (!suite) throw new Error('no suite');
    store.suites.update(engine.suiteId, { ...suite, system: 'Be brief.' });
    const [, own] = store.testCases.listBySuite(engine.suiteId);
    if (!own) throw new Error('no case');
    const prompt = {
      system: 'Be kind.',
      messages: [{ role: 'user' as const, content: 'Earlier request.' }],
    };
    store.testCases.update(own.id, { ...own, ...prompt, note: 'from a log' });
    const id = await engine.start();
    await engine.drain(id);
    expect(sent).toEqual(
      expect.arrayContaining([
        { query: 'of the suite', system: 'Be brief.', messages: [] },
        { query: 'of its own', ...prompt },
      ]),
    );
    const { rows } = await engine.service.runs({
      ...{ id, filter: {}, sort: 'position', descending: false, offset: 0, limit: 2 },
    });
    const detail = await engine.service.run({
      ...{ id, runId: rows[1]?.runId ?? '', filter: {}, sort: 'position', descending: false },
    });
    expect(detail).toMatchObject(prompt);
    // Another prompt is another question; a note is not.
    const same = { ...own, ...prompt };
    expect(questionHash({ ...same, note: 'x' } as typeof same)).toBe(questionHash(same));
    expect(questionHash(same)).not.toBe(questionHash(own));
    expect(store.entries.get(id, 1)).not.toHaveProperty('note');
  });
});
