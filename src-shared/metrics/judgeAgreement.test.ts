import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohensKappa } from './cohensKappa.ts';
import { fleissKappa, judgesAgreement, type JudgedCheck } from './judgeAgreement.ts';

describe('fleissKappa', () => {
  it('equals the published example of 14 raters, 10 subjects and 5 answers', () => {
    // https://en.wikipedia.org/wiki/Fleiss%27_kappa, after Fleiss 1971: P̄ 0.378, κ 0.210.
    const { kappa, observed } = fleissKappa([
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ]);
    expect(observed).toBeCloseTo(0.378, 3);
    expect(kappa).toBeCloseTo(0.21, 3);
  });

  it('is null without an item and where all answers are the same', () => {
    expect(fleissKappa([])).toEqual({ kappa: null, observed: null });
    expect(fleissKappa([[3, 0]])).toEqual({ kappa: null, observed: 1 });
  });
});

const checks = (votes: readonly (readonly (boolean | null)[])[], tasks = votes.length) =>
  votes.map((own, at): JudgedCheck => ({ taskKey: `t${at % tasks}`, votes: own }));

describe('judgesAgreement', () => {
  it('counts only checks that every judge judged, of two by Cohen and of three by Fleiss', () => {
    const two = judgesAgreement(
      checks([
        [true, true],
        [true, false],
        [false, false],
        [true, null],
      ]),
    );
    // pₒ 2/3, pₑ = 2/3·1/3 + 1/3·2/3 = 4/9: κ = (2/3 − 4/9)/(5/9) = 0.4.
    expect(two).toMatchObject({ n: 3, observed: 2 / 3 });
    expect(two.kappa).toBeCloseTo(0.4, 12);
    const three = judgesAgreement(
      checks([
        [true, true, true],
        [true, true, false],
        [false, false, false],
        [false, false, true],
      ]),
    );
    // P̄ = (1 + 1/3 + 1 + 1/3)/4 = 2/3, pₑ = ½: κ = 1/3.
    expect(three.observed).toBeCloseTo(2 / 3, 12);
    expect(three.kappa).toBeCloseTo(1 / 3, 12);
    expect(three.interval).toBeNull();
  });

  it('has the jackknife interval by task, computed by hand', () => {
    // Cohen's κ of a = 3, b = 1, c = 1, d = 2 is (5/7 − 25/49)/(24/49) = 10/24. Each check is a task.
    const all = checks([
      [true, true],
      [true, true],
      [true, true],
      [true, false],
      [false, true],
      [false, false],
      [false, false],
    ]);
    const { kappa, interval } = judgesAgreement(all);
    expect(kappa).toBeCloseTo(10 / 24, 12);
    // κ without one a: (4/6 − 1/2)/(1/2) = 1/3; without b or c: (5/6 − 1/2)/(1/2) = 2/3; without one d:
    // (24/36 − 20/36)/(16/36) = 1/4. Mean 17/42, Σ(κ − κ̄)² = 0.200397, SE² = 6/7 · 0.200397 = 0.171769,
    // t₆ = 2.446912: ± 1.014122, cut at 1.
    expect(interval?.low).toBeCloseTo(10 / 24 - 1.014122, 5);
    expect(interval?.high).toBe(1);
  });

  it('is wider where the same checks are of fewer tasks that agree within themselves', () => {
    const votes = Array.from({ length: 40 }, (_, at) => [at % 10 < 5, at % 10 < 5 !== at % 10 > 7]);
    const widthOf = (tasks: number) => {
      const { interval } = judgesAgreement(checks(votes, tasks));
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    expect(widthOf(10)).toBeGreaterThan(widthOf(40));
  });

  it('doesn’t depend on the order of checks, and is never outside −1 to 1', () => {
    const vote = fc.constantFrom(true, false, null);
    fc.assert(
      fc.property(fc.array(fc.tuple(vote, vote, vote), { maxLength: 20 }), (votes) => {
        const all = checks(votes, 6);
        const found = judgesAgreement(all);
        const turned = judgesAgreement([...all].reverse());
        expect(turned.n).toBe(found.n);
        if (found.kappa !== null) {
          expect(turned.kappa).toBeCloseTo(found.kappa, 9);
          expect(Math.abs(found.kappa)).toBeLessThanOrEqual(1 + 1e-9);
        }
        if (found.interval) {
          expect(found.interval.low).toBeGreaterThanOrEqual(-1);
          expect(found.interval.high).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('cohensKappa', () => {
  it('has the interval of Fleiss, Cohen and Everitt, computed by hand', () => {
    // a 20, b 5, c 10, d 15: κ 0.4. Σᵢ pᵢᵢ(1 − (pᵢ. + p.ᵢ)0.6)² = 0.4·0.34² + 0.3·0.46² = 0.10972,
    // 0.6²·(0.1·1.1² + 0.2·0.9²) = 0.10188, (0.4 − 0.5·0.6)² = 0.01; SE² = 0.2016/(50·0.25).
    const { kappa, interval } = cohensKappa({
      bothYes: 20,
      onlyFirst: 5,
      onlySecond: 10,
      bothNo: 15,
    });
    expect(kappa).toBeCloseTo(0.4, 12);
    expect(interval?.low).toBeCloseTo(0.4 - 1.959964 * Math.sqrt(0.2016 / 12.5), 6);
    expect(interval?.high).toBeCloseTo(0.4 + 1.959964 * Math.sqrt(0.2016 / 12.5), 6);
  });

  it('has no interval without a disagreement, which is no certainty', () => {
    expect(cohensKappa({ bothYes: 20, onlyFirst: 0, onlySecond: 0, bothNo: 15 })).toMatchObject({
      kappa: 1,
      interval: null,
    });
  });
});
