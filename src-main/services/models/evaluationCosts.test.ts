import { describe, expect, it } from 'vitest';
import { evaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import { callWhatIsNamed } from '../../testing/fakeModelServer/start.ts';
import type { Reaction } from '../../testing/fakeModelServer/react.ts';
import {
  addSuite,
  callOptions,
  correctQueries,
  createModelWorkspace,
  secretKeys,
  titleSchema,
} from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();

describe('costs of an evaluation', () => {
  it('stops at the spend limit, which needs prices; the cost is null without a price', async () => {
    const services = await workspace.open('spend');
    const suiteId = await addSuite(services, correctQueries(20));
    expect((await workspace.run(services, suiteId, {})).summary).toMatchObject({
      costUsd: null,
      tokenSource: 'measured',
      tokens: { input: 20 * 120, output: 20 * 17 },
    });
    await expect(workspace.run(services, suiteId, { spendLimitUsd: 1 })).rejects.toMatchObject({
      code: 'INVALID',
      data: { field: 'spendLimitUsd' },
    });
    await services.models.setPrice({
      provider: 'openai',
      model: 'fake-model',
      inputUsd: 1_000,
      outputUsd: 0,
    });
    // 120 tokens at $1,000 for a million: 12 cents a run.
    const limited = await workspace.run(services, suiteId, { spendLimitUsd: 1, concurrency: 4 });
    expect(limited.evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('spend limit of $1'),
    });
    expect(limited.summary.costUsd).toBeGreaterThan(0.4);
    expect(limited.summary.costUsd).toBeLessThanOrEqual(1);
    const plan = await services.evaluations.plan(
      evaluationRequest.parse({
        suiteId,
        models: [{ provider: 'openai', model: 'fake-model' }],
        inline: {
          tools: [
            {
              tool: {
                server: 's',
                name: 'add',
                title: null,
                description: '',
                inputSchema: titleSchema,
                outputSchema: null,
                annotations: null,
              },
              raw: '{}',
            },
          ],
        },
      }),
    );
    expect(plan).toMatchObject({
      models: [{ tools: 1, price: { source: 'own', inputUsd: 1_000 } }],
    });
    expect(plan.costUsd).toBeGreaterThan(0);
  });

  it('keeps counting the spend over a resume when one answer reported no tokens', async () => {
    const services = await workspace.open('spend-resumed');
    const suiteId = await addSuite(services, correctQueries(20));
    await services.models.setPrice({
      provider: 'openai',
      model: 'fake-model',
      inputUsd: 1_000,
      outputUsd: 0,
    });
    const before = workspace.server.requests.length;
    workspace.rule = () => ({
      does: 'answer',
      calls: [{ name: 's__add', arguments: {} }],
      ...(workspace.server.requests.length === before + 1 && { usage: null }),
    });
    const { id, evaluation } = await workspace.run(services, suiteId, {
      spendLimitUsd: 0.5,
      concurrency: 1,
    });
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('spend limit of $0.5'),
    });
    const asked = workspace.server.requests.length;
    expect(asked - before).toBe(5);
    await services.evaluations.resume({ id });
    let last = '';
    for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, callOptions))
      last = event.type;
    expect(last).toBe('ended');
    expect(workspace.server.requests.length - asked).toBeLessThanOrEqual(1);
  });

  it('compares deferred tools with all tools over the same runs', async () => {
    const services = await workspace.open('deferred');
    const suiteId = await addSuite(services, correctQueries(4));
    workspace.rule = (request) => {
      const deferred = JSON.stringify(request.body['tools']).includes('defer_loading');
      return {
        does: 'answer',
        calls: [
          { name: deferred && request.query.endsWith('3') ? 's__list' : 's__add', arguments: {} },
        ],
        usage: { input: deferred ? 40 : 100, output: 1 },
        ...(deferred && { found: ['s__add'] }),
      };
    };
    const { id } = await workspace.run(services, suiteId, { models: [{}, { deferTools: true }] });
    expect(await services.models.deferrals({ evaluationId: id })).toMatchObject([
      {
        pairs: 4,
        changed: 1,
        inputTokensAll: 400,
        inputTokensDeferred: 160,
        tokensSaved: 240,
        savingsPercentage: 60,
      },
    ]);
  });

  it('reports no saved tokens where input tokens are only estimated', async () => {
    const services = await workspace.open('deferred estimates');
    const suiteId = await addSuite(services, correctQueries(2));
    workspace.rule = (request) => ({ ...callWhatIsNamed(request), usage: null }) as Reaction;
    workspace.counted = null;
    const { id, summary } = await workspace.run(services, suiteId, {
      models: [{}, { deferTools: true }],
    });
    expect(summary).toMatchObject({
      tokenSource: 'estimated',
      tokens: { output: expect.any(Number) },
    });
    expect(await services.models.deferrals({ evaluationId: id })).toMatchObject([
      { pairs: 2, inputTokensAll: null, tokensSaved: null },
    ]);
  });

  it("counts plan tokens with the provider's counter, once per distinct request size", async () => {
    const services = await workspace.open('counted');
    const suiteId = await addSuite(services, correctQueries(3));
    await services.models.setPrice({
      provider: 'openai',
      model: 'fake-model',
      inputUsd: 1_000,
      outputUsd: 0,
    });
    const plain = {
      provider: 'openai',
      model: 'fake-model',
      baseUrl: `${workspace.server.origin}/v1`,
    };
    const listed = [
      {
        tool: {
          server: 's',
          name: 'add',
          title: null,
          description: '',
          inputSchema: titleSchema,
          outputSchema: null,
          annotations: null,
        },
        raw: '{}',
      },
    ];
    const ask = (models: object[], given: object = {}) =>
      evaluationRequest.parse({
        suiteId,
        models,
        repetitions: 2,
        inline: { tools: listed },
        ...given,
      });
    const before = workspace.server.requests.length;
    workspace.counted = () => 500;
    const plan = await services.evaluations.countPlan(
      ask([
        plain,
        { ...plain, provider: 'openai-compatible' },
        { ...plain, provider: 'anthropic', baseUrl: workspace.server.origin },
      ]),
      callOptions,
    );
    const asked = workspace.server.requests.slice(before);
    expect(asked.map(({ path }) => path).sort()).toEqual([
      '/v1/messages/count_tokens',
      '/v1/responses/input_tokens',
    ]);
    expect(asked[0]?.toolNames).toEqual(['s__add']);
    // Three cases whose queries are of one length in tokens, put twice.
    expect(plan.models).toMatchObject([
      { inputTokens: 6 * 500, tokenSource: 'counted', countNote: null, costUsd: 3 },
      {
        tokenSource: 'estimated',
        countable: false,
        countNote: expect.stringContaining('no API that counts'),
      },
      { inputTokens: 6 * 500, tokenSource: 'counted', countNote: null },
    ]);
    const estimated = await services.evaluations.plan(ask([plain]));
    expect(estimated.models).toMatchObject([
      { tokenSource: 'estimated', countable: true, countNote: null },
    ]);
    expect(workspace.server.requests).toHaveLength(before + 2);
    workspace.counted = () => ({
      does: 'error',
      status: 401,
      type: 'authentication_error',
      message: `Bad ${secretKeys.openai}`,
    });
    const refused = await services.evaluations.countPlan(ask([plain]), callOptions);
    expect(refused.models).toMatchObject([
      {
        inputTokens: estimated.models[0]?.inputTokens,
        tokenSource: 'estimated',
        countNote: expect.stringContaining('401'),
      },
    ]);
    expect(JSON.stringify(refused)).not.toContain(secretKeys.openai);
    expect(
      (await services.evaluations.countPlan(ask([plain], { topK: 1 }), callOptions)).models,
    ).toMatchObject([
      { tokenSource: 'estimated', countNote: expect.stringContaining('while it runs') },
    ]);
  });
});
