import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../src-shared/domain/labels.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { emptyOutcomeCounts } from '../../../src-shared/metrics/outcomes.ts';
import { call, createEngine, type FakeCase } from '../../testing/engine.ts';
import { realMigrationsFolder } from '../../testing/testDatabase.ts';
import { cases, openWith, resultsOf, run } from './results.fixture.ts';

const add = { server: 's', tool: 'add' };
const remove = { server: 's', tool: 'remove' };

/** One case per outcome: what is expected, and what the model calls. */
const oneOfEach: (FakeCase & { calls: ReturnType<typeof call>[] | Error })[] = [
  { query: 'passed', expected: [add], calls: [call('s', 'add')] },
  { query: 'passed without a tool', expected: [], calls: [] },
  { query: 'wrong tool', expected: [add], calls: [call('s', 'remove')] },
  { query: 'no tool', expected: [add], calls: [] },
  { query: 'one of two', expected: [add, remove], calls: [call('s', 'add')] },
  {
    query: 'wrong value',
    expected: [{ ...add, parameters: { n: 1 } }],
    calls: [call('s', 'add', { n: 2 })],
  },
  { query: 'unneeded', expected: [], calls: [call('s', 'add')] },
  { query: 'one too many', expected: [add], calls: [call('s', 'add'), call('s', 'remove')] },
  { query: 'made up', expected: [add], calls: [call('elsewhere', 'nothing')] },
  {
    query: 'either',
    expected: [{ anyOf: [add, remove] }],
    calls: [call('s', 'remove')],
  },
  { query: 'trouble', expected: [add], calls: new Error('The provider is down.') },
];

const schema = { type: 'object', properties: { n: { type: 'integer' } } };
const openOneOfEach = () =>
  createEngine({
    servers: {
      s: [
        { name: 'add', inputSchema: schema },
        { name: 'remove', inputSchema: schema },
      ],
    },
    cases: oneOfEach.map(({ query, expected = [] }) => ({ query, expected })),
    script: async ({ query }) => {
      const calls = oneOfEach.find((each) => each.query === query)?.calls ?? [];
      if (calls instanceof Error) throw calls;
      return { calls };
    },
  });

