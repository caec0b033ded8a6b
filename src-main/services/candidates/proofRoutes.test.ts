import { describe, expect, it } from 'vitest';
import { call, createEngine, type FakeCase } from '../../testing/engine.ts';
import { createOpenChatModel } from '../../adapters/llm/openChatModel.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { optimizationSettings } from '../../../src-shared/domain/optimization.ts';
import { OptimizationsService } from '../optimizations/optimizationsService.ts';
import { openCaseTrial } from '../trials/caseTrial.ts';
import type { Trial, TrialTarget } from '../trials/trial.ts';
import { SecurityService } from '../security/securityService.ts';
import { TokenCounter } from '../tokenCounts/tokenCounter.ts';
import { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { openDatabase } from '../../store/database/openDatabase.ts';
import { openStore } from '../../store/store.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { CandidatesService } from './candidatesService.ts';

const servers = {
  s: [
    { name: 'add', description: 'Works on tasks.' },
    { name: 'remove', description: 'Removes a task.' },
  ],
};
const edit = {
  toolId: 's:add',
  path: '/description',
  oldText: 'Works on tasks.',
  newText: 'Adds a task.',
};
const casesOf = (tool: string): FakeCase[] =>
  Array.from({ length: 40 }, (_, at) => ({
    query: `${tool} ${at}`,
    expected: [{ server: 's', tool }],
  }));
const cases = [...casesOf('add'), ...casesOf('remove')];
/** The first case of the proof half that expects another tool. */
const shaky = cases.find(
  ({ query }, at) => query.startsWith('remove') && halfOf(`case-${at}`) === 'proof',
)?.query;

/**
 * A model that calls "remove" instead of "add" until the description of "add" changes. With the
 * changed one, it calls "add" in one of the three runs of `shaky`.
 */
async function prepare(
  wrap: (trial: Trial) => Trial = (trial) => trial,
  settings: { repetitions?: number } = { repetitions: 3 },
) {
  const asked = new Map<string, number>();
  const engine = await createEngine({
    servers,
    cases,
    script: async ({ query, tools }) => {
      const isBetter = tools.find(({ name }) => name === 'add')?.description !== 'Works on tasks.';
      if (query.startsWith('add')) return { calls: [call('s', isBetter ? 'add' : 'remove')] };
      if (!isBetter || query !== shaky) return { calls: [call('s', 'remove')] };
      const times = (asked.get(query) ?? 0) + 1;
      asked.set(query, times);
      return { calls: [call('s', times % 3 === 2 ? 'add' : 'remove')] };
    },
  });
  const { store } = engine.database;
  const openChatModel = createOpenChatModel({ warn: () => undefined });
  const security = new SecurityService({
    store,
    openChatModel,
    datasetsFolder: programFiles.datasets,
  });
  const trials = {
    open: (target: TrialTarget) => wrap(openCaseTrial(store, engine.service, target)),
  };
  const open = (): CandidatesService =>
    new CandidatesService({
      store,
      tokens: new TokenCounts(store, new TokenCounter()),
      examine: (tools, signal) => security.toolFindings({ tools: [...tools] }, { signal }),
      openChatModel,
      trials,
    });
  const optimizations = new OptimizationsService({
    store,
    openChatModel: () => Promise.reject(new Error('No model is asked.')),
    prices: { of: () => null },
    trials,
    clock: { monotonic: () => 0 },
  });
  const candidates = open();
  engine.service.onEnd((id) => candidates.settle(id));
  const evaluationId = await engine.start(settings);
  await engine.drain(evaluationId);
  const target = { evaluationId, modelSettingsId: null };
  const candidate = await candidates.add({
    ...target,
    toolId: 's:add',
    edits: [edit],
    source: 'hand',
  });
  const step = { id: candidate.id, agreedServers: [] };
  const repetitionsOf = async (): Promise<number[]> =>
    (await engine.service.list({ limit: 50 })).flatMap(({ number, origin }) =>
      origin === null ? [] : [number],
    );
  return { engine, store, open, candidates, optimizations, target, step, repetitionsOf };
}

describe('the proof of an edit', () => {
  it('has the same verdict as a candidate and as a given edit of an optimization', async () => {
    const { engine, candidates, optimizations, target, step } = await prepare();
    await using _engine = engine;
    const { proofEvaluationId } = await candidates.prove(step);
    await engine.drain(proofEvaluationId ?? '');
    const [proved] = await candidates.list({ evaluationId: target.evaluationId });
    const { id } = await optimizations.start({
      ...optimizationSettings.parse({ proposer: { kind: 'given', edits: [edit] } }),
      ...target,
    });
    const { signal } = new AbortController();
    for await (const { state } of optimizations.watch({ id }, { signal }))
      if (state !== 'running') break;
    const { state, result } = await optimizations.get({ id });
    // One of about 60 runs that expect the other tool went to the edited one: less than 2 points.
    expect(proved?.proof?.otherCalls.after).toBe((proved?.proof?.otherCalls.before ?? 0) - 1);
    expect(state).toBe('accepted');
    expect(proved?.state).toBe(state);
    const { cases: compared, won, lost, notScored, passedBefore, reasons } = proved?.proof ?? {};
    expect(result).toMatchObject({ cases: compared, won, lost, notScored, passedBefore, reasons });
  });

  it('is spent once by two proofs at once, and the other one is told what runs', async () => {
    const { engine, candidates, open, step, repetitionsOf } = await prepare();
    await using _engine = engine;
    const other = open();
    const both = await Promise.allSettled([candidates.prove(step), other.prove(step)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({
      reason: {
        code: 'CONFLICT',
        data: { cause: 'Its proof is being started.', nextStep: 'Wait until it has started.' },
      },
    });
    const [number] = await repetitionsOf();
    await expect(other.prove(step)).rejects.toMatchObject({
      code: 'CONFLICT',
      data: {
        cause: `Its proof is under way in evaluation #${number}.`,
        nextStep: `Wait for evaluation #${number} to end, or cancel it.`,
      },
    });
    await expect(other.search(step)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await repetitionsOf()).toHaveLength(1);
  });

  it('starts one estimate of two at once, and either an estimate or a proof', async () => {
    const { engine, candidates, step, repetitionsOf } = await prepare();
    await using _engine = engine;
    const all = await Promise.allSettled([
      candidates.search(step),
      candidates.search(step),
      candidates.prove(step),
    ]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await repetitionsOf()).toHaveLength(1);
  });

  it('gives its claim back if it could not start, with the rank', async () => {
    let isBroken = true;
    const { engine, candidates, store, step, target } = await prepare((trial) => ({
      ...trial,
      get proofKeys() {
        return trial.proofKeys;
      },
      repeat: (...request) =>
        isBroken ? Promise.reject(new Error('No key.')) : trial.repeat(...request),
    }));
    await using _engine = engine;
    await expect(candidates.prove(step)).rejects.toThrow('No key.');
    expect(store.candidates.get(step.id)).toMatchObject({ state: 'draft', proofRank: null });
    isBroken = false;
    const { proofEvaluationId, proofRank } = await candidates.prove(step);
    expect(proofRank).toBe(1);
    await engine.drain(proofEvaluationId ?? '');
    const [proved] = await candidates.list({ evaluationId: target.evaluationId });
    expect(proved?.state).toBe('accepted');
  });

  it('can begin after the program ended while it was being started', async () => {
    const { engine, candidates, open, store, step } = await prepare();
    await using _engine = engine;
    expect(store.candidates.claim(step.id, 'proof')).toBe(true);
    await expect(candidates.prove(step)).rejects.toMatchObject({ code: 'CONFLICT' });
    const next = open();
    next.recover();
    expect((await next.prove(step)).state).toBe('proving');
  });

  it('is kept where its evaluation ends, and at the next start if the program ended then', async () => {
    const { engine, candidates, open, store, step } = await prepare();
    await using _engine = engine;
    const { proofEvaluationId } = await candidates.prove(step);
    await engine.drain(proofEvaluationId ?? '');
    expect(store.candidates.get(step.id)?.state).toBe('accepted');

    engine.database.db.prepare("UPDATE candidates SET state = 'proving', proof = NULL").run();
    open().recover();
    expect(store.candidates.get(step.id)).toMatchObject({ state: 'accepted', proofRank: 1 });
  });

  it('is listed in a workspace that is open for reading, kept or not', async () => {
    const { engine, candidates, step, target } = await prepare();
    await using _engine = engine;
    const { proofEvaluationId } = await candidates.prove(step);
    await engine.drain(proofEvaluationId ?? '');
    const [kept] = await candidates.list({ evaluationId: target.evaluationId });
    engine.database.db.prepare("UPDATE candidates SET state = 'proving', proof = NULL").run();
    const clock = tickingClock();
    const db = openDatabase({
      file: engine.database.file,
      migrationsFolder: realMigrationsFolder,
      clock,
      access: 'read',
    });
    try {
      const store = openStore(db, { clock, nextId: countingIds() });
      const reading = new CandidatesService({
        ...unused,
        store,
        trials: {
          open: (opened) =>
            openCaseTrial(
              store,
              { repeat: never, watch: never, cancel: never, resume: never },
              opened,
            ),
        },
      });
      const [listed] = await reading.list({ evaluationId: target.evaluationId });
      expect(listed).toMatchObject({ state: 'accepted', proof: kept?.proof });
    } finally {
      db.close();
    }
  });
});

describe('an optimization', () => {
  it('is started once by two tabs that ask for the same', async () => {
    const { engine, store, optimizations, target } = await prepare();
    await using _engine = engine;
    const wanted = { ...optimizationSettings.parse({}), ...target };
    const both = await Promise.allSettled([
      optimizations.start(wanted),
      optimizations.start(wanted),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({
      reason: {
        code: 'CONFLICT',
        data: { cause: expect.stringContaining('has been running since') as unknown },
      },
    });
    const [one] = await optimizations.list();
    await optimizations.pause({ id: one?.id ?? '' });
    store.optimizations.setState(one?.id ?? '', 'paused', null);
    const resumed = await Promise.all([
      optimizations.resume({ id: one?.id ?? '' }),
      optimizations.resume({ id: one?.id ?? '' }),
    ]);
    expect(resumed.map(({ state }) => state)).toEqual(['running', 'running']);
    await optimizations.close();
    expect(await optimizations.list()).toHaveLength(1);
  });
});

const never = (): never => {
  throw new Error('A list asks nobody.');
};
const unused = {
  tokens: null as never,
  examine: never,
  openChatModel: never,
};
