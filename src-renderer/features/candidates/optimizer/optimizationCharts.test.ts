import { describe, expect, it } from 'vitest';
import type { OptimizationStep } from '../../../../src-shared/domain/optimization.ts';
import {
  bestStep,
  progressFinding,
  progressSeries,
  rateRange,
  stepsNote,
  tokensFinding,
  tokenSeries,
} from './optimizationCharts.ts';

const start = { passRate: 0.6, tokens: 1000 };

function step(
  number: number,
  result: OptimizationStep['result'],
  passRate: number | null,
  tokens: number | null = 1010,
): OptimizationStep {
  return {
    step: number,
    kind: 'edit',
    parents: [0],
    edits: [],
    toolIds: [],
    reason: '',
    result,
    why: null,
    screening: null,
    passRate,
    tokens,
  };
}

const steps = [
  step(1, 'refused', null, null),
  step(2, 'best', 0.7),
  step(3, 'no_gain', null),
  step(4, 'kept', 0.65, 990),
  step(5, 'best', 0.8, 950),
  step(6, 'no_gain', 0.75),
];

describe('the charts of an optimization', () => {
  it('draws the best pass rate as a stair up to the last step', () => {
    const [best, tried] = progressSeries(start, steps);
    expect(best?.points.map(({ x, y }) => [x, y])).toEqual([
      [0, 0.6],
      [2, 0.6],
      [2, 0.7],
      [5, 0.7],
      [5, 0.8],
      [6, 0.8],
    ]);
    expect(best?.points.filter(({ corner }) => corner).map(({ x }) => x)).toEqual([2, 5, 6]);
    expect(tried).toMatchObject({
      connect: false,
      points: [
        { x: 4, y: 0.65 },
        { x: 6, y: 0.75 },
      ],
    });
  });

  it('draws only the start while nothing was tried', () => {
    expect(progressSeries(start, [])).toEqual([
      { name: 'Best so far', points: [{ x: 0, y: 0.6, note: 'Start' }] },
    ]);
    expect(tokenSeries(start, [], null).map(({ name }) => name)).toEqual(['Start']);
  });

  it('sets the chosen step apart from the other steps by tokens', () => {
    const series = tokenSeries(start, steps, 5);
    expect(series.map(({ name, points }) => [name, points.map(({ x }) => x)])).toEqual([
      ['Best', [950]],
      ['Tried', [1010, 990, 1010]],
      ['Start', [1000]],
    ]);
  });

  it('ends the axis at round percents around all pass rates', () => {
    const [low, high] = rateRange(progressSeries(start, steps));
    expect(low).toBeCloseTo(0.55);
    expect(high).toBeCloseTo(0.85);
    expect(
      rateRange([
        {
          name: 'all',
          points: [
            { x: 0, y: 0 },
            { x: 1, y: 1 },
          ],
        },
      ]),
    ).toEqual([0, 1]);
  });

  it('says how many gains there were and where the last one was', () => {
    expect(progressFinding([])).toBe('No step finished yet');
    expect(progressFinding(steps.slice(0, 1))).toBe('No gain in 1 step');
    expect(progressFinding(steps.slice(0, 2))).toBe('1 gain in 2 steps, at step 2');
    expect(progressFinding(steps)).toBe('2 gains in 6 steps, the last at step 5');
  });

  it('says what the best step changes', () => {
    expect(tokensFinding(start, null)).toBe('No step is better than the start yet');
    expect(tokensFinding(start, bestStep(steps))).toBe(
      'Step 5 moves the pass rate from 60% to 80% with 50 fewer tokens',
    );
    expect(tokensFinding({ passRate: 0.8, tokens: 949 }, bestStep(steps))).toBe(
      'Step 5 keeps the pass rate at 80% with 1 more token',
    );
  });

  it('counts the steps that ran, stopped early and were refused', () => {
    expect(stepsNote(steps, 61)).toBe('4 tried on all 61 search cases, 1 stopped early, 1 refused');
  });
});