describe('verdict', () => {
  it('counts each outcome and groups failures by cause', async () => {
    await using engine = await openOneOfEach();
    const id = await run(engine);
    const verdict = await resultsOf(engine).verdict({ id, modelSettingsId: null });
    expect(verdict).toMatchObject({
      unit: 'cases',
      cases: 11,
      counts: {
        ...emptyOutcomeCounts(),
        passed: 3,
        wrong_tool: 1,
        no_tool_called: 1,
        missing_call: 1,
        wrong_arguments: 1,
        unneeded_call: 2,
        made_up_tool: 1,
        not_scored: 1,
      },
      passRate: { value: 3 / 10, n: 10 },
      casesPassedByAll: null,
      previous: null,
      severalServers: false,
    });
    expect(verdict.causes).toEqual(
      expect.arrayContaining([
        { outcome: 'wrong_tool', expected: 's:add', called: 's:remove', runs: 1, cases: 1 },
        { outcome: 'no_tool_called', expected: 's:add', called: NO_TOOL, runs: 1, cases: 1 },
        { outcome: 'missing_call', expected: 's:remove', called: NO_TOOL, runs: 1, cases: 1 },
        { outcome: 'wrong_arguments', expected: 's:add', called: 's:add', runs: 1, cases: 1 },
        { outcome: 'unneeded_call', expected: NO_TOOL, called: 's:add', runs: 1, cases: 1 },
        { outcome: 'unneeded_call', expected: NO_TOOL, called: 's:remove', runs: 1, cases: 1 },
        { outcome: 'made_up_tool', expected: 's:add', called: PHANTOM, runs: 1, cases: 1 },
      ]),
    );
    expect(verdict.causes).toHaveLength(7);
  });

  it('has the pass rate of the summary', async () => {
    await using engine = await openOneOfEach();
    const id = await run(engine, { repetitions: 3 });
    const verdict = await resultsOf(engine).verdict({ id, modelSettingsId: null });
    const { metrics } = await engine.service.summary({ id, modelSettingsId: null });
    expect(verdict.passRate).toEqual(metrics.passRate);
    expect(verdict).toMatchObject({ unit: 'runs', casesPassedByAll: 3, counts: { passed: 9 } });
  });

  it('says whether a change since the previous evaluation is more than noise', async () => {
    const { state, engine: opening } = openWith(cases(20));
    await using engine = await opening;
    state.rightUpTo = 10;
    const first = await run(engine);
    state.rightUpTo = 12;
    const second = await run(engine);
    state.rightUpTo = 20;
    const third = await run(engine);
    const results = resultsOf(engine);
    const previousOf = async (id: string) =>
      (await results.verdict({ id, modelSettingsId: null })).previous;
    expect(await previousOf(first)).toBeNull();
    expect(await previousOf(second)).toEqual({
      evaluationId: first,
      number: 1,
      model: null,
      sharedCases: 20,
      fixed: 2,
      broken: 0,
      passedDifference: 2,
      withinNoise: true,
    });
    expect(await previousOf(third)).toMatchObject({ passedDifference: 8, withinNoise: false });
  });

  it('compares with the previous evaluation that is not derived', async () => {
    const { state, engine: opening } = openWith(cases(4));
    await using engine = await opening;
    state.rightUpTo = 2;
    const first = await run(engine);
    const changes = [{ kind: 'rename' as const, toolId: 's:add', name: 'added' }];
    const derived = await engine.service.whatIf({ id: first, modelSettingsId: null, changes });
    await engine.drain(derived.id);
    const last = await run(engine);
    const { previous } = await resultsOf(engine).verdict({ id: last, modelSettingsId: null });
    expect(previous).toMatchObject({ evaluationId: first, number: 1 });
  });

  it('compares an estimate with the evaluation that it repeats', async () => {
    const { state, engine: opening } = openWith(cases(4));
    await using engine = await opening;
    state.rightUpTo = 2;
    const first = await run(engine);
    await run(engine);
    const changes = [{ kind: 'rename' as const, toolId: 's:add', name: 'added' }];
    const derived = await engine.service.whatIf({ id: first, modelSettingsId: null, changes });
    await engine.drain(derived.id);
    const { previous } = await resultsOf(engine).verdict({ id: derived.id, modelSettingsId: null });
    expect(previous).toMatchObject({ evaluationId: first, number: 1, sharedCases: 4 });
  });

  it('names only words of requests that are listed for the cause', async () => {
    const isSearch = (at: number) => halfOf(`case-${at}`) === 'search';
    const shown = Array.from({ length: 60 }, (_, at) => at)
      .filter(isSearch)
      .slice(0, 3);
    // Of 60 failures, 12 are listed; the word of the others is more frequent.
    const queries = Array.from({ length: 60 }, (_, at) =>
      shown.includes(at) ? `Put number${at} there` : `Number${at} ${at < 12 ? '' : 'stow'} away`,
    );
    await using engine = await createEngine({
      servers: { s: [{ name: 'add', description: 'Add a task' }] },
      cases: queries.map((query) => ({ query, expected: [add] })),
      script: async () => ({ calls: [] }),
    });
    const id = await run(engine);
    const results = resultsOf(engine);
    const verdict = await results.verdict({ id, modelSettingsId: null });
    const { groups } = await results.failures({ id, modelSettingsId: null, search: '' });
    const [{ rows, missingWords } = { rows: [], missingWords: [] }] = groups;
    expect(rows).toHaveLength(12);
    expect(verdict.missingWords).toEqual(missingWords);
    expect(missingWords.length).toBeGreaterThan(0);
    for (const word of missingWords)
      expect(rows.some(({ query }) => query.toLowerCase().includes(word))).toBe(true);
  });

  it('names the words of several failing requests that the tool lacks, held-out ones aside', async () => {
    // As keys, the cases get their numbers.
    const queries = Array.from({ length: 12 }, (_, at) =>
      halfOf(`case-${at}`) === 'search' ? `Put number${at} there` : `Stow number${at} away`,
    );
    await using engine = await createEngine({
      servers: { s: [{ name: 'add', description: 'Add a task' }] },
      cases: queries.map((query) => ({ query, expected: [add] })),
      script: async ({ query }) => ({ calls: query.startsWith('Add') ? [call('s', 'add')] : [] }),
    });
    const id = await run(engine);
    const verdict = await resultsOf(engine).verdict({ id, modelSettingsId: null });
    expect(verdict.missingWords).toEqual(['put']);
    const results = resultsOf(engine);
    const all = await results.failures({ id, modelSettingsId: null, search: '' });
    expect(all.groups[0]?.missingWords).toEqual(['put']);
    expect(new Set(all.groups[0]?.rows.map(({ query }) => query.split(' ')[0]))).toEqual(
      new Set(['Put', 'Stow']),
    );
    const hidden = await results.failures({
      id,
      modelSettingsId: null,
      search: '',
      hideHeldOut: true,
    });
    expect(hidden.groups[0]).toMatchObject({ cases: 12 });
    expect(hidden.groups[0]?.rows.every(({ query }) => query.startsWith('Put'))).toBe(true);
  });
});

