import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { whatIfChange, type WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';
import {
  call,
  createEngine,
  type Engine,
  type FakeCase,
  type Script,
} from '../../../testing/engine.ts';
import { ResultsService } from '../../results/resultsService.ts';
const servers = {
  s: [
    { name: 'add', description: 'adds' },
    { name: 'remove', description: 'removes' },
  ],
  t: [{ name: 'look' }],
};
const cases: FakeCase[] = [
  { query: 'add', expected: [{ server: 's', tool: 'add' }], servers: ['s', 't'] },
  {
    query: 'remove',
    expected: [{ server: 's', tool: 'remove' }],
    servers: ['s', 't'],
    allowedCalls: [{ server: 's', tool: 'add' }],
  },
  { query: 'nothing', expected: [], servers: ['s', 't'] },
];
/**
 * Calls the offered tool whose description begins with the query, else one of that name, else the
 * last one.
 */
const byDescription: Script = async ({ query, tools }) => {
  if (query === 'nothing') return { calls: [] };
  const found =
    tools.find(({ description }) => description.startsWith(query)) ??
    tools.find(({ name }) => name === query) ??
    tools.at(-1);
  return { calls: found ? [call(found.server, found.name)] : [] };
};
const openEngine = () => createEngine({ servers, cases, script: byDescription });
const whatIf = async (engine: Engine, id: string, changes: WhatIfChange[]) => {
  const made = await engine.service.whatIf({ id, modelSettingsId: null, changes });
  await engine.drain(made.id);
  const results = new ResultsService({
    store: engine.database.store,
    reader: engine.reader,
    summarize: () => Promise.reject(new Error('not asked')),
  });
  const {
    candidates: [found],
  } = await results.compare({
    baseline: { id, modelSettingsId: null },
    candidates: [{ id: made.id, modelSettingsId: null }],
    passedWhen: null,
  });
  if (!found) throw new Error('no candidate');
  return {
    made,
    found,
    regressed: found.regressed.map(({ query }) => query),
    fixed: found.fixed.map(({ query }) => query),
  };
};
const base = async (engine: Engine) => {
  const id = await engine.start();
  await engine.drain(id);
  return id;
};

describe('a what-if', () => {
  it('stops offering a removed tool and scores its case as failed', async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    const { made, found, regressed } = await whatIf(engine, id, [
      { kind: 'remove_tool', toolId: 's:add' },
    ]);
    expect(regressed).toEqual(['add']);
    expect(found).toMatchObject({
      sharedCases: 3,
      whatIfOf: 1,
      tools: { removed: ['s:add'], added: [], changed: [] },
      notScored: [],
    });
    expect(await engine.service.get({ id: made.id })).toMatchObject({
      state: 'completed',
      settings: { whatIf: { baseId: id, changes: [{ kind: 'remove_tool', toolId: 's:add' }] } },
    });
    // The evaluation that it repeats does not change.
    expect((await engine.service.snapshot({ id }))?.tools).toHaveLength(3);
  });

  it('removes a server and offers added tools', async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    expect(await whatIf(engine, id, [{ kind: 'remove_server', server: 's' }])).toMatchObject({
      regressed: ['add', 'remove'],
      found: { notScored: [] },
    });
    const raw = JSON.stringify({
      name: 'plus',
      description: 'add at once',
      inputSchema: { type: 'object' },
    });
    const plus = {
      tool: {
        server: 'new',
        name: 'plus',
        title: null,
        description: 'add at once',
        inputSchema: { type: 'object' },
        outputSchema: null,
        annotations: null,
      },
      raw,
    };
    const { regressed, found } = await whatIf(engine, id, [
      { kind: 'override', toolId: 's:add', description: 'x' },
      { kind: 'add_tools', tools: [plus] },
    ]);
    expect(regressed).toEqual(['add']);
    expect(found.regressed[0]?.after).toEqual(['new:plus']);
    expect(found.tools).toEqual({ added: ['new:plus'], removed: [], changed: ['s:add'] });
  });

  it('shows the model an overridden description and freezes it', async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    const { made, regressed } = await whatIf(engine, id, [
      { kind: 'override', toolId: 's:add', description: 'remove it' },
      { kind: 'override', toolId: 's:remove', description: 'unclear', title: 'Title' },
    ]);
    expect(regressed).toEqual(['remove']);
    const { store } = engine.database;
    const frozen = (await engine.service.snapshot({ id: made.id }))?.tools.find(
      ({ name }) => name === 'add',
    );
    expect(JSON.parse(store.toolSnapshots.raw(frozen?.hash ?? ''))).toMatchObject({
      name: 'add',
      description: 'remove it',
      inputSchema: { type: 'object' },
    });
  });

  it('renames a tool in expectations too, so that its case still passes', async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    const { found, regressed, made } = await whatIf(engine, id, [
      { kind: 'rename', toolId: 's:add', name: 'create' },
    ]);
    expect({ regressed, shared: found.sharedCases, changed: found.changed }).toEqual({
      regressed: [],
      shared: 3,
      changed: [],
    });
    const { rows } = await engine.service.runs({
      id: made.id,
      filter: {},
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 10,
    });
    expect(rows[0]).toMatchObject({
      expected: ['s:create'],
      selected: ['s:create'],
      classification: 'TP',
    });
  });

  it('of a what-if asks the same questions as both, through the names of each', async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    const second = await whatIf(engine, id, [{ kind: 'rename', toolId: 's:add', name: 'create' }]);
    const third = await whatIf(engine, second.made.id, [
      { kind: 'rename', toolId: 's:create', name: 'make' },
    ]);
    expect(third.found).toMatchObject({ sharedCases: 3, changed: [] });
    const results = new ResultsService({
      store: engine.database.store,
      reader: engine.reader,
      summarize: () => Promise.reject(new Error('not asked')),
    });
    const { candidates } = await results.compare({
      baseline: { id, modelSettingsId: null },
      candidates: [{ id: third.made.id, modelSettingsId: null }],
      passedWhen: null,
    });
    expect(candidates[0]).toMatchObject({ sharedCases: 3, changed: [], added: [], removed: [] });
  });

  it.each<[string, WhatIfChange]>([
    ['a tool that was not offered', { kind: 'remove_tool', toolId: 's:never' }],
    ['a server that was not offered', { kind: 'remove_server', server: 'never' }],
    ['a server that was never listed', { kind: 'add_server', server: 't2' }],
    ['an override of nothing', { kind: 'override', toolId: 's:add' }],
    ['a name that is taken', { kind: 'rename', toolId: 's:add', name: 'remove' }],
  ])('rejects %s and starts nothing', async (_what, change) => {
    await using engine = await openEngine();
    const id = await base(engine);
    const error: unknown = await engine.service
      .whatIf({ id, modelSettingsId: null, changes: [change] })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'INVALID' });
    expect(engine.database.store.evaluations.list(null, 10)).toHaveLength(1);
  });

  it("can't be started through the ordinary settings", async () => {
    await using engine = await openEngine();
    const whatIfSettings = {
      baseId: 'x',
      changes: [],
      addedServers: [],
      removedServers: [],
      positions: null,
    };
    await expect(engine.start({ whatIf: whatIfSettings })).rejects.toMatchObject({
      code: 'INVALID',
    });
  });
});

