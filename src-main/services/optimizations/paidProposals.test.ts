import { describe, expect, it } from 'vitest';
import { spendText } from '../../../src-shared/display/optimizationTexts.ts';
import {
  optimizationSettings,
  type Optimization,
} from '../../../src-shared/domain/optimization.ts';
import { startBillingEndpoint, type Billed } from '../../testing/billingEndpoint.ts';
import { addSuite, callOptions, createModelWorkspace } from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();
const price = { inputUsd: 100, outputUsd: 200 };
/** $0.012 per request. */
const usage = { prompt_tokens: 100, completion_tokens: 10 };
const unreadable: Billed = { body: { id: 'x' }, usage };
const perRun = { input: 1000, output: 50 };

const text = (content: string): Billed => ({
  body: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] },
  usage,
});
/** Proposes nothing that can be tried. */
const useless = text('{"reason": "none", "edits": []}');

/** An evaluation that fails, and a search whose edits are written by the billing endpoint. */
async function open(name: string, rule: (at: { n: number }) => Billed, budgetTokens?: number) {
  workspace.rule = () => ({ does: 'answer', text: 'No tool fits.', usage: perRun });
  const services = await workspace.open(name);
  const suiteId = await addSuite(
    services,
    Array.from({ length: 20 }, (_, n) => [`Tidy up room ${n}`, 'add']),
  );
  const { id: evaluationId } = await workspace.run(services, suiteId, {});
  const endpoint = await startBillingEndpoint(rule);
  await services.models.setPrice({ provider: 'openai-compatible', model: 'm', ...price });
  const target = { evaluationId, modelSettingsId: null };
  const settings = {
    maxSteps: 1,
    proposer: {
      kind: 'model',
      model: {
        provider: 'openai-compatible',
        model: 'm',
        baseUrl: endpoint.url,
        maxRetries: 0,
      },
    },
  };
  const { proofCases } = await services.optimizations.plan({
    ...optimizationSettings.parse(settings),
    ...target,
  });
  const reserve = proofCases * (perRun.input + perRun.output);
  const budget = budgetTokens === undefined ? {} : { tokens: reserve + budgetTokens };
  const { id } = await services.optimizations.start({
    ...optimizationSettings.parse({ ...settings, budget }),
    ...target,
  });
  const ended = async (): Promise<Optimization> => {
    for await (const { state } of services.optimizations.watch({ id }, callOptions))
      if (state !== 'running') break;
    return services.optimizations.get({ id });
  };
  const resumed = async (): Promise<Optimization> => {
    await services.optimizations.resume({ id });
    return ended();
  };
  return { services, id, endpoint, ended, resumed };
}

describe('the spend of a model that proposes', () => {
  it('holds replies that were billed and could not be read, also after a resume', async () => {
    const { endpoint, ended, resumed } = await open('lost', ({ n }) =>
      n < 2 ? unreadable : useless,
    );
    await using _closed = endpoint;
    const first = await ended();
    expect(first.state).toBe('failed');
    expect(first.spent).toMatchObject({ calls: 1, tokens: 110, unanswered: 0 });
    expect(first.spent.usd).toBeCloseTo(0.012, 12);
    expect((await resumed()).spent).toMatchObject({ calls: 2, tokens: 220 });
    const last = await resumed();
    expect(last.state).toBe('nothing_found');
    expect(endpoint.bills).toHaveLength(3);
    expect(last.spent).toMatchObject({ calls: 3, tokens: 330, unanswered: 0 });
    expect(last.spent.usd).toBeCloseTo(endpoint.total(price), 12);
  });

  it('says how many requests gave no count of tokens, because they may have been billed', async () => {
    const { endpoint, ended, resumed } = await open('unknown', ({ n }) =>
      n === 0 ? { body: { hello: 1 } } : useless,
    );
    await using _closed = endpoint;
    expect((await ended()).spent).toMatchObject({ calls: 0, tokens: 0, usd: 0, unanswered: 1 });
    const { state, spent } = await resumed();
    expect(state).toBe('nothing_found');
    expect(spent).toMatchObject({ calls: 1, tokens: 110, unanswered: 1 });
    expect(spendText(spent)).toMatch(
      /^1 call, 110 tokens, \$0\.012, .+; 1 canceled or unanswered request may have been billed$/u,
    );
  });

  it('counts a request that a pause aborted', async () => {
    const never = Promise.withResolvers<void>();
    const { services, id, endpoint, resumed } = await open('paused', ({ n }) =>
      n === 0 ? { ...useless, after: never.promise } : useless,
    );
    await using _closed = endpoint;
    await endpoint.arrived(1);
    const paused = await services.optimizations.pause({ id });
    expect(paused).toMatchObject({ state: 'paused', spent: { calls: 0, unanswered: 1 } });
    expect(await resumed()).toMatchObject({
      state: 'nothing_found',
      spent: { calls: 1, tokens: 110, unanswered: 1 },
    });
  });

  it('counts nothing for a request that was refused', async () => {
    const { endpoint, ended } = await open('refused', () => ({
      status: 401,
      body: { error: { message: 'Incorrect API key.' } },
    }));
    await using _closed = endpoint;
    const { state, spent } = await ended();
    expect(state).toBe('failed');
    expect(spent).toMatchObject({ calls: 0, tokens: 0, usd: 0, unanswered: 0 });
  });

  it('ends at its budget after replies that could not be read', async () => {
    const { endpoint, ended, resumed } = await open('budget', () => unreadable, 150);
    await using _closed = endpoint;
    expect((await ended()).state).toBe('failed');
    expect((await resumed()).state).toBe('failed');
    const last = await resumed();
    expect(last).toMatchObject({ state: 'nothing_found', stopped: 'budget' });
    expect(endpoint.requests).toBe(2);
    expect(last.spent).toMatchObject({ calls: 2, tokens: 220 });
  });
});
