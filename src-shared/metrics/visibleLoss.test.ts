import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';
import { signFlip } from './signFlip.ts';
import { differenceAgain, powerOf, visibleLoss } from './visibleLoss.ts';

describe('the loss that a check would see', () => {
  it.each([
    // A steady model: 2 · ½⁶ ≤ 0.05, so six broken cases are always found, and five never.
    ['one model', 1, 6],
    // 2 · ½⁷ ≤ 0.05 ÷ 2.
    ['two models', 2, 7],
  ])('is the smallest that can be significant if nothing is noise: %s', (_what, tests, cases) => {
    expect(visibleLoss({ cases: 78, passRate: 1, repetitions: 1, tests })).toEqual({
      cases,
      points: cases / 78,
    });
  });

  it('does not exist with too few cases, or if nothing passes', () => {
    expect(visibleLoss({ cases: 5, passRate: 1, repetitions: 1 })).toBeNull();
    expect(visibleLoss({ cases: 0, passRate: 1, repetitions: 1 })).toBeNull();
    expect(visibleLoss({ cases: 78, passRate: 0, repetitions: 1 })).toBeNull();
  });

  it('shrinks with repetitions, and grows with noise', () => {
    const loss = (passRate: number, repetitions: number) =>
      visibleLoss({ cases: 78, passRate, repetitions })?.cases ?? Infinity;
    expect(loss(2 / 3, 3)).toBeLessThan(loss(2 / 3, 1));
    expect(loss(2 / 3, 5)).toBeLessThanOrEqual(loss(2 / 3, 3));
    expect(loss(2 / 3, 1)).toBeGreaterThan(loss(0.9, 1));
  });

  it('has the power that the sign-flip test itself has', () => {
    const [cases, broken, samples] = [40, 9, 150];
    const random = createRandom(3);
    const runs = () => [0, 0, 0].filter(() => random() < 0.7).length / 3;
    let found = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      const test = signFlip(
        Array.from({ length: cases }, (_, at) => (at < broken ? 0 : runs()) - runs()),
      );
      if (test !== null && test.p <= 0.05 && test.value < 0) found += 1;
    }
    const power = powerOf({ cases, passRate: 0.7, repetitions: 3 }, broken, createRandom(4));
    // 3.29 standard errors of both simulations.
    expect(Math.abs(found / samples - power)).toBeLessThan(
      3.29 * Math.sqrt(0.25 / 150 + 0.25 / 500),
    );
  });

  it.each([1, 0.9, 2 / 3, 1 / 2])(
    'raises no more false alarms by asking again what disagrees, with a pass rate of %s',
    (passRate) => {
      const [cases, samples] = [40, 60];
      const random = createRandom(5);
      let alarms = 0;
      for (let sample = 0; sample < samples; sample += 1) {
        const test = signFlip(
          Array.from({ length: cases }, () => differenceAgain(random, 5, passRate, passRate)),
        );
        if (test !== null && test.p <= 0.05) alarms += 1;
      }
      // Both directions are 5%; 3.29 standard errors above it.
      expect(alarms / samples).toBeLessThan(0.05 + 3.29 * Math.sqrt((0.05 * 0.95) / samples));
    },
  );

  it('is nearly as small if only what disagrees is asked again as if everything is', () => {
    const loss = (repetitions: number, onlyDisagreeing: boolean) =>
      visibleLoss({ cases: 78, passRate: 2 / 3, repetitions, onlyDisagreeing })?.cases ?? Infinity;
    expect(loss(5, true)).toBeLessThan(loss(3, false));
    expect(loss(5, true) - loss(5, false)).toBeLessThanOrEqual(2);
  });
});
