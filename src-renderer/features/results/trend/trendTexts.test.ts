import { expect, it } from 'vitest';
import type { TrendPoint } from '../../../../src-shared/domain/trend.ts';
import { linePoints } from './trendTexts.ts';

const point = (number: number, n: number, casesChanged = false): TrendPoint => ({
  ...{ unit: 'case', mode: null, evaluationId: `e${number}`, number, createdAt: '' },
  ...{ modelSettingsId: 'm', model: 'm', runs: n, snapshotId: null, tools: null, change: null },
  metrics: { passRate: { value: 0.5, low: 0.25, high: 0.75, n } },
  casesChanged,
});
const shape = (points: readonly TrendPoint[]) =>
  linePoints(points, 'passRate').map(({ x, y, label }) => [x, y, label]);

it('joins results over the same cases by one line without labels', () => {
  expect(shape([point(1, 20), point(2, 20), point(5, 20)])).toEqual([
    [0, 0.5, undefined],
    [1, 0.5, undefined],
    [2, 0.5, undefined],
  ]);
});

it('leaves a gap where the cases changed, and says the n of each part', () => {
  expect(shape([point(1, 20), point(2, 61, true), point(3, 61), point(4, 5, true)])).toEqual([
    [0, 0.5, 'n 20'],
    [0.5, null, undefined],
    [1, 0.5, 'n 61'],
    [2, 0.5, undefined],
    [2.5, null, undefined],
    [3, 0.5, 'n 5'],
  ]);
});
