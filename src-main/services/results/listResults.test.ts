import { expect, it } from 'vitest';
import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import { optimizationSettings } from '../../../src-shared/domain/optimization.ts';
import { storedTaskSettings } from '../../../src-shared/domain/taskEvaluation.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { listResults } from './listResults.ts';
import { cases, openWith, resultsOf, run } from './results.fixture.ts';

interface Made {
  unit?: 'case' | 'task';
  suite?: string;
  model?: string;
  /** The result that it repeats. */
  base?: string;
}

/** Adds results in this order, so that they are #1, #2, … */
function add({ store, clock }: TestDatabase, made: Record<string, Made>): void {
  for (const [id, { unit = 'case', suite = 'office', model = 'a', base }] of Object.entries(made)) {
    const models = [{ provider: 'openai' as const, model }];
    const request = {
      suiteId: null,
      models,
      ...(base !== undefined && {
        whatIf: {
          ...{ baseId: base, changes: [{ kind: 'remove_tool', toolId: 's:t' }] },
          ...{ addedServers: [], removedServers: [], positions: null },
        },
      }),
    };
    const { id: modelSettingsId } = store.modelSettings.insert({
      ...modelConfiguration.parse(models[0]),
      ...{ wireApi: 'openai-responses', systemPrompt: null, sent: {} },
    });
    const rest = {
      ...{ id, suiteId: null, suiteName: suite, plannedRuns: 0, owner: 'me' },
      suite: { system: null, messages: [], servers: [], inlineTools: false },
      models: [{ modelSettingsId, price: null }],
      createdAt: clock.now(),
    };
    if (unit === 'task')
      store.evaluations.insert('task', { ...rest, settings: storedTaskSettings.parse(request) });
    else store.evaluations.insert('case', { ...rest, settings: evaluationSettings.parse(request) });
    store.evaluations.setDeleted(id, null);
  }
}

type Asked = Parameters<typeof listResults>[1];
const everything: Asked = {
  ...{ unit: null, suite: null, model: null, search: '', sort: null, descending: false },
  exceptSuites: [],
  ...{ offset: 0, limit: 100 },
};
const listed = ({ store }: TestDatabase, asked: Partial<Asked> = {}) => {
  const { groups, ...rest } = listResults(store, { ...everything, ...asked });
  return {
    ...rest,
    groups: groups.map(({ lead, derived, derivedMatches }) => [
      lead.evaluation.id,
      derived.map(({ evaluation: { id } }) => id),
      ...(derivedMatches ? ['open'] : []),
    ]),
  };
};

it('lists results of cases and tasks by number, with what repeats them under the first one', () => {
  using at = createTestDatabase();
  add(at, {
    cases: {},
    tasks: { unit: 'task', suite: 'todo' },
    estimate: { base: 'cases' },
    'of tasks': { unit: 'task', base: 'tasks' },
    again: { base: 'estimate' },
    newest: { suite: 'todo', model: 'b' },
  });
  expect(listed(at)).toEqual({
    groups: [
      ['newest', []],
      ['tasks', ['of tasks']],
      ['cases', ['again', 'estimate']],
    ],
    total: 3,
    suites: ['office', 'todo'],
    models: ['openai/a', 'openai/b'],
  });
  // What was repeated is gone: each leads itself.
  at.store.evaluations.setDeleted('cases', '2026-01-01');
  expect(listed(at).groups).toEqual([
    ['newest', []],
    ['estimate', ['again']],
    ['tasks', ['of tasks']],
  ]);
});

