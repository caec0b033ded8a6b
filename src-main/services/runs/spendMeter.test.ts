import { describe, expect, it } from 'vitest';
import { SpendMeter } from './spendMeter.ts';

describe('a spend limit', () => {
  it('starts a run only if the most expensive one so far fits for each run in progress', () => {
    const meter = new SpendMeter(10);
    expect(meter.tryBegin()).toBe(true);
    meter.end(4);
    expect([meter.tryBegin(), meter.tryBegin()]).toEqual([true, false]);
    meter.end(2);
    expect([meter.tryBegin(), meter.spentUsd]).toEqual([true, 6]);
  });

  it('knows after a resume what was spent, and how much a run may cost', () => {
    const meter = new SpendMeter(10, { usd: 5, maxRunUsd: 4 });
    expect([meter.tryBegin(), meter.tryBegin()]).toEqual([true, false]);
    const reached = new SpendMeter(5, { usd: 5, maxRunUsd: 0 });
    expect(reached.tryBegin()).toBe(false);
  });

  it('stops nothing without a limit', () => {
    const meter = new SpendMeter(null);
    expect(meter.tryBegin()).toBe(true);
    meter.end(1_000_000);
    expect(meter.tryBegin()).toBe(true);
  });
});
