import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../domain/labels.ts';
import { summarize, type MetricRow } from './summary.ts';
import { summarizeToolsOf } from './toolSummary.ts';

/** One run per unit, each of its own case. */
const rowsOf = (units: readonly (readonly [string, string])[]): MetricRow[] =>
  units.map(([expected, selected], index) => ({
    testCaseId: String(index),
    classification: 'TP',
    passed: true,
    units: [{ expected, selected }],
    matchedParameters: 0,
    expectedParameters: 0,
  }));

const both = 'a:x | b:y';

describe('a row of alternatives', () => {
  const rows = rowsOf([
    [both, 'a:x'],
    [both, 'a:x'],
    [both, 'b:y'],
    [both, 'c:z'],
    [both, NO_TOOL],
    ['a:x', 'a:x'],
    ['a:x', 'b:y'],
    [NO_TOOL, 'a:x'],
  ]);
  const { perTool, anyOf } = summarizeToolsOf(rows);

  it('counts in the precision of the called tool and in no single recall', () => {
    const [x, y, z] = perTool;
    expect(x).toMatchObject({ tp: 1, anyOf: 2, fp: 1, fn: 1 });
    expect(x).toMatchObject({ precision: { value: 3 / 4, n: 4 }, recall: { value: 1 / 2, n: 2 } });
    expect(x?.f1Score.value).toBeCloseTo((2 * 0.75 * 0.5) / 1.25, 12);
    expect(y).toMatchObject({ tp: 0, anyOf: 1, fp: 1, fn: 0, recall: { value: null } });
    expect(y?.f1Score.value).toBeNull();
    expect(z).toMatchObject({ tp: 0, anyOf: 0, fp: 1, precision: { value: 0 } });
  });

  it('is listed with its own recall and counts in the totals', () => {
    expect(anyOf).toMatchObject([
      { label: both, tools: ['a:x', 'b:y'], tp: 3, fn: 2, recall: { value: 0.6, n: 5 } },
    ]);
    const { selectionPrecision, selectionRecall } = summarize(rows);
    expect(selectionPrecision).toMatchObject({ value: 4 / 7, n: 7 });
    expect(selectionRecall).toMatchObject({ value: 4 / 7, n: 7 });
  });

  it('lists an alternative that was never called as a tool without rates', () => {
    const [, y] = summarizeToolsOf(rowsOf([[both, 'a:x']])).perTool;
    expect(y).toMatchObject({ toolId: 'b:y', precision: { value: null }, recall: { value: null } });
  });
});

type Unit = readonly [string, string];

/** Rows with their tools, written out, so that no code of the program reads the labels. */
const accepted: Record<string, readonly string[]> = {
  'a:x': ['a:x'],
  'b:y': ['b:y'],
  [both]: ['a:x', 'b:y'],
  'b:y | c:z': ['b:y', 'c:z'],
  [NO_TOOL]: [],
};

describe('rates over random units', () => {
  const unit = fc.tuple(
    fc.constantFrom(...Object.keys(accepted)),
    fc.constantFrom('a:x', 'b:y', 'c:z', NO_TOOL, PHANTOM),
  );
  const share = (units: readonly Unit[]): number | null => {
    const right = units.filter(([row, column]) => accepted[row]?.includes(column));
    return units.length === 0 ? null : right.length / units.length;
  };

  it('are those of a plain count', () => {
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const { perTool, anyOf } = summarizeToolsOf(rowsOf(units));
        const { selectionPrecision, selectionRecall } = summarize(rowsOf(units));
        expect(selectionPrecision.value).toBe(share(units.filter(([, made]) => made !== NO_TOOL)));
        expect(selectionRecall.value).toBe(share(units.filter(([row]) => row !== NO_TOOL)));
        for (const { label, recall } of anyOf)
          expect(recall.value).toBe(share(units.filter(([row]) => row === label)));
        for (const { toolId, precision, recall, f1Score } of perTool) {
          const p = share(units.filter(([, made]) => made === toolId));
          const r = share(units.filter(([row]) => row === toolId));
          expect([precision.value, recall.value]).toEqual([p, r]);
          if (p !== null && r !== null)
            expect(f1Score.value).toBeCloseTo(p + r === 0 ? 0 : (2 * p * r) / (p + r), 12);
          expect(f1Score.low ?? 0).toBeLessThanOrEqual(f1Score.value ?? 0);
          expect(f1Score.high ?? 1).toBeGreaterThanOrEqual(f1Score.value ?? 1);
        }
      }),
    );
  });
});