describe('failures', () => {
  it('groups causes by the tool that they point to, with the failures of each model', async () => {
    const model = (name: string) => modelConfiguration.parse({ provider: 'builtin', model: name });
    const asked = new Set<string>();
    await using engine = await createEngine({
      servers: { s: [{ name: 'add' }, { name: 'remove' }] },
      cases: [
        { query: 'adds', expected: [add] },
        { query: 'adds twice', expected: [add, add] },
        { query: 'removes', expected: [remove] },
        { query: 'either', expected: [{ anyOf: [add, remove] }] },
        { query: 'none', expected: [] },
      ],
      // The model that is asked first fails what only one fails.
      script: async ({ query }) => {
        const first = !asked.has(query);
        asked.add(query);
        if (query === 'adds') return { calls: first ? [call('s', 'remove')] : [call('s', 'add')] };
        if (query === 'adds twice') return { calls: [call('s', 'add')] };
        if (query === 'removes') return { calls: [call('s', 'remove')] };
        return { calls: query === 'either' ? [] : [call('s', 'remove')] };
      },
    });
    const id = await run(engine, { models: [model('one'), model('two')], concurrency: 1 });
    const { tools } = await resultsOf(engine).failures({ id, modelSettingsId: null, search: '' });
    const counts = tools.map(({ tool, runs, models, causes }) => ({
      tool,
      runs,
      models: models.map(({ failed, scored }) => [failed, scored]).sort(),
      causes: causes.map(({ outcome, models: of }) => [outcome, of.map(({ runs: n }) => n)]),
    }));
    expect(counts).toEqual([
      {
        tool: 's:add',
        runs: 3,
        // Of the two cases that expect it, one model fails both, the other one.
        models: [
          [1, 2],
          [2, 2],
        ],
        causes: [
          ['missing_call', [1, 1]],
          ['wrong_tool', [1]],
        ],
      },
      {
        tool: 's:remove',
        runs: 2,
        // The case that expects it, and the one without a call that points to it.
        models: [
          [1, 2],
          [1, 2],
        ],
        causes: [['unneeded_call', [1, 1]]],
      },
      {
        tool: null,
        runs: 2,
        models: [
          [1, 1],
          [1, 1],
        ],
        causes: [['no_tool_called', [1, 1]]],
      },
    ]);
    const found = await resultsOf(engine).failures({ id, search: 'ADDS T', modelSettingsId: null });
    expect(found.tools.map(({ tool, runs }) => [tool, runs])).toEqual([['s:add', 2]]);
  });

  it('lists the runs of each cause and finds them by text', async () => {
    await using engine = await openOneOfEach();
    const id = await run(engine);
    const results = resultsOf(engine);
    const all = await results.failures({ id, modelSettingsId: null, search: '' });
    expect(all.groups).toHaveLength(7);
    expect(all.groups.flatMap(({ rows }) => rows.map(({ query }) => query)).sort()).toEqual([
      'made up',
      'no tool',
      'one of two',
      'one too many',
      'unneeded',
      'wrong tool',
      'wrong value',
    ]);
    const found = await results.failures({ id, modelSettingsId: null, search: 'WRONG' });
    expect(found.groups.map(({ outcome }) => outcome).sort()).toEqual([
      'wrong_arguments',
      'wrong_tool',
    ]);
  });
});

describe('marks of failing cases', () => {
  const model = (name: string) => modelConfiguration.parse({ provider: 'builtin', model: name });
  const openTwo = () => {
    const asked: string[] = [];
    return createEngine({
      servers: { s: [{ name: 'add' }, { name: 'remove' }] },
      cases: [
        { query: 'both fail', expected: [add] },
        { query: 'one fails', expected: [remove] },
        { query: 'none fails', expected: [remove] },
      ],
      // The first model that is asked fails where only one does.
      script: async ({ query }) => {
        asked.push(query);
        const first = asked.indexOf(query) === asked.length - 1;
        const calls = query === 'one fails' && first ? [] : [call('s', 'remove')];
        return { calls };
      },
    });
  };

  it('has the outcome of every model for each failing case', async () => {
    await using engine = await openTwo();
    const id = await run(engine, { models: [model('one'), model('two')] });
    const { cases } = await resultsOf(engine).failures({ id, modelSettingsId: null, search: '' });
    expect(cases.map(({ marks }) => marks.map(({ outcome }) => outcome).sort())).toEqual([
      ['wrong_tool', 'wrong_tool'],
      ['no_tool_called', 'passed'],
    ]);
  });

  it('is empty with one model, and with repetitions', async () => {
    await using engine = await openTwo();
    const results = resultsOf(engine);
    for (const settings of [
      { models: [model('one')] },
      { models: [model('one'), model('two')], repetitions: 2 },
    ]) {
      const id = await run(engine, settings);
      const { groups, cases } = await results.failures({ id, modelSettingsId: null, search: '' });
      expect(groups).not.toEqual([]);
      expect(cases).toEqual([]);
    }
  });
});

describe('migration of outcomes', () => {
  it('gives stored runs the outcome and the cause that new runs get', async () => {
    await using engine = await openOneOfEach();
    await run(engine);
    const { db } = engine.database;
    const stored = (): unknown[] =>
      db.prepare('SELECT outcome, cause_expected, cause_called FROM test_runs ORDER BY id').all();
    const written = stored();
    db.exec('UPDATE runs SET outcome = NULL, cause_expected = NULL, cause_called = NULL');
    const migration = readFileSync(join(realMigrationsFolder, '0220-outcomes.sql'), 'utf8');
    for (const [statement] of migration.matchAll(/^UPDATE [^;]*;/gm))
      db.exec(statement.replaceAll('test_runs', 'runs'));
    expect(stored()).toEqual(written);
  });
});
