import { describe, expect, it } from 'vitest';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { threshold } from '../../../../src-shared/domain/gate.ts';
import { clusteredRatio } from '../../../../src-shared/metrics/clusteredInterval.ts';
import { mcnemarExact } from '../../../../src-shared/metrics/mcnemar.ts';
import { knownBefore } from './knownBefore.ts';

type Planned = Parameters<typeof knownBefore>[0];

const settings: Planned['settings'] = {
  gates: [],
  spendLimitUsd: null,
  models: [modelConfiguration.parse({ provider: 'openai', model: 'one' })],
  repetitions: 1,
  whatIf: null,
};
const planned = (change: Partial<Planned>): Planned => ({
  settings,
  unit: 'case',
  items: 10,
  runs: 10,
  costUsd: 1,
  ...change,
});
const limited = (spendLimitUsd: number) => planned({ settings: { ...settings, spendLimitUsd } });
const gated = (items: number, gate: object, change: Partial<Planned> = {}) =>
  knownBefore(
    planned({ items, settings: { ...settings, gates: [threshold.parse(gate)] }, ...change }),
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
    const attacked = (n: number, gate: object = attacks) =>
      gated(1000, gate, { unit: 'task', attacked: n });
    expect(attacked(5)).toEqual([expect.stringContaining('The gate on the upper end')]);
    expect(attacked(1000)).toEqual([]);
    expect(attacked(1, { ...attacks, bound: 'value' })).toEqual([]);
    expect(attacked(0, { ...attacks, bound: 'value' })).toEqual([
      "The gate on attack_success_rate can't be decided: no task has an injected instruction.",
    ]);
    expect(gated(1, { metric: 'pass_rate', side: 'min', limit: 1 })).toEqual([]);
    expect(gated(5, { metric: 'recall', bound: 'low', side: 'min', limit: 0.9 })).toEqual([]);
  });

  it('says that a limit of 100% on a lower end can never be met', () => {
    const [text] = gated(5, { metric: 'pass_rate', bound: 'low', side: 'min', limit: 1 });
    expect(text).toContain("can't be met by any number of cases");
  });

  it.each(['case', 'task'] as const)('says that too few %ss give no interval to gate', (unit) => {
    const rates = unit === 'case' ? ['pass_rate', 'recall'] : ['success_rate', 'recovery'];
    for (const metric of rates)
      for (const bound of ['low', 'high'])
        for (const side of ['min', 'max']) {
          const gate = { metric, bound, side, limit: 0.5 };
          expect(gated(4, gate, { unit })).toEqual([
            expect.stringMatching(
              new RegExp(
                `of ${metric} can't be decided: 4 ${unit}s give no interval. It takes at least \\d+ ${unit}s.$`,
                'u',
              ),
            ),
          ]);
          expect(gated(20, gate, { unit })).toEqual([]);
        }
    const hard = { metric: rates[0], bound: 'low', side: 'min', limit: 0.9 };
    const needed = (items: number) =>
      /at least (\d+) \w+\.$/u.exec(gated(items, hard, { unit })[0] ?? '')?.[1];
    expect(needed(1)).toBe(needed(10));
  });

  it.each(['case', 'task'] as const)(
    'says that a what-if of so few %ss can find no difference, and how many could',
    (unit) => {
      const whatIf = {
        baseId: 'one',
        changes: [],
        addedServers: [],
        removedServers: [],
        positions: null,
      };
      const of = (items: number) =>
        knownBefore(planned({ unit, items, settings: { ...settings, whatIf } }));
      const [text = ''] = of(1);
      const needed = Number(/at least (\d+) /u.exec(text)?.[1]);
      expect(mcnemarExact(0, needed)).toBeLessThanOrEqual(0.05);
      expect(mcnemarExact(0, needed - 1)).toBeGreaterThan(0.05);
      expect(of(needed - 1)).toEqual([
        `The paired test can't find a difference with ${needed - 1} shared ${unit}s, even if every ${unit} changes. It takes at least ${needed} ${unit}s.`,
      ]);
      expect(of(needed)).toEqual([]);
      expect(knownBefore(planned({ unit, items: 1 }))).toEqual([]);
    },
  );

  it('says that two repetitions measure no agreement where nothing else measures confidence', () => {
    const repeated = (repetitions: number, model: object = {}, unit: Planned['unit'] = 'case') =>
      knownBefore(
        planned({
          unit,
          settings: {
            ...settings,
            repetitions,
            models: [modelConfiguration.parse({ provider: 'openai', model: 'one', ...model })],
          },
        }),
      );
    expect(repeated(2)).toEqual([
      'The confidence of openai/one stays unmeasured: agreement needs at least 3 repetitions, and 2 are planned.',
    ]);
    expect(repeated(1)).toEqual([]);
    expect(repeated(3)).toEqual([]);
    expect(repeated(2, { confidence: 'logprobs' })).toEqual([]);
    expect(repeated(2, { provider: 'builtin' })).toEqual([]);
    expect(repeated(2, {}, 'task')).toEqual([]);
  });
});
