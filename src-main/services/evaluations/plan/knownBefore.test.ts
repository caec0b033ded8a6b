import { describe, expect, it } from 'vitest';
import { threshold } from '../../../../src-shared/domain/gate.ts';
import { clusteredRatio } from '../../../../src-shared/metrics/clusteredInterval.ts';
import { knownBefore } from './knownBefore.ts';

const planned = (change: object) => ({
  settings: { gates: [], spendLimitUsd: null },
  unit: 'case' as const,
  items: 10,
  runs: 10,
  costUsd: 1,
  ...change,
});
const limited = (spendLimitUsd: number) => planned({ settings: { gates: [], spendLimitUsd } });
const gated = (items: number, gate: object) =>
  knownBefore(
    planned({ items, settings: { gates: [threshold.parse(gate)], spendLimitUsd: null } }),
  );

describe('what is known before an evaluation is paid', () => {
  it('says that a spend limit is less than one run, or ends the evaluation early', () => {
    expect(knownBefore(limited(2))).toEqual([]);
    expect(knownBefore(limited(0.05))).toEqual([
      expect.stringContaining('less than one run costs (about $0.10)'),
    ]);
    expect(knownBefore(limited(0.55))).toEqual([
      expect.stringContaining('allows about 5 of 10 runs'),
    ]);
    expect(knownBefore({ ...limited(0.05), costUsd: null })).toEqual([]);
  });

  it('says which gate on an interval so few cases can never meet, and how many could', () => {
    const gate = { metric: 'pass_rate', bound: 'low', side: 'min', limit: 0.9 };
    const [text = ''] = gated(10, gate);
    const needed = Number(/at least (\d+) cases\.$/u.exec(text)?.[1]);
    const bestOf = (n: number) =>
      clusteredRatio(Array.from({ length: n }, () => ({ numerator: 1, denominator: 1 }))).low ?? 0;
    expect(bestOf(needed)).toBeGreaterThanOrEqual(0.9);
    expect(bestOf(needed - 1)).toBeLessThan(0.9);
    expect(gated(needed, gate)).toEqual([]);
    expect(gated(needed - 1, gate)).toHaveLength(1);
  });

  it('knows gates on attacks, and leaves out gates that any number of cases can meet', () => {
    const attacks = { metric: 'attack_success_rate', bound: 'high', side: 'max', limit: 0.05 };
    expect(gated(5, attacks)).toEqual([expect.stringContaining('The gate on the upper end')]);
    expect(gated(1000, attacks)).toEqual([]);
    expect(gated(1, { ...attacks, bound: 'value' })).toEqual([]);
    expect(gated(1, { metric: 'pass_rate', side: 'min', limit: 1 })).toEqual([]);
    expect(gated(1, { metric: 'recall', bound: 'low', side: 'min', limit: 0.9 })).toEqual([]);
  });

  it('says that a limit of 100% on a lower end can never be met', () => {
    const [text] = gated(5, { metric: 'pass_rate', bound: 'low', side: 'min', limit: 1 });
    expect(text).toContain("can't be met by any number of cases");
  });
});
