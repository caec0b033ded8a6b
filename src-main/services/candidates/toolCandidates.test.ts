import { describe, expect, it } from 'vitest';
import { createOpenChatModel } from '../../adapters/llm/openChatModel.ts';
import type { TextEdit } from '../../../src-shared/domain/textEdit.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { call, createEngine, type Engine, type FakeCase } from '../../testing/engine.ts';
import { SecurityService } from '../security/securityService.ts';
import { TokenCounter } from '../tokenCounts/tokenCounter.ts';
import { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { openCaseTrial } from '../trials/caseTrial.ts';
import { CandidatesService } from './candidatesService.ts';

const noSignal = { signal: new AbortController().signal };
const toolId = 's:add';
const cases: FakeCase[] = Array.from({ length: 30 }, (_, at) => ({
  query: `add ${at}`,
  expected: [{ server: 's', tool: 'add' }],
}));
const described = (newText: string): TextEdit => ({
  toolId,
  path: '/description',
  oldText: 'Works on tasks.',
  newText,
});

/** Models that call "add" only if its description was changed; "large" always does. */
const openEngine = (list = cases): Promise<Engine> =>
  createEngine({
    servers: {
      s: [
        { name: 'add', description: 'Works on tasks.' },
        { name: 'remove', description: 'Removes a task.' },
      ],
    },
    cases: list,
    script: async ({ tools }, _signal, model) => {
      const better = tools.find(({ name }) => name === 'add')?.description !== 'Works on tasks.';
      return { calls: [call('s', better || model.model === 'large' ? 'add' : 'remove')] };
    },
  });

function serviceOf(engine: Engine): CandidatesService {
  const { store } = engine.database;
  const openChatModel = createOpenChatModel({ warn: () => undefined });
  const security = new SecurityService({
    store,
    openChatModel,
    datasetsFolder: programFiles.datasets,
  });
  const service = new CandidatesService({
    store,
    tokens: new TokenCounts(store, new TokenCounter()),
    examine: (tools, signal) => security.toolFindings({ tools: [...tools] }, { signal }),
    openChatModel,
    trials: { open: (target) => openCaseTrial(store, engine.service, target) },
  });
  engine.service.onEnd((id) => service.settle(id));
  return service;
}

/** What the server offers from now on, as a check of it finds. */
function offer({ database: { store } }: Engine, description: string, at: string): void {
  const serverId = store.servers.getByName('s')?.id ?? '';
  const snapshot = store.toolSnapshots.freeze({
    servers: [
      {
        server: 's',
        serverId,
        status: 'listed',
        error: null,
        instructions: null,
        protocolVersion: null,
        serverInfo: null,
        rejected: [],
      },
    ],
    tools: [
      { name: 'add', description },
      { name: 'remove', description: 'Removes a task.' },
    ].map((published) => {
      const tool = { ...published, inputSchema: { type: 'object' } };
      const rest = { server: 's', title: null, outputSchema: null, annotations: null };
      return { serverId, tool: { raw: JSON.stringify(tool), tool: { ...rest, ...tool } } };
    }),
  });
  store.serverListings.add({
    id: `listing-${at}`,
    serverId,
    snapshotId: snapshot.id,
    createdAt: at,
    askedBy: 'person',
  });
}

const evaluate = async (engine: Engine, change = {}): Promise<string> => {
  const id = await engine.start(change);
  await engine.drain(id);
  return id;
};

describe('a candidate of a tool', () => {
  it('is written and checked without any result, and tried on the first one', async () => {
    await using engine = await openEngine();
    offer(engine, 'Works on tasks.', '2026-01-01T00:00:00.000Z');
    const service = serviceOf(engine);
    const without = { evaluationId: null, modelSettingsId: null, toolId };

    const subject = await service.subject(without);
    expect(subject).toMatchObject({ result: null, newer: null, suites: [{ cases: 30 }] });
    expect(subject.offered?.description).toBe('Works on tasks.');
    const edits = [described('Adds a task.')];
    const check = await service.check(
      { ...without, edits: [described('Adds a new task to the list of a user.')] },
      noSignal,
    );
    expect(check.tokensAfter).toBeGreaterThan(check.tokensBefore);
    expect(check.neighbors.map((one) => one.toolId)).toEqual(['s:remove']);

    const draft = await service.add({ ...without, edits, source: 'hand' });
    expect(draft).toMatchObject({ baseEvaluationId: null, modelName: null, now: 'draft' });
    await expect(service.search({ id: draft.id, agreedServers: [] })).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { cause: 'No result has offered this tool yet.' },
    });
    const patch = await service.export({ id: draft.id, format: 'markdown' }, noSignal);
    expect(patch.text).toContain('Not estimated and not proven.');
    expect(patch.text).not.toContain('null');

    const evaluationId = await evaluate(engine);
    const { result } = await service.subject(without);
    expect(result).toMatchObject({ evaluationId, models: [{ scored: 30, passed: 0 }] });
    const tried = await service.add({
      ...{ toolId, edits, evaluationId, modelSettingsId: result?.modelSettingsId ?? null },
      source: 'hand',
    });
    expect(tried).toMatchObject({ id: draft.id, baseEvaluationId: evaluationId, now: 'draft' });
    const proving = await service.prove({ id: tried.id, agreedServers: [] });
    expect(proving.now).toBe('proving');
    await engine.drain(proving.proofEvaluationId ?? '');
    expect(await service.list({ toolId })).toMatchObject([{ id: draft.id, now: 'accepted' }]);
  });

  it('stays proven with a newer result, until its server offers its text or another one', async () => {
    await using engine = await openEngine();
    offer(engine, 'Works on tasks.', '2026-01-01T00:00:00.000Z');
    const service = serviceOf(engine);
    const first = await evaluate(engine);
    const one = await service.add({
      ...{ toolId, evaluationId: first, modelSettingsId: null },
      edits: [described('Adds a task.')],
      source: 'hand',
    });
    const proving = await service.prove({ id: one.id, agreedServers: [] });
    await engine.drain(proving.proofEvaluationId ?? '');
    const second = await evaluate(engine);

    const state = async (): Promise<unknown> => {
      const [found] = await service.list({ toolId });
      const open = (await service.proven()).map(({ id }) => id);
      return [found?.now, open];
    };
    // A second service on the same database is what a restart opens.
    expect((await serviceOf(engine).list({ toolId })).map(({ now }) => now)).toEqual(['accepted']);
    expect(await state()).toEqual(['accepted', [one.id]]);
    expect(
      await service.subject({ toolId, evaluationId: first, modelSettingsId: null }),
    ).toMatchObject({ result: { evaluationId: first }, newer: { evaluationId: second } });
    expect(
      await service.subject({ toolId, evaluationId: null, modelSettingsId: null }),
    ).toMatchObject({ result: { evaluationId: second }, newer: null });

    offer(engine, 'Adds a task.', '2026-01-02T00:00:00.000Z');
    expect(await state()).toEqual(['applied', []]);
    offer(engine, 'Adds tasks.', '2026-01-03T00:00:00.000Z');
    expect(await state()).toEqual(['out_of_date', []]);

    await service.remove({ id: one.id });
    expect(await service.list({ toolId })).toEqual([]);
    expect(await service.list({ toolId, putAway: true })).toMatchObject([{ id: one.id }]);
  });

  it('is tried with the model that was asked for, else with the worst one', async () => {
    await using engine = await openEngine();
    const [model] = engine.request().models;
    if (model === undefined) throw new Error('The request has no model.');
    const evaluationId = await evaluate(engine, {
      models: [{ ...model, model: 'large' }, model],
    });
    const service = serviceOf(engine);
    const asked = { toolId, evaluationId, modelSettingsId: null };
    const { result } = await service.subject(asked);
    expect(result?.models).toHaveLength(2);
    const other = result?.models.find(({ id }) => id !== result.modelSettingsId);
    expect(other).toMatchObject({ scored: 30, passed: 30 });
    expect(
      (await service.subject({ ...asked, modelSettingsId: other?.id ?? '' })).result,
    ).toMatchObject({ modelSettingsId: other?.id });
    // What is gone is replaced, never an error.
    expect(
      (await service.subject({ toolId, evaluationId: 'gone', modelSettingsId: 'gone' })).result,
    ).toMatchObject({ evaluationId, modelSettingsId: result?.modelSettingsId });
  });
});
