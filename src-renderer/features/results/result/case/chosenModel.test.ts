import { expect, it } from 'vitest';
import { emptyOutcomeCounts } from '../../../../../src-shared/metrics/outcomes.ts';
import { modelToFix, presetModel } from './chosenModel.ts';

/** The best pass rate first, as every verdict. */
const verdict = {
  models: ['best', 'middle', 'worst'].map((modelSettingsId) => ({
    modelSettingsId,
    counts: emptyOutcomeCounts(),
    passRate: { value: null, low: null, high: null, n: 0 },
    vsBest: null,
  })),
};
const failing = (counts: Record<string, number>) =>
  Object.entries(counts).map(([modelSettingsId, failed]) => ({
    modelSettingsId,
    failed,
    scored: 10,
  }));

it('begins with the model of the filter, or else the one with the lowest pass rate', () => {
  expect(presetModel(verdict, 'middle')).toBe('middle');
  expect(presetModel(verdict, null)).toBe('worst');
  expect(presetModel({ models: [] }, null)).toBeNull();
});

it.each([
  ['the model of the filter', { best: 5, worst: 1 }, 'worst', 'worst'],
  ['the one that fails most with the tool', { best: 5, worst: 1 }, null, 'best'],
  ['the worst of those that fail equally often', { best: 2, middle: 2 }, null, 'middle'],
] as const)('begins the fix of a tool with %s', (_title, counts, filtered, expected) => {
  expect(modelToFix(verdict, failing(counts), filtered)).toBe(expected);
});
