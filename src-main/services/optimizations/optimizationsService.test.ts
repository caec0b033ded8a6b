import { describe, expect, it } from 'vitest';
import {
  optimizationSettings,
  type Optimization,
} from '../../../src-shared/domain/optimization.ts';
import { proofLevel } from '../../../src-shared/metrics/candidateProof.ts';
import {
  call,
  createEngine,
  scriptedModel,
  type Engine,
  type Script,
} from '../../testing/engine.ts';
import { openCaseTrial } from '../trials/caseTrial.ts';
import { OptimizationsService } from './optimizationsService.ts';

const words = ['sweep', 'polish', 'measure', 'repair', 'paint', 'inspect'];
/** Two tools have exchanged these. */
const houses = 'Cleans a house: can sweep, polish, measure, repair, paint, and inspect it.';
const gardens = 'Waters a garden with its flowers, hedges, and lawn.';
const servers = {
  s: [
    { name: 'clean_house', description: gardens },
    { name: 'water_garden', description: houses },
  ],
};
const cases = Array.from({ length: 60 }, (_, at) => ({
  query: `Please ${words[at % words.length] ?? ''} and ${words[(at + 1) % words.length] ?? ''} it, number ${at}`,
  expected: [{ server: 's', tool: 'clean_house' }],
  servers: ['s'],
}));

/** Calls the tool whose description says a word of the request, else none. */
const byWords: Script = async ({ query, tools }) => {
  const asked = words.filter((word) => query.includes(word));
  const found = tools.find(({ description }) => asked.some((word) => description.includes(word)));
  return {
    calls: found ? [call(found.server, found.name)] : [],
    usage: { input: 100, output: 10, source: 'measured' },
  };
};

const request = (evaluationId: string, over: Record<string, unknown> = {}) => ({
  ...optimizationSettings.parse(over),
  evaluationId,
  modelSettingsId: null,
});

function open(engine: Engine, proposer?: Script): OptimizationsService {
  return new OptimizationsService({
    store: engine.database.store,
    openChatModel: async () => {
      if (!proposer) throw new Error('No model is asked by the rules.');
      return scriptedModel(proposer);
    },
    prices: { of: () => null },
    trials: {
      open: (target) => openCaseTrial(engine.database.store, engine.service, target),
    },
    clock: { monotonic: () => 0 },
  });
}

async function base(engine: Engine): Promise<string> {
  const id = await engine.start();
  await engine.drain(id);
  return id;
}

async function finish(service: OptimizationsService, id: string): Promise<Optimization> {
  const { signal } = new AbortController();
  for await (const { state } of service.watch({ id }, { signal })) if (state !== 'running') break;
  return service.get({ id });
}

const found = ({ state, steps, result }: Optimization) => ({ state, steps, result });

