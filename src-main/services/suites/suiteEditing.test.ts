import { describe, expect, it } from 'vitest';
import { proposals } from '../../../src-shared/contract/suites.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import type { ReceivedTool } from '../../../src-shared/domain/tool.ts';
import { findNearDuplicates } from '../../analysis/nearDuplicates.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { openTestModel } from '../../testing/fakeModelServer/openTestModel.ts';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { SuitesService } from './suitesService.ts';

const options = { signal: new AbortController().signal };
const content = (change: Partial<CaseContent> = {}): CaseContent => ({
  name: 'a',
  query: 'Add milk to my list',
  tags: ['old'],
  servers: [],
  expectedCalls: [{ server: 'todo', tool: 'add_task', parameters: { title: 'milk' } }],
  orderDependent: false,
  allowedCalls: [],
  stubResults: [],
  ...change,
});

const received = (
  name: string,
  description: string,
  properties: object,
  required: string[],
): ReceivedTool => {
  const inputSchema = {
    type: 'object',
    properties,
    required,
  } as ReceivedTool['tool']['inputSchema'];
  return {
    raw: JSON.stringify({ name, description, inputSchema }),
    tool: {
      server: 'todo',
      name,
      title: null,
      description,
      inputSchema,
      outputSchema: null,
      annotations: null,
    },
  };
};

async function openSuite(more: ReturnType<typeof received>[] = []) {
  const database = createTestDatabase();
  const { store } = database;
  const service = new SuitesService({ store });
  const server = store.servers.insert({
    name: 'todo',
    url: 'stdio:todo',
    config: { transport: 'stdio', command: 'todo', args: [], cwd: null, env: {} },
  });
  const tools = [
    received(
      'add_task',
      'Creates a task. More words.',
      { title: { type: 'string' }, priority: { type: 'string', enum: ['low', 'high'] } },
      ['title', 'priority'],
    ),
    received('remove_task', 'Deletes a task by its id.', { id: { type: 'string' } }, ['id']),
    ...more,
  ];
  const snapshot = store.toolSnapshots.freeze({
    servers: [
      {
        server: 'todo',
        serverId: server.id,
        status: 'listed',
        error: null,
        instructions: null,
        protocolVersion: null,
        serverInfo: null,
        rejected: [],
      },
    ],
    tools: tools.map((tool) => ({ serverId: server.id, tool })),
  });
  store.serverListings.add({
    id: 'l',
    serverId: server.id,
    snapshotId: snapshot.id,
    createdAt: '2026-01-01T00:00:00.000Z',
    askedBy: 'person',
  });
  const suite = await service.create({ name: 's', system: null, messages: [], servers: ['todo'] });
  const add = (change: Partial<CaseContent>) =>
    service.createCase({ suiteId: suite.id, ...content(change) });
  return {
    database,
    store,
    service,
    suite,
    add,
    undo: (token: string) =>
      store.transaction(() => service.restoreCases(store.trash.take(token)?.content)),
  };
}

describe('case problems', () => {
  it('finds unknown tools, parameters and servers, and near duplicates', async () => {
    const { database, store, service, suite, add } = await openSuite();
    using _closing = database;
    const fine = await add({ expectedCalls: [{ server: 'todo', tool: 'add_task' }] });
    const gone = await add({
      name: 'gone',
      query: 'Something else entirely',
      expectedCalls: [{ server: 'todo', tool: 'vanished' }],
    });
    const odd = await add({
      name: 'odd',
      query: 'A third matter',
      expectedCalls: [
        {
          server: 'todo',
          tool: 'add_task',
          parameters: { titel: 'x', priority: { $any: ['low'] } },
        },
      ],
    });
    const twin = await add({
      name: 'twin',
      query: 'add MILK to my list!',
      servers: ['nobody'],
      expectedCalls: [],
    });
    // As an earlier version stored it.
    const anyOf = ['low', 'high'].map((priority) => ({
      ...{ server: 'todo', tool: 'add_task', parameters: { title: 'x', priority } },
    }));
    const [unread] = store.testCases.insertMany(suite.id, [
      {
        ...content({ name: 'unread', query: 'A fourth one' }),
        ...{ key: 'unread', expectedCalls: [{ anyOf, parameters: { titel: 'x' } }] },
      },
    ]);
    const found = new Map(
      (await service.problems({ suiteId: suite.id })).map(({ caseId, problems }) => [
        caseId,
        problems.map(({ kind, field }) => [kind, field]),
      ]),
    );
    expect(found.has(fine.id)).toBe(false);
    expect(found.get(gone.id)).toEqual([['unknown tool', 'expectedCalls.0']]);
    expect(found.get(odd.id)).toEqual([['unknown parameter', 'expectedCalls.0.parameters.titel']]);
    expect(found.get(unread?.id ?? '')).toEqual([
      ['unused arguments', 'expectedCalls.0.parameters'],
    ]);
    expect(found.get(twin.id)).toEqual([
      ['unknown server', 'servers'],
      ['near duplicate', 'query'],
    ]);
  });

  it('finds near duplicates and no others', async () => {
    const texts = [
      'book a table for two in Rome',
      'Book a table for two, in Rome!',
      'cancel my flight',
      '',
      '',
      'book a table for two in Paris',
    ];
    const alone = () => undefined;
    expect(await findNearDuplicates(texts, alone)).toEqual([{ one: 0, other: 1, share: 1 }]);
    expect(await findNearDuplicates(texts, alone, 0.7)).toHaveLength(2);
  });
});

