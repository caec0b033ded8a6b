import { describe, expect, it } from 'vitest';
import { recallMeaning } from './retrievalMetricTexts.ts';

const recalls = (values: Readonly<Record<number, number>>) => (k: number) => values[k] ?? null;

describe('recallMeaning', () => {
  it('says how many tools to offer where few are enough', () => {
    expect(recallMeaning('bm25', recalls({ 1: 0.6, 3: 0.96, 5: 0.99, 10: 1 }))).toBe(
      'Offer a model the first 3 tools that the bm25 retriever finds: they have 96% of the tools that it needs.',
    );
  });

  it('says what a model lacks where even ten are too few', () => {
    expect(recallMeaning('bm25', recalls({ 1: 0.3, 3: 0.5, 5: 0.65, 10: 0.73 }))).toBe(
      'The bm25 retriever finds 65% of the tools that a request needs among its first 5, and 73% ' +
        'among its first 10. A model that is offered only these can’t call the rest: offer more, or ' +
        'improve the descriptions of tools that are missed.',
    );
  });

  it('says nothing where nothing was measured', () => {
    expect(recallMeaning('bm25', recalls({}))).toBeNull();
  });
});
