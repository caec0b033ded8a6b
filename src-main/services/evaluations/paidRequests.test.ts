import { describe, expect, it } from 'vitest';
import { evaluationRequest } from '../../../src-shared/domain/evaluation.ts';
import { verifyReport } from '../../verify/verifyReport.ts';
import { startBillingEndpoint, type Billed } from '../../testing/billingEndpoint.ts';
import {
  addSuite,
  callOptions,
  correctQueries,
  createModelWorkspace,
} from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();
const price = { inputUsd: 100, outputUsd: 200 };
/** $0.012 per request. */
const usage = { prompt_tokens: 100, completion_tokens: 10 };
const usd = 0.012;

/** Runs a suite of `cases` at an endpoint, with a hook while it runs. */
async function run(
  name: string,
  rule: (request: { n: number; model: string; text: string }) => Billed,
  {
    cases = 16,
    meanwhile,
    settings = {},
    model = {},
  }: {
    cases?: number;
    meanwhile?: (at: {
      services: Awaited<ReturnType<typeof workspace.open>>;
      endpoint: Awaited<ReturnType<typeof startBillingEndpoint>>;
      id: string;
    }) => Promise<void>;
    settings?: object;
    model?: object;
  } = {},
) {
  await using endpoint = await startBillingEndpoint(rule);
  const services = await workspace.open(name);
  const suiteId = await addSuite(services, correctQueries(cases));
  await services.models.setPrice({ provider: 'openai-compatible', model: 'm', ...price });
  const { id } = await services.evaluations.start(
    evaluationRequest.parse({
      suiteId,
      models: [
        {
          provider: 'openai-compatible',
          model: 'm',
          baseUrl: endpoint.url,
          maxRetries: 0,
          ...model,
        },
      ],
      ...settings,
    }),
  );
  await meanwhile?.({ services, endpoint, id });
  for await (const _event of services.evaluations.watch({ id, afterSeq: 0 }, callOptions));
  const summary = await services.evaluations.summary({ id, modelSettingsId: null });
  const evaluation = await services.evaluations.get({ id });
  return {
    services,
    id,
    summary,
    evaluation,
    requests: endpoint.requests,
    paid: endpoint.total(price),
  };
}

interface Reported {
  cost_usd: number;
  unanswered_requests: number;
  runs: { unanswered_requests: number; cost_usd: number | null }[];
}

async function reportOf(
  services: Awaited<ReturnType<typeof workspace.open>>,
  id: string,
): Promise<Reported> {
  let text = '';
  for await (const part of services.reports.export(
    { id, format: 'json', short: false, stamp: null },
    callOptions,
  ))
    text += part.text;
  return JSON.parse(text) as Reported;
}

describe('the spend of an evaluation', () => {
  it('counts and scores all 16 requests under way at the spend limit', async () => {
    const all = Promise.withResolvers<void>();
    const { summary, evaluation, requests, paid } = await run(
      'limit',
      ({ n }) => {
        if (n === 15) all.resolve();
        return { after: all.promise, usage };
      },
      { cases: 40, settings: { concurrency: 16, spendLimitUsd: 0.05 } },
    );
    expect(requests).toBe(16);
    expect(paid).toBeCloseTo(16 * usd, 12);
    expect(summary.costUsd).toBeCloseTo(paid, 12);
    expect(summary.unansweredRequests).toBe(0);
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('spend limit of $0.05'),
      counts: { failed: 0, open: 24 },
    });
    expect(evaluation.reason).toContain('$0.19 spent');
  });

  it.each([
    [401, { error: { message: 'Incorrect API key.' } }, 'key was rejected'],
    [
      429,
      { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } },
      'out of quota',
    ],
    [404, { error: { message: 'No such model.' } }, 'Check the model name'],
  ])('counts and scores what is under way when one request gets %i', async (status, body, said) => {
    const arrived = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    const { summary, evaluation, requests, paid } = await run(
      `refused-${status}`,
      ({ n }) => {
        if (n === 7) arrived.resolve();
        return n === 3
          ? { after: arrived.promise, status, body }
          : { after: refused.promise, usage };
      },
      {
        cases: 20,
        settings: { concurrency: 8 },
        meanwhile: async ({ services, id }) => {
          for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, callOptions))
            if (event.type === 'runs') break;
          refused.resolve();
        },
      },
    );
    expect(requests).toBe(8);
    expect(paid).toBeCloseTo(7 * usd, 12);
    expect(summary.costUsd).toBeCloseTo(paid, 12);
    expect(summary.unansweredRequests).toBe(0);
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining(said),
      counts: { failed: 1, open: 12 },
    });
  });

  it('says how many requests a cancel aborted, because they may have been billed', async () => {
    const never = Promise.withResolvers<void>();
    const { services, id, summary, evaluation, paid } = await run(
      'cancel',
      ({ n }) => (n < 2 ? { usage } : { after: never.promise, usage }),
      {
        settings: { concurrency: 3 },
        meanwhile: async ({ services: open, endpoint, id: started }) => {
          await endpoint.arrived(5);
          await open.evaluations.cancel({ id: started });
        },
      },
    );
    expect(evaluation).toMatchObject({ state: 'cancelled', counts: { failed: 3 } });
    expect(summary.costUsd).toBeCloseTo(paid, 12);
    expect(summary.unansweredRequests).toBe(3);
    const document = await reportOf(services, id);
    expect(document.unanswered_requests).toBe(3);
    expect(document.runs.reduce((sum, each) => sum + each.unanswered_requests, 0)).toBe(3);
    expect(verifyReport(document)?.differences).toEqual([]);
  });

  it.each<[string, Billed, { unanswered: number; billed: boolean }]>([
    ['an answer without choices', { body: { id: 'x' }, usage }, { unanswered: 0, billed: true }],
    [
      'an empty answer',
      {
        body: {
          choices: [
            { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '' } },
          ],
        },
        usage,
      },
      { unanswered: 0, billed: true },
    ],
    [
      'a body that is no answer and says no tokens',
      { body: { hello: 1 } },
      { unanswered: 1, billed: false },
    ],
    [
      'an error',
      { status: 500, body: { error: { message: 'down' } } },
      { unanswered: 0, billed: false },
    ],
  ])('accounts for %s', async (name, reaction, expected) => {
    const { summary, evaluation, paid } = await run(
      `unreadable-${name.replaceAll(' ', '-')}`,
      ({ n }) => (n === 1 ? reaction : { usage }),
      { cases: 4, settings: { concurrency: 1 } },
    );
    expect(evaluation.counts.failed).toBe(1);
    expect(paid).toBeCloseTo((expected.billed ? 4 : 3) * usd, 12);
    expect(summary.costUsd).toBeCloseTo(paid, 12);
    expect(summary.usage.all.answers).toBe(3);
    expect(summary.unansweredRequests).toBe(expected.unanswered);
  });

  it('accounts for a question about confidence whose answer can not be read', async () => {
    const { summary, paid } = await run(
      'follow-up',
      ({ n }) => (n % 2 === 1 ? { body: { id: 'x' }, usage } : { usage }),
      { cases: 3, settings: { concurrency: 1 }, model: { confidence: 'self_report' } },
    );
    expect(paid).toBeCloseTo(6 * usd, 12);
    expect(summary.costUsd).toBeCloseTo(paid, 12);
  });
});