describe('bulk changes', () => {
  it('undoes a bulk edit without restoring cases that were deleted since', async () => {
    const { database, store, service, suite, add, undo } = await openSuite();
    using _closing = database;
    const [one, two] = [await add({}), await add({ name: 'b' })];
    const { token } = await service.editCases({
      ids: [one.id, two.id],
      addTags: ['new'],
      removeTags: ['old'],
      servers: ['todo'],
    });
    expect(
      store.testCases.listBySuite(suite.id).map(({ tags, servers }) => ({ tags, servers })),
    ).toEqual([
      { tags: ['new'], servers: ['todo'] },
      { tags: ['new'], servers: ['todo'] },
    ]);
    await service.removeCases({ ids: [two.id] });
    undo(token);
    expect(
      store.testCases.listBySuite(suite.id).map(({ id, tags, servers }) => ({ id, tags, servers })),
    ).toEqual([{ id: one.id, tags: ['old'], servers: [] }]);
  });

  it('gives each copy a key of its own', async () => {
    const { database, service, add } = await openSuite();
    using _closing = database;
    const { id, key } = await add({});
    const copies = await service.duplicateCases({ ids: [id, id] });
    expect(new Set([key, ...copies.map((copy) => copy.key)]).size).toBe(3);
    expect(copies.map(({ name }) => name)).toEqual(['a (copy)', 'a (copy)']);
  });

  it('keeps an unsaved draft after a restart', async () => {
    const { database, service, suite } = await openSuite();
    using _closing = database;
    await service.saveDraft({ suiteId: suite.id, key: 'new', content: { name: 'half' } });
    await service.saveDraft({ suiteId: suite.id, key: 'x', content: { name: 'gone' } });
    await service.saveDraft({ suiteId: suite.id, key: 'x', content: null });
    database.reopen();
    const again = new SuitesService({ store: database.store });
    expect(await again.drafts({ suiteId: suite.id })).toEqual({ new: { name: 'half' } });
    await expect(
      again.saveDraft({ suiteId: 'nobody', key: 'new', content: {} }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('imports into an existing suite and gives a taken key a suffix', async () => {
    const { database, service, store, suite, add } = await openSuite();
    using _closing = database;
    const { key } = await add({});
    const given = {
      fileName: 'x.csv',
      text: `id,frage,tool\n${key},Add bread,add_task\n`,
      format: 'csv' as const,
      map: { query: 'frage' },
      server: 'todo',
      into: suite.id,
    };
    const preview = await service.previewImport(given, options);
    expect(preview).toMatchObject({
      name: 's',
      replaces: null,
      cases: 1,
      columns: {
        names: ['id', 'frage', 'tool'],
        mapped: { id: 'id', query: 'frage', tool: 'tool' },
      },
    });
    await service.import({ ...given, replace: false }, options);
    expect(store.testCases.listBySuite(suite.id).map((each) => each.key)).toEqual([
      key,
      `${key}-2`,
    ]);
    const unmapped = await service.previewImport({ ...given, map: {} }, options);
    expect(unmapped).toMatchObject({
      columns: { names: ['id', 'frage', 'tool'], mapped: { id: 'id', tool: 'tool' } },
    });
    expect(unmapped.problems).toHaveLength(1);
  });
});

describe('proposed cases', () => {
  it('leave the request to a person without a model, and record their origin', async () => {
    const { database, service, suite } = await openSuite();
    using _closing = database;
    const { madeBy, cases, notes } = proposals.parse(
      await service.proposeCases({ suiteId: suite.id, model: null }, options),
    );
    expect([madeBy, notes]).toEqual(['template', []]);
    expect(cases.map(({ kind }) => kind)).toEqual([
      'right tool',
      'near neighbor',
      'no tool',
      'right tool',
      'near neighbor',
      'no tool',
    ]);
    expect(cases[0]?.content).toMatchObject({
      name: 'add task',
      expectedCalls: [
        { server: 'todo', tool: 'add_task', parameters: { title: 'Garden plan', priority: 'low' } },
      ],
    });
    expect(new Set(cases.map(({ content: { query } }) => query))).toEqual(new Set(['']));
    expect(
      cases
        .filter(({ kind }) => kind === 'no tool')
        .every(({ content: { expectedCalls } }) => expectedCalls.length === 0),
    ).toBe(true);
    const asked = { ...cases[0]!.content, query: 'The garden needs a plan, soon.' };
    const [made] = await service.acceptProposals({
      suiteId: suite.id,
      madeBy,
      cases: [{ ...cases[0]!, content: asked, edited: true }],
    });
    expect(made?.origin).toEqual({
      kind: 'proposal',
      madeBy: 'template',
      basis: 'todo:add_task',
      edited: true,
    });
    expect(await service.problems({ suiteId: suite.id })).toEqual([]);
    expect(
      (await service.proposeCases({ suiteId: suite.id, servers: ['nobody'], model: null }, options))
        .notes,
    ).toEqual(['No server is named nobody. Choose another one.']);
  });

  it('name a tool that is not listed', async () => {
    const { database, service, suite } = await openSuite([
      received('create_note', 'Create a note.', { title: { type: 'string' } }, ['title']),
      received('make_list', 'Make a list with title and items.', { title: { type: 'string' } }, [
        'title',
      ]),
    ]);
    using _closing = database;
    const propose = (tool: string) =>
      service.proposeCases(
        { suiteId: suite.id, tools: [tool], kinds: ['right tool', 'near neighbor'], model: null },
        options,
      );
    const short = await propose('todo:create_note');
    expect(short.cases.map(({ content: { name } }) => name)).toEqual([
      'create note',
      'create note, not add task',
    ]);
    expect(short.notes).toEqual([]);
    expect(await propose('todo:gone')).toMatchObject({
      cases: [],
      notes: ['todo:gone isn’t listed. Choose another tool, or check its server again.'],
    });
  });

  it('have the requests of the model, and none where it fails', async () => {
    const { database, store, suite } = await openSuite();
    using _closing = database;
    await using server = await startFakeModelServer({
      rule: () => ({
        does: 'answer',
        calls: [
          {
            name: 'touchstone__write_request',
            arguments: { request: 'Put the garden on my list, would you?' },
          },
        ],
      }),
    });
    const service = new SuitesService({
      store,
      openChatModel: () => openTestModel(server, 'openai'),
    });
    const model = modelConfiguration.parse({ provider: 'openai', model: 'fake-model' });
    const told = await service.proposeCases({ suiteId: suite.id, model }, options);
    expect(told.madeBy).toBe('openai · fake-model');
    expect(server.requests.length).toBe(told.cases.length);
    const used = server.requests[0]?.toolNames[0] ?? '';
    expect(used).toContain('write_request');
    expect(new Set(told.cases.map(({ content: { query } }) => query))).toEqual(
      new Set(['Put the garden on my list, would you?']),
    );
    server.script({
      does: 'error',
      status: 401,
      type: 'invalid_request_error',
      message: 'bad key',
    });
    const refused = await service.proposeCases({ suiteId: suite.id, model }, options);
    expect(refused.notes.at(-1)).toBe('The model wasn’t asked again.');
    expect(refused.cases.map(({ content: { query } }) => query)).toEqual(['']);
    expect(refused.notes[0]).toMatch(/^add task: .*Write this request yourself\.$/u);
  });
});
