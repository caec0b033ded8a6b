import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import { call, createEngine, type FakeTool } from '../../testing/engine.ts';
import { MissingValues } from '../servers/connectWithVariables.ts';
import { neededServers } from '../evaluations/caseUnit.ts';
const trouble = new ServiceError('TROUBLE', {
  thing: 'Server down',
  cause: 'Nothing listens.',
  nextStep: 'Start it.',
});
const ingested = (events: readonly EvaluationEvent[]) =>
  events.flatMap((event) =>
    event.type === 'ingested' ? [event.servers.map(({ server, status }) => [server, status])] : [],
  );
const tools: FakeTool[] = [{ name: 'add' }];
const answerFirst = async ({
  tools: [first],
}: {
  tools: readonly { server: string; name: string }[];
}) => ({ calls: [call(first?.server ?? '', first?.name ?? '')] });
const expectAdd = (server: string) => ({
  query: server,
  servers: [server],
  expected: [{ server, tool: 'add' }],
});

describe('the frozen tools of an evaluation', () => {
  it('keep what was listed on a resume and add only what was missing', async () => {
    const servers: Record<string, FakeTool[] | Error> = { up: tools, down: trouble };
    await using engine = await createEngine({
      servers,
      cases: [expectAdd('up'), expectAdd('down')],
      script: answerFirst,
    });
    const id = await engine.start();
    expect(ingested(await engine.drain(id))).toEqual([
      [
        ['up', 'listed'],
        ['down', 'failed'],
      ],
    ]);
    const before = await engine.service.snapshot({ id });

    servers['down'] = tools;
    servers['up'] = [{ name: 'add', description: 'Changed meanwhile.' }];
    const seq = engine.database.store.events.lastSeq(id);
    await engine.service.resume({ id });
    expect(ingested(await engine.drain(id, seq))).toEqual([
      [
        ['up', 'listed'],
        ['down', 'listed'],
      ],
    ]);
    const after = await engine.service.snapshot({ id });
    expect(after?.tools.map(({ server, description }) => [server, description])).toEqual([
      ['up', ''],
      ['down', ''],
    ]);
    expect(after?.tools[0]?.hash).toBe(before?.tools[0]?.hash);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tp: 2, failed: 0, total: 2 },
    });
  });

  it('are those of the latest listing where values of a server are missing', async () => {
    const missing = new MissingValues('TROUBLE', {
      thing: 'Server up',
      cause: '${secret:up/KEY} has no value, so that it was not started.',
      nextStep: 'Enter it on the server\u2019s page.',
    });
    const servers: Record<string, FakeTool[] | Error> = { up: tools, never: missing };
    await using engine = await createEngine({
      servers,
      cases: [expectAdd('up'), expectAdd('never')],
      script: answerFirst,
    });
    // The first evaluation lists the server, the second one can't start it.
    await engine.drain(await engine.start());
    servers['up'] = missing;
    const id = await engine.start();
    await engine.drain(id);
    const snapshot = await engine.service.snapshot({ id });
    expect(snapshot?.servers).toMatchObject([
      { server: 'up', status: 'listed', error: expect.stringMatching(/no value.*listed on 20/) },
      { server: 'never', status: 'failed' },
    ]);
    expect(await engine.service.get({ id })).toMatchObject({ counts: { tp: 1, failed: 1 } });
    const server = engine.database.store.servers.getByName('up');
    expect(engine.database.store.serverListings.list(server?.id ?? '')).toHaveLength(1);
  });

  it('let a resume go on without a server that was deleted', async () => {
    const servers: Record<string, FakeTool[] | Error> = { up: tools, down: trouble };
    await using engine = await createEngine({
      servers,
      cases: [expectAdd('up'), expectAdd('down')],
      script: answerFirst,
    });
    const id = await engine.start();
    await engine.drain(id);
    const { store } = engine.database;
    for (const server of store.servers.list()) store.servers.delete(server.id);
    const seq = store.events.lastSeq(id);
    await engine.service.resume({ id });
    const events = await engine.drain(id, seq);
    expect(ingested(events)).toEqual([
      [
        ['up', 'listed'],
        ['down', 'failed'],
      ],
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'ended', state: 'incomplete' });
    expect(await engine.service.get({ id })).toMatchObject({
      counts: { tp: 1, failed: 1 },
    });
    const { rows } = await engine.service.runs({
      id,
      filter: { status: ['failed'] },
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 10,
    });
    expect(rows).toMatchObject([
      { failure: 'server', errorMessage: expect.stringMatching(/down.*not registered/) },
    ]);
  });

  it('are not requested again on a resume when they are complete', async () => {
    const servers: Record<string, FakeTool[] | Error> = { up: tools };
    let broken = true;
    await using engine = await createEngine({
      servers,
      cases: [expectAdd('up')],
      script: async (request) => {
        if (broken) throw new Error('Our own fault.');
        return answerFirst(request);
      },
    });
    const id = await engine.start();
    await engine.drain(id);
    broken = false;
    servers['up'] = trouble;
    const seq = engine.database.store.events.lastSeq(id);
    await engine.service.resume({ id });
    expect(ingested(await engine.drain(id, seq))).toEqual([]);
    expect(await engine.service.get({ id })).toMatchObject({
      state: 'completed',
      counts: { tp: 1 },
    });
  });

  it('come from the servers of all cases, and from no others', async () => {
    const cases = [...Array.from({ length: 1_200 }, () => expectAdd('s')), expectAdd('late')];
    await using engine = await createEngine({
      servers: { s: tools, late: tools, unused: trouble },
      cases,
      script: answerFirst,
    });
    const id = await engine.start({ concurrency: 32 });
    expect(ingested(await engine.drain(id))).toEqual([
      [
        ['s', 'listed'],
        ['late', 'listed'],
      ],
    ]);
    expect(
      await neededServers(
        engine.database.store,
        engine.database.store.evaluations.get('case', id)!,
      ),
    ).toEqual(['s', 'late']);
  });

  it('are kept as a listing of their server, once per change', async () => {
    const servers: Record<string, FakeTool[] | Error> = { up: tools, down: trouble };
    await using engine = await createEngine({
      servers,
      cases: [expectAdd('up'), expectAdd('down')],
      script: answerFirst,
    });
    const { store } = engine.database;
    const kept = (name: string) =>
      store.serverListings
        .list(store.servers.list().find((server) => server.name === name)?.id ?? '')
        .map(({ snapshotId, askedBy }) => [
          store.toolSnapshots.get(snapshotId)?.tools.map(({ name: tool }) => tool),
          askedBy,
        ]);
    await engine.drain(await engine.start());
    expect(engine.logged).toEqual([
      expect.stringMatching(/^Evaluation #1 of suite: incomplete, ./),
    ]);
    await engine.drain(await engine.start());
    expect(kept('up')).toEqual([[['add'], 'evaluation']]);
    expect(kept('down')).toEqual([]);
    servers['up'] = [{ name: 'add' }, { name: 'remove' }];
    await engine.drain(await engine.start());
    expect(kept('up')).toEqual([
      [['add', 'remove'], 'evaluation'],
      [['add'], 'evaluation'],
    ]);
  });
});
