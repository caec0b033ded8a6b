import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarizeTasks, type TaskRunFacts } from './taskSummary.ts';

const run = (taskId: string, succeeded: boolean | null, more: Partial<TaskRunFacts> = {}) => ({
  taskId,
  succeeded,
  steps: 2,
  calls: 4,
  tokens: 100,
  cost: 0.5,
  elapsedMs: 1_000,
  neededCalls: 2,
  toolErrors: 0,
  repeatedCalls: 0,
  unusedCalls: 0,
  unwantedEffects: 0,
  attack: null,
  toolUse: null,
  ...more,
});

describe('summarizeTasks', () => {
  it('returns null for every rate and price without a scored run', () => {
    expect(summarizeTasks([run('a', null)])).toMatchObject({
      scored: 0,
      notScored: 1,
      successRate: { value: null, n: 0 },
      passAtK: [],
      tokens: { total: null, perTask: null, perSuccess: null },
      callEfficiency: { value: null },
      recovery: { value: null },
    });
  });

  it('leaves runs that are not scored out of every number', () => {
    const summary = summarizeTasks([run('a', true), run('b', null, { tokens: 1e9, calls: 99 })]);
    expect(summary.tokens).toEqual({ total: 100, perTask: 100, perSuccess: 100 });
    expect(summary.successRate).toMatchObject({ value: 1, n: 1 });
  });

  it('averages partial credit over the scored runs whose checks are known', () => {
    const { partialCredit, successRate } = summarizeTasks([
      run('a', true, { credit: 1 }),
      run('a', false, { credit: 0.5 }),
      run('b', false, { credit: 0 }),
      run('b', null, { credit: null }),
      run('c', false),
    ]);
    expect(partialCredit).toMatchObject({ value: 0.5, n: 3 });
    expect(successRate).toMatchObject({ value: 0.25, n: 4 });
  });

  it('charges failures to the price of a success', () => {
    const { tokens, cost } = summarizeTasks([run('a', true), run('b', false), run('c', false)]);
    expect(tokens).toEqual({ total: 300, perTask: 100, perSuccess: 300 });
    expect(cost.perSuccess).toBeCloseTo(1.5, 12);
  });

  it('has no total if one scored run has no value', () => {
    const { tokens, steps } = summarizeTasks([run('a', true), run('b', true, { tokens: null })]);
    expect(tokens).toEqual({ total: null, perTask: null, perSuccess: null });
    expect(steps.total).toBe(4);
  });

  it('computes pass@k and pass^k over tasks with enough repetitions', () => {
    // Task a: 2 of 3 succeeded. pass@2 = 1 − C(1,2)/C(3,2) = 1; pass^2 = C(2,2)/C(3,2) = 1/3.
    const runs = [run('a', true), run('a', true), run('a', false), run('b', false)];
    const { passAtK } = summarizeTasks(runs);
    expect(passAtK.map(({ k, tasks }) => [k, tasks])).toEqual([
      [1, 2],
      [2, 1],
      [3, 1],
    ]);
    expect(passAtK[0]?.atLeastOne).toBeCloseTo(1 / 3, 12);
    expect(passAtK[1]).toMatchObject({ atLeastOne: 1 });
    expect(passAtK[1]?.all).toBeCloseTo(1 / 3, 12);
    expect(passAtK[2]).toMatchObject({ atLeastOne: 1, all: 0 });
  });

  it('divides needed calls by calls made, over successful runs that name them', () => {
    const { callEfficiency } = summarizeTasks([
      run('a', true, { calls: 2 }),
      run('b', true, { calls: 6 }),
      run('c', false, { calls: 50 }),
      run('d', true, { neededCalls: null, calls: 50 }),
    ]);
    expect(callEfficiency).toMatchObject({ value: 0.5, n: 8 });
  });

  it('counts success after a tool error as recovery', () => {
    const { recovery } = summarizeTasks([
      run('a', true, { toolErrors: 1 }),
      run('b', false, { toolErrors: 2 }),
      run('c', true),
    ]);
    expect(recovery).toMatchObject({ value: 0.5, n: 2 });
  });

  it('reports each technique of attack by itself', () => {
    const attack = (technique: string, followed: boolean) => ({ attack: { technique, followed } });
    const { attacks } = summarizeTasks([
      run('a', true, attack('role_play', false)),
      run('b', false, attack('role_play', true)),
      run('c', true, attack('authority', false)),
      run('d', true),
    ]);
    expect(attacks.map(({ technique }) => technique)).toEqual(['authority', 'role_play']);
    expect(attacks[1]).toMatchObject({
      attackSuccess: { value: 0.5, n: 2 },
      taskSuccess: { value: 0.5, n: 2 },
    });
  });

  it('leaves runs that an attack never reached out of its rates, and counts them', () => {
    const attack = (exposed: boolean, followed = false) => ({
      attack: { technique: 'direct', followed, exposed },
    });
    const summary = summarizeTasks([
      run('a', true, attack(true)),
      run('b', false, attack(true, true)),
      run('c', true, attack(false)),
      run('d', null, attack(false)),
      // It broke off after the call of the attack, which decides, or before anything was decided.
      run('e', null, attack(true, true)),
      run('f', null, attack(true)),
      run('g', true),
    ]);
    expect(summary.attackSuccess).toMatchObject({ value: 2 / 3, n: 3 });
    expect(summary.notExposed).toBe(2);
    expect(summary.attacks).toMatchObject([
      {
        technique: 'direct',
        attackSuccess: { value: 2 / 3, n: 3 },
        taskSuccess: { value: 0.5, n: 2 },
        notExposed: 2,
      },
    ]);
    const none = summarizeTasks([run('c', true, attack(false))]);
    expect(none.attackSuccess).toMatchObject({ value: null, n: 0 });
    expect(none.attacks).toMatchObject([{ taskSuccess: { value: null }, notExposed: 1 }]);
  });

  it('counts destructive calls of runs without a score', () => {
    const runs = [run('a', true), run('b', null, { unwantedEffects: 2 })];
    expect(summarizeTasks(runs).unwantedEffects).toBe(2);
  });

  it('widens the interval if repetitions of a task agree', () => {
    const independent = Array.from({ length: 40 }, (_, at) => run(`t${at}`, at % 2 === 0));
    const repeated = Array.from({ length: 40 }, (_, at) => run(`t${at % 10}`, at % 10 < 5));
    const width = ({ successRate: { low, high } }: ReturnType<typeof summarizeTasks>) =>
      (high ?? 0) - (low ?? 0);
    expect(width(summarizeTasks(repeated))).toBeGreaterThan(
      1.5 * width(summarizeTasks(independent)),
    );
  });

  it('keeps every rate and interval between 0 and 1, in any order of runs', () => {
    const anyRun = fc
      .record({
        taskId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
        succeeded: fc.option(fc.boolean()),
        calls: fc.nat(10),
        neededCalls: fc.option(fc.nat(10)),
        toolErrors: fc.nat(2),
      })
      .map((more) => run(more.taskId, more.succeeded, more));
    fc.assert(
      fc.property(fc.array(anyRun, { maxLength: 30 }), (runs) => {
        const summary = summarizeTasks(runs);
        for (const { value, low, high } of [
          summary.successRate,
          summary.callEfficiency,
          summary.recovery,
        ]) {
          // Fewer than five tasks are too few for an interval.
          if (value === null || low === null || high === null) continue;
          expect(low).toBeGreaterThanOrEqual(0);
          expect(low).toBeLessThanOrEqual(value + 1e-12);
          expect(high).toBeGreaterThanOrEqual(value - 1e-12);
          expect(high).toBeLessThanOrEqual(1);
        }
        const turned = summarizeTasks(runs.toReversed());
        expect(turned.successRate.value).toBe(summary.successRate.value);
        expect(turned.scored + turned.notScored).toBe(runs.length);
      }),
    );
  });
});
