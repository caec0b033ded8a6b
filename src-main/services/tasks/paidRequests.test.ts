import { afterEach, describe, expect, it } from 'vitest';
import { taskReport } from '../../../src-shared/domain/taskReport.ts';
import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import { createOpenChatModel } from '../../adapters/llm/openChatModel.ts';
import { startBillingEndpoint, type Billed } from '../../testing/billingEndpoint.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { verifyReport } from '../../verify/verifyReport.ts';
import { publish } from '../reports/documents/published.ts';
import { tasksDocument } from '../reports/documents/tasksDocument.ts';
import type { Prices } from '../models/prices.ts';

afterEach(expectNoLeaks);

const price = { inputUsd: 100, outputUsd: 200 };
const prices: Prices = {
  date: '2026-01-01',
  list: () => [],
  of: () => ({ ...price, source: 'own', date: '2026-01-01' }),
};
/** $0.012 per request. */
const usage = { prompt_tokens: 100, completion_tokens: 10 };
const usd = 0.012;
const answer = (content: string) => ({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
});
const calling = {
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'todo__add_task', arguments: '{}' } },
        ],
      },
    },
  ],
};
const hasResult = (text: string): boolean => text.includes('"role":"tool"');

/** Runs tasks at an endpoint whose models are `m`, `user` and `judge`. */
async function run(
  tasks: ReturnType<typeof task>[],
  rule: (request: { n: number; model: string; text: string }) => Billed,
  settings: object = {},
  meanwhile: (at: {
    service: ReturnType<typeof createTaskService>['service'];
    endpoint: Awaited<ReturnType<typeof startBillingEndpoint>>;
    id: string;
  }) => Promise<void> = async () => undefined,
) {
  await using endpoint = await startBillingEndpoint(rule);
  const remote = (model: string) => ({
    provider: 'openai-compatible',
    model,
    baseUrl: endpoint.url,
    maxRetries: 0,
  });
  const open = createOpenChatModel();
  await using at = createTaskService(
    tasks,
    (configuration) => open(modelConfiguration.parse(configuration)),
    { prices },
  );
  const id = await at.start({
    models: [remote('m')],
    ...('user' in settings && { userModel: remote('user') }),
    ...('judged' in settings && { judge: remote('judge') }),
    ...Object.fromEntries(
      Object.entries(settings).filter(([name]) => name !== 'user' && name !== 'judged'),
    ),
  });
  await meanwhile({ service: at.service, endpoint, id });
  await at.drain(id);
  const report = taskReport.parse(await at.service.report({ id }));
  const document = { format: 'touchstone-tasks', version: 1, ...publish(tasksDocument, report) };
  expect(verifyReport(JSON.parse(JSON.stringify(document)))?.differences).toEqual([]);
  return { report, document, requests: endpoint.requests, paid: endpoint.total(price) };
}

const tasks = (count: number, change: Parameters<typeof task>[1] = {}) =>
  Array.from({ length: count }, (_, n) => task(`t${n}`, { stubs: [], ...change }));