describe('a tools file', () => {
  it('is offered as written, with rejected tools named and invalid files refused', async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    const { service } = engine;
    const file = {
      tools: [
        {
          server: 's',
          name: 'erase',
          description: 'Erases for good.',
          input_schema: { type: 'object', properties: { n: { type: 'number' } } },
        },
        { server: 's', name: '' },
      ],
    };
    const read = await service.readTools({ fileName: 'more.json', text: JSON.stringify(file) });
    expect(read.rejected).toEqual([{ server: 's', name: 'tool 2', reason: 'It has no name.' }]);
    const added = whatIfChange.parse({ kind: 'add_tools', tools: read.tools });
    const made = await service.whatIf({ id, modelSettingsId: null, changes: [added] });
    await engine.drain(made.id);
    expect(
      (await engine.service.snapshot({ id: made.id }))?.tools.find(({ name }) => name === 'erase'),
    ).toMatchObject({
      description: 'Erases for good.',
      inputSchema: { properties: { n: { type: 'number' } } },
    });
    for (const text of ['{"tools":[]}', '{"tools":[{"server":"s"}]}', 'no JSON', '[]'])
      await expect(service.readTools({ fileName: 'bad.json', text })).rejects.toMatchObject({
        code: 'INVALID',
        data: { thing: 'The tools file bad.json' },
      });
    await expect(
      service.whatIf({ id, modelSettingsId: null, changes: [added, added] }),
    ).rejects.toMatchObject({ code: 'INVALID' });
  });
});