describe('an optimization', () => {
  it('proves a better description on cases that the search never saw, and exports it', async () => {
    await using engine = await createEngine({ servers, cases, script: byWords });
    const service = open(engine);
    const evaluationId = await base(engine);
    const plan = await service.plan(request(evaluationId));
    expect(plan.searchCases + plan.proofCases).toBe(60);
    expect(plan.level).toBe(proofLevel(1));
    const { id } = await service.start(request(evaluationId));
    const ended = await finish(service, id);
    expect(ended).toMatchObject({ state: 'accepted', proofRank: 1 });
    expect(ended.result).toMatchObject({ lost: 0, passedBefore: 0, cases: plan.proofCases });
    expect(ended.steps.some(({ result }) => result === 'best')).toBe(true);
    const { text } = await service.export({ id, format: 'json_patch' });
    expect(JSON.parse(text)).toEqual([
      { op: 'test', path: '/tools/0/name', value: 'clean_house' },
      { op: 'test', path: '/tools/0/description', value: gardens },
      { op: 'add', path: '/tools/0/description', value: houses },
      { op: 'test', path: '/tools/1/name', value: 'water_garden' },
      { op: 'test', path: '/tools/1/description', value: houses },
      { op: 'add', path: '/tools/1/description', value: gardens },
    ]);
    const { text: markdown } = await service.export({ id, format: 'markdown' });
    expect(markdown).toContain('| before | after |');
    expect(markdown).toContain(
      `## Fix ${ended.result?.won} held-out cases with other descriptions of 2 tools`,
    );
    const list = await engine.service.list({ limit: 200 });
    const derived = list.filter(({ id: each }) => each !== evaluationId);
    expect(derived.length).toBeGreaterThan(1);
    expect(new Set(derived.map(({ origin }) => origin?.kind))).toEqual(new Set(['optimizer_step']));
  });

  it('gives the same steps and result again with the same seed, at the next level', async () => {
    await using engine = await createEngine({ servers, cases, script: byWords });
    const service = open(engine);
    const evaluationId = await base(engine);
    const run = async () =>
      finish(service, (await service.start(request(evaluationId, { seed: 3 }))).id);
    const [first, second] = [await run(), await run()];
    expect(second.steps).toEqual(first.steps);
    expect(second.result?.edits).toEqual(first.result?.edits);
    expect([first.result?.level, second.result?.level]).toEqual([proofLevel(1), proofLevel(2)]);
  });

  it('goes on after a pause where it was, without asking anything twice', async () => {
    await using engine = await createEngine({ servers, cases, script: byWords });
    const evaluationId = await base(engine);
    const whole = open(engine);
    const expected = await finish(whole, (await whole.start(request(evaluationId))).id);
    const paused = open(engine);
    const { id } = await paused.start(request(evaluationId));
    const { signal } = new AbortController();
    for await (const { steps } of paused.watch({ id }, { signal })) if (steps.length > 0) break;
    const state = (await paused.pause({ id })).state;
    // Another process takes over, as after the first one was killed.
    const next = open(engine);
    next.recover();
    if (state !== 'accepted') await next.resume({ id });
    const ended = await finish(next, id);
    expect(found(ended)).toMatchObject({ state: expected.state, steps: expected.steps });
    expect(ended.result?.edits).toEqual(expected.result?.edits);
    expect(ended.spent.calls).toBe(expected.spent.calls);
  });

  it('rejects a tool to edit that was not offered, before anything runs', async () => {
    await using engine = await createEngine({ servers, cases, script: byWords });
    const evaluationId = await base(engine);
    const service = open(engine);
    const unknown = request(evaluationId, { toolIds: ['s:none'] });
    const refused = { code: 'INVALID', data: { thing: 'Tool s:none', field: 'toolIds' } };
    await expect(service.plan(unknown)).rejects.toMatchObject(refused);
    await expect(service.start(unknown)).rejects.toMatchObject(refused);
    expect(await service.list()).toEqual([]);
  });

  it('is interrupted when its program closes, and can be cancelled then', async () => {
    await using engine = await createEngine({ servers, cases, script: byWords });
    const evaluationId = await base(engine);
    const service = open(engine);
    const { id } = await service.start(request(evaluationId));
    await service.close();
    expect((await service.get({ id })).state).toBe('interrupted');
    expect((await service.cancel({ id })).state).toBe('cancelled');
    await expect(service.resume({ id })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('stays within its budget, and uses what it estimated within 20%', async () => {
    const limit = 40_000;
    const tokensPerCall = 110;
    let asked = 0;
    // Outcomes have nothing to do with the texts, so the search goes on until its budget ends.
    const noise: Script = async () => {
      asked += 1;
      return {
        calls: asked % 3 === 0 ? [call('s', 'clean_house')] : [],
        usage: { input: 100, output: 10, source: 'measured' },
      };
    };
    let proposed = 0;
    const proposer: Script = async () => {
      proposed += 1;
      const edits = [{ path: '/description', text: `Handles houses, version ${proposed}.` }];
      return {
        calls: [],
        text: JSON.stringify({ reason: 'Numbered.', edits }),
        usage: { input: 100, output: 10, source: 'measured' },
      };
    };
    await using engine = await createEngine({ servers, cases, script: noise });
    const service = open(engine, proposer);
    const evaluationId = await base(engine);
    const limited = request(evaluationId, {
      budget: { tokens: limit },
      maxSteps: 500,
      patience: 500,
      proposer: {
        kind: 'model',
        model: { provider: 'openai-compatible', model: 'writer', baseUrl: 'http://127.0.0.1:9/v1' },
      },
    });
    const { estimate } = await service.plan(limited);
    const ended = await finish(service, (await service.start(limited)).id);
    expect(ended.stopped).toBe('budget');
    expect(proposed).toBeGreaterThan(5);
    const { concurrency } = (await engine.service.get({ id: evaluationId })).settings;
    expect(ended.spent.tokens).toBeLessThanOrEqual(limit + concurrency * tokensPerCall);
    expect(estimate.tokens).toBeLessThanOrEqual(limit);
    expect(Math.abs(ended.spent.tokens / estimate.tokens - 1)).toBeLessThanOrEqual(0.2);
  });
});