describe('the spend of an evaluation of tasks', () => {
  it('counts all 16 requests under way at the spend limit, and keeps what the runs did', async () => {
    const all = Promise.withResolvers<void>();
    const { report, document, requests, paid } = await run(
      tasks(20),
      ({ n }) => {
        if (n === 15) all.resolve();
        return { after: all.promise, usage, body: calling };
      },
      { concurrency: 16, spendLimitUsd: 0.05 },
    );
    // Each run would go on with a second request. None is sent once five replies reach the limit.
    expect(requests).toBeGreaterThanOrEqual(16);
    expect(requests).toBeLessThanOrEqual(20);
    expect(report.spend.usd).toBeCloseTo(paid, 12);
    expect(report.spend.unanswered).toBe(0);
    expect(document.spend?.cost_usd).toBeCloseTo(requests * usd, 12);
    expect(report.evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('The spend limit of $0.05'),
      outcomes: { not_run: 20 },
    });
    const cut = report.runs.filter(({ facts }) => facts !== null);
    expect(cut).toHaveLength(16);
    expect(cut.reduce((sum, { facts }) => sum + (facts?.steps ?? 0), 0)).toBe(requests);
    expect(cut[0]?.reason).toContain('It was abandoned while in progress.');
  });

  it('awaits the replies under way when the key of another run is refused', async () => {
    const refused = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { report, requests, paid } = await run(
      tasks(10),
      ({ n }) => {
        if (n === 3) arrived.resolve();
        return n === 1
          ? { after: arrived.promise, status: 401, body: { error: { message: 'Incorrect key.' } } }
          : { after: refused.promise, usage, body: answer('Done.') };
      },
      { concurrency: 4 },
      async ({ service, id }) => {
        for await (const event of service.watch(
          { id, afterSeq: 0 },
          {
            signal: new AbortController().signal,
          },
        ))
          if (event.type === 'runs') break;
        refused.resolve();
      },
    );
    expect(requests).toBe(4);
    expect(report.summary.scored).toBe(3);
    expect(report.spend).toEqual({ usd: expect.closeTo(paid, 12), unanswered: 0 });
    expect(paid).toBeCloseTo(3 * usd, 12);
  });

  it('counts the requests that a cancel aborts, and what was paid before', async () => {
    const never = Promise.withResolvers<void>();
    const { report, paid } = await run(
      tasks(6),
      ({ text }) =>
        hasResult(text)
          ? { after: never.promise, usage, body: answer('Done.') }
          : { usage, body: calling },
      { concurrency: 3 },
      async ({ service, endpoint, id }) => {
        await endpoint.arrived(6);
        await service.cancel({ id });
      },
    );
    expect(report.evaluation.state).toBe('cancelled');
    expect(paid).toBeCloseTo(3 * usd, 12);
    expect(report.spend).toEqual({ usd: expect.closeTo(paid, 12), unanswered: 3 });
    expect(report.evaluation.outcomes).toMatchObject({ not_run: 6, not_scored: 0 });
  });

  it('counts model, simulated user and judge, also where a reply can not be used', async () => {
    const { report, document, requests, paid } = await run(
      tasks(3, {
        user: { goal: 'Add milk.', persona: '', knows: [], maxTurns: 2 },
        checks: [{ id: 'nice', kind: 'judge', rubric: 'Is it nice?' } as never],
      }),
      ({ model, n }) => {
        if (model === 'judge') return { usage, body: answer('no verdict at all') };
        if (model === 'user') return { usage, body: n > 4 ? answer('') : answer('###STOP###') };
        return { usage, body: answer('Done.') };
      },
      { concurrency: 1, user: true, judged: true },
    );
    expect(paid).toBeCloseTo(requests * usd, 12);
    expect(report.spend).toEqual({ usd: expect.closeTo(paid, 12), unanswered: 0 });
    expect(document.spend?.cost_usd).toBeCloseTo(paid, 12);
  });

  /** A task whose run asks the model, the simulated user, the model again, and then the judge. */
  const withEveryone = {
    user: { goal: 'Add milk.', persona: '', knows: [], maxTurns: 1 },
    checks: [{ id: 'nice', kind: 'judge', rubric: 'Is it nice?' } as never],
  };
  const everyone = { concurrency: 1, user: true, judged: true };

  it.each([
    ['model', 1, 0],
    ['user', 2, 1],
    ['judge', 4, 3],
  ])('counts a request to the %s that a cancel aborts, and all before', async (who, n, before) => {
    const never = Promise.withResolvers<void>();
    const { report, paid } = await run(
      tasks(2, withEveryone),
      ({ model, n: at }) =>
        at === n - 1 && (who === 'model' || model === who)
          ? { after: never.promise, usage, body: answer('too late') }
          : { usage, body: answer('Go on.') },
      everyone,
      async ({ service, endpoint, id }) => {
        await endpoint.arrived(n);
        await service.cancel({ id });
      },
    );
    expect(report.evaluation.state).toBe('cancelled');
    expect(paid).toBeCloseTo(before * usd, 12);
    expect(report.spend).toEqual({ usd: expect.closeTo(paid, 12), unanswered: 1 });
  });

  it.each([
    ['the model', 0.5, 1],
    ['the simulated user', 1.5, 2],
    ['the model after the user', 2.5, 3],
    ['the judge', 3.5, 4],
    // A run starts only where the most expensive one so far still fits.
    ['the first run, with too little for a second', 7.5, 4],
    ['the second run', 8.5, 8],
  ])('stops at the limit that a reply of %s reaches, and counts it', async (_who, limit, n) => {
    const { report, document, requests, paid } = await run(
      tasks(6, withEveryone),
      () => ({ usage, body: answer('Go on.') }),
      { ...everyone, spendLimitUsd: limit * usd },
    );
    expect(requests).toBe(n);
    expect(report.spend).toEqual({ usd: expect.closeTo(paid, 12), unanswered: 0 });
    expect(document.spend?.cost_usd).toBeCloseTo(n * usd, 12);
    expect(report.evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('The spend limit'),
    });
    // What was judged by everyone is scored: the limit takes no result away.
    expect(report.summary.scored + report.summary.notScored).toBe(Math.floor(n / 4));
  });
});