describe('repeats', () => {
  it('ask no server for its tools', async () => {
    let asked = 0;
    const watched = {
      ...servers,
      get s() {
        asked += 1;
        return servers.s;
      },
    };
    await using engine = await createEngine({ servers: watched, cases, script: byDescription });
    const id = await base(engine);
    const before = asked;
    expect(before).toBeGreaterThan(0);
    const made = await engine.service.whatIf({ id, modelSettingsId: null, changes: [] });
    await engine.drain(made.id);
    expect((await engine.service.get({ id: made.id })).state).toBe('completed');
    expect(asked).toBe(before);
  });
});

describe('rerunCase', () => {
  it('runs one case on the same snapshot and leaves the original unchanged', async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    const page = { filter: {}, sort: 'position', descending: false, offset: 0, limit: 10 } as const;
    const before = await engine.service.runs({ id, ...page });
    const made = await engine.service.rerunCase({ id, runId: before.rows[1]?.runId ?? '' });
    await engine.drain(made.id);
    expect((await engine.service.runs({ id: made.id, ...page })).rows).toMatchObject([
      { query: 'remove', caseKey: 'case-1', classification: 'TP' },
    ]);
    expect((await engine.service.get({ id: made.id })).snapshotId).toBe(
      (await engine.service.get({ id })).snapshotId,
    );
    expect(await engine.service.runs({ id, ...page })).toEqual(before);
    await expect(
      engine.service.rerunCase({ id: made.id, runId: before.rows[1]?.runId ?? '' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('rescore', () => {
  it("applies the suite's new expectations only to cases with an unchanged query", async () => {
    await using engine = await openEngine();
    const id = await base(engine);
    const { store } = engine.database;
    const [add, remove] = store.testCases.listBySuite(engine.suiteId);
    if (!add || !remove) throw new Error('no cases');
    const content = ({
      id: _id,
      suiteId: _s,
      position: _p,
      createdAt: _c,
      updatedAt: _u,
      ...rest
    }: typeof add) => rest;
    store.testCases.update(add.id, {
      ...content(add),
      expectedCalls: [{ server: 's', tool: 'remove' }],
    });
    store.testCases.update(remove.id, {
      ...content(remove),
      query: 'something else',
      expectedCalls: [],
    });
    expect(await engine.service.rescore({ id })).toMatchObject({
      counts: { tp: 2, tn: 1 },
    });
    const summary = await engine.service.rescore({
      id,
      expectations: 'suite',
      highConfidence: 0.9,
    });
    expect(summary.counts).toMatchObject({ tp: 1, fn: 1, tn: 1 });
    const { rows } = await engine.service.runs({
      id,
      filter: { classification: ['FN'] },
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 10,
    });
    expect(rows).toMatchObject([{ query: 'add', expected: ['s:remove'] }]);
    const detail = await engine.service.run({
      id,
      runId: rows[0]?.runId ?? '',
      filter: {},
      sort: 'position',
      descending: false,
    });
    expect(detail.history).toMatchObject([
      {
        score: { classification: 'TP' },
        expectation: { expectedCalls: [{ server: 's', tool: 'add' }] },
        highConfidence: 0.7,
      },
    ]);
    expect((await engine.service.get({ id })).settings.highConfidence).toBe(0.9);
    const otherSuite = {
      version: 1 as const,
      name: 'x',
      servers: ['s'],
      cases: [{ id: 'y', name: 'y', query: 'y', expected_calls: [] }],
    };
    await expect(engine.service.rescore({ id, suite: otherSuite })).rejects.toMatchObject({
      code: 'INVALID',
    });
  });
});
