import { describe, expect, it } from 'vitest';
import { recallMeaning } from './retrievalMetricTexts.ts';

const recalls = (values: Readonly<Record<number, number>>) => (k: number) => values[k] ?? null;

describe('recallMeaning', () => {
  it('says how many tools to offer where few are enough', () => {
    expect(recallMeaning('bm25', recalls({ 1: 0.6, 3: 0.96, 5: 0.99, 10: 1 }))).toBe(
      'Offer a model the first 3 of bm25: they have 96% of the tools that it needs.',
    );
  });

  it('says what a model lacks where even ten are too few', () => {
    expect(recallMeaning('bm25', recalls({ 1: 0.3, 3: 0.5, 5: 0.65, 10: 0.73 }))).toBe(
      'A model that is offered only the first 5 of bm25 lacks 35% of the tools that it needs, and ' +
        'with 10, 27%. Offer more, or improve the descriptions of tools that are missed.',
    );
  });

  it('says nothing where nothing was measured', () => {
    expect(recallMeaning('bm25', recalls({}))).toBeNull();
  });
});