it('narrows the list by unit, suite, model and text, and opens groups where only a derived one fits', () => {
  using at = createTestDatabase();
  add(at, {
    one: {},
    two: { unit: 'task', suite: 'todo' },
    three: { base: 'one', model: 'b' },
  });
  expect(listed(at, { unit: 'task' }).groups).toEqual([['two', []]]);
  expect(listed(at, { suite: 'todo' }).groups).toEqual([['two', []]]);
  expect(listed(at, { exceptSuites: ['office'] }).groups).toEqual([['two', []]]);
  expect(listed(at, { model: 'openai/b' }).groups).toEqual([['one', ['three'], 'open']]);
  expect(listed(at, { search: ' #2 ' }).groups).toEqual([['two', []]]);
  expect(listed(at, { search: 'OFFICE openai · A' }).groups).toEqual([['one', ['three']]]);
  expect(listed(at, { search: 'nothing' })).toMatchObject({ groups: [], total: 0 });
});

it('orders groups by number, suite or time in both directions, each with what repeats its lead', () => {
  using at = createTestDatabase();
  add(at, {
    one: { suite: 'todo' },
    two: { unit: 'task' },
    three: { suite: 'todo' },
    'of one': { base: 'one', suite: 'todo' },
  });
  const order = (sort: Asked['sort'], descending: boolean) =>
    listed(at, { sort, descending }).groups.map(([lead]) => lead);
  expect(order('number', false)).toEqual(['one', 'two', 'three']);
  expect(listed(at, { sort: 'number', descending: true }).groups).toEqual([
    ['three', []],
    ['two', []],
    ['one', ['of one']],
  ]);
  expect(order('suite', false)).toEqual(['two', 'three', 'one']);
  expect(order('suite', true)).toEqual(['three', 'one', 'two']);
  // While tasks were numbered apart, numbers and times had orders of their own.
  at.db.prepare("UPDATE evaluations SET created_at = '2020-01-01' WHERE id = 'two'").run();
  expect(order('when', false)).toEqual(['two', 'one', 'three']);
  expect(order(null, false)).toEqual(['three', 'one', 'two']);
});

it('orders by the pass rate of all results, and lists those without one last', async () => {
  const { state, engine: opening } = openWith(cases(4));
  await using engine = await opening;
  const ids: string[] = [];
  for (const rightUpTo of [3, 0, 4]) {
    state.rightUpTo = rightUpTo;
    ids.push(await run(engine));
  }
  state.script = () => Promise.reject(new Error('The endpoint is gone.'));
  ids.push(await run(engine));
  const order = async (descending: boolean, page = {}) =>
    (
      await resultsOf(engine).list({ ...everything, sort: 'passRate', descending, ...page })
    ).groups.map(({ lead }) => ids.indexOf(lead.evaluation.id));
  expect(await order(true)).toEqual([2, 0, 1, 3]);
  expect(await order(false)).toEqual([1, 0, 2, 3]);
  expect(await order(true, { offset: 1, limit: 2 })).toEqual([0, 1]);
});

it('takes the success rate of tasks for their pass rate', async () => {
  await using tasks = createTaskService([
    task('made'),
    task('never', {
      checks: [{ id: 'gone', kind: 'calls', must: ['delete_task'], ordered: false, never: [] }],
    }),
  ]);
  const id = await tasks.start();
  expect(tasks.store.outcomes.passRates()).toEqual(new Map());
  await tasks.drain(id);
  expect(tasks.store.outcomes.passRates()).toEqual(new Map([[id, 0.5]]));
});

it('reads one page of a long list, and counts all groups', () => {
  using at = createTestDatabase();
  add(at, Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`r${index + 1}`, {}])));
  expect(listed(at, { offset: 10, limit: 3 })).toMatchObject({
    groups: [
      ['r15', []],
      ['r14', []],
      ['r13', []],
    ],
    total: 25,
  });
});

it('folds searches for better descriptions under the result that they started from', () => {
  using at = createTestDatabase();
  add(at, { base: {} });
  const { id } = at.store.optimizations.insert({
    ...{ suite: 'office', suiteName: 'office', baseEvaluationId: 'base', baseNumber: 1 },
    ...{ modelSettingsId: 'm', modelName: 'm' },
    settings: optimizationSettings.parse({}),
  });
  const { groups } = listResults(at.store, everything);
  expect(groups[0]?.searches).toEqual([
    { id, state: 'running', createdAt: expect.any(String) as string },
  ]);
});
