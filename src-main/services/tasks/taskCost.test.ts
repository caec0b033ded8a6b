import { afterEach, describe, expect, it } from 'vitest';
import { costOf, type Price } from '../../../src-shared/domain/price.ts';
import { taskReport } from '../../../src-shared/domain/taskReport.ts';
import { openTestModel } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { called, calls, says, scripted } from '../../testing/taskRuns.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { publish } from '../reports/documents/published.ts';
import { tasksDocument } from '../reports/documents/tasksDocument.ts';
import { verifyReport } from '../../verify/verifyReport.ts';
import type { Prices } from '../models/prices.ts';

afterEach(expectNoLeaks);

const pricesOf = (price: Omit<Price, 'source' | 'date'>): Prices => ({
  date: '2026-01-01',
  list: () => [],
  of: () => ({ ...price, source: 'own', date: '2026-01-01' }),
});

describe('the cost of a run of a task', () => {
  it('has discounts for cached input, by step and in all totals', async () => {
    await using server = await startFakeModelServer({ cacheFrom: 1024 });
    const price = { inputUsd: 3, outputUsd: 15, cacheReadUsd: 0.3, cacheWriteUsd: 3.75 };
    const long = `Add a task. ${'It is about milk. '.repeat(400)}`;
    await using at = createTaskService(
      [task('one', { turns: [long, 'Thanks!'], stubs: [] })],
      () => openTestModel(server, 'anthropic'),
      { prices: pricesOf(price) },
    );
    server.script(
      { does: 'answer', calls: [{ id: 'a', name: 'todo__add_task', arguments: {} }] },
      { does: 'answer', text: 'Added.' },
      { does: 'answer', text: 'You are welcome.' },
    );
    const id = await at.start({});
    await at.drain(id);
    const report = taskReport.parse(await at.service.report({ id }));
    const [row] = report.runs;
    const { trajectory } = await at.service.run({ id, runId: row?.runId ?? '' });
    const usages = trajectory?.steps.map(({ usage }) => usage) ?? [];
    expect(usages.map((usage) => (usage?.cacheRead ?? 0) > 1024)).toEqual([false, true, true]);
    expect(usages.map((usage) => (usage?.cacheWrite ?? 0) > 0)).toEqual([true, true, true]);
    const sum = (of: (usage: (typeof usages)[number]) => number) =>
      usages.reduce((total, usage) => total + of(usage), 0);
    const cost = sum((usage) => (usage && costOf(usage, price)) ?? 0);
    expect(row?.facts).toMatchObject({
      cacheRead: sum((usage) => usage?.cacheRead ?? 0),
      cacheWrite: sum((usage) => usage?.cacheWrite ?? 0),
      cost,
    });
    // Without its cache, the same run costs more.
    const { inputUsd, outputUsd } = price;
    expect(cost).toBeLessThan(
      0.7 * sum((usage) => (usage && costOf(usage, { inputUsd, outputUsd })) ?? 0),
    );
    expect(report.summary.cacheRead.total).toBe(row?.facts?.cacheRead);
    expect(report.summary.cost.total).toBe(cost);
    const document = { format: 'touchstone-tasks', version: 1, ...publish(tasksDocument, report) };
    expect(document.tasks.cache_read_tokens?.total).toBe(row?.facts?.cacheRead);
    const differences = () =>
      verifyReport(JSON.parse(JSON.stringify(document)))?.differences.map(({ path }) => path);
    expect(differences()).toEqual([]);
    Object.assign(document.tasks.cache_read_tokens ?? {}, { total: 1 });
    expect(differences()).toEqual(['tasks.cache_read_tokens.total']);
  });
});

describe('the spend limit of a resumed evaluation', () => {
  /** A dollar per step, which has 10 tokens of input. */
  const price = pricesOf({ inputUsd: 100_000, outputUsd: 0 });

  it('counts the attempts that a resume replaces', async () => {
    let broken = true;
    let asked = 0;
    await using at = createTaskService(
      [task('one'), task('two')],
      () =>
        scripted((input) => {
          asked += 1;
          if (input.by === 'user') return calls(called('add_task'));
          // A failure of the provider: the run is not scored, but its first step was paid for.
          if (broken) throw new Error('The provider is down.');
          return says('Done.');
        }).model,
      { prices: price },
    );
    const id = await at.start({ concurrency: 1, spendLimitUsd: 4 });
    await at.drain(id);
    const before = await at.runs(id);
    expect(before.map(({ outcome, facts }) => [outcome, facts?.cost])).toEqual([
      ['not_scored', 1],
      ['not_scored', 1],
    ]);
    expect(asked).toBe(4);
    broken = false;
    // $2 are spent by attempts that no longer count. One more run of $2 reaches the limit.
    await at.service.resume({ id });
    const ended = (await at.drain(id)).at(-1);
    expect(ended).toMatchObject({
      type: 'ended',
      state: 'incomplete',
      reason: expect.stringContaining('$4.00 spent'),
    });
    const after = await at.runs(id);
    expect(after.map(({ outcome, attempt, facts }) => [outcome, attempt, facts?.cost])).toEqual([
      ['succeeded', 2, 2],
      [null, 2, undefined],
    ]);
    expect(asked).toBe(6);
  });
});
