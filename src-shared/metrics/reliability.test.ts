import { expect, it } from 'vitest';
import { toolReliabilities, type SentCall } from './reliability.ts';

const calls = (tool: string, fate: SentCall['fate'], times: readonly number[]): SentCall[] =>
  times.map((durationMs, at) => ({ runId: `run ${at}`, tool, fate, durationMs }));

it('counts what became of calls by tool, the tool that fails most often first', () => {
  const rows = toolReliabilities([
    ...calls('list', 'answered', [10, 20, 30, 40]),
    ...calls('add', 'answered', [5, 6]),
    ...calls('add', 'error', [7]),
    ...calls('add', 'no_answer', [20_000]),
    ...calls('wipe', 'server_ended', [3]),
  ]);
  expect(rows).toEqual([
    expect.objectContaining({
      ...{ tool: 'wipe', calls: 1, errors: 0, noAnswer: 0, crashes: 1 },
      ...{ p50Ms: null, p95Ms: null, p99Ms: null },
    }),
    expect.objectContaining({
      ...{ tool: 'add', calls: 4, errors: 1, noAnswer: 1, crashes: 0 },
      ...{ p50Ms: 6, p95Ms: 7, p99Ms: 7 },
    }),
    expect.objectContaining({
      ...{ tool: 'list', calls: 4, errors: 0, noAnswer: 0, crashes: 0 },
      ...{ p50Ms: 20, p95Ms: 40, p99Ms: 40 },
    }),
  ]);
  expect(rows.map(({ failureRate }) => failureRate.value)).toEqual([1, 0.5, 0]);
});

it('takes the percentiles by nearest rank, whatever the order of the calls', () => {
  const times = Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1);
  const [row] = toolReliabilities(calls('list', 'answered', times));
  expect(row).toMatchObject({ p50Ms: 50, p95Ms: 95, p99Ms: 99 });
});

it('has an interval of the failure rate from five runs on, with runs as clusters', () => {
  const ofRuns = (count: number) =>
    Array.from({ length: count }, (_, at): SentCall[] => [
      { runId: `run ${at}`, tool: 'add', fate: at === 0 ? 'error' : 'answered', durationMs: 1 },
      { runId: `run ${at}`, tool: 'add', fate: 'answered', durationMs: 1 },
    ]).flat();
  const [few] = toolReliabilities(ofRuns(4));
  const [enough] = toolReliabilities(ofRuns(5));
  expect(few?.failureRate).toMatchObject({ value: 1 / 8, low: null, high: null, n: 8 });
  expect(enough?.failureRate).toMatchObject({ value: 1 / 10, n: 10 });
  expect(enough?.failureRate.low).toBeGreaterThan(0);
  expect(enough?.failureRate.high).toBeLessThan(0.7);
});
