import { describe, expect, it } from 'vitest';
import type { RetrievalComparison } from '../../../src-shared/domain/retrievalRun.ts';
import { retrievalMetrics } from '../../../src-shared/domain/retrieval.ts';
import { differenceFinding, largestDifferences, recallFinding } from './retrievalFindings.ts';

const all = <Value>(value: Value) =>
  Object.fromEntries(retrievalMetrics.map((metric) => [metric, value])) as Record<
    (typeof retrievalMetrics)[number],
    Value
  >;

function comparison(first: number[], second: number[]): RetrievalComparison {
  const result = (retriever: string, values: number[]): RetrievalComparison['results'][number] => ({
    retriever,
    title: retriever,
    metrics: all({
      value: values.reduce((sum, value) => sum + value, 0) / values.length,
      low: 0,
      high: 1,
      n: values.length,
    }),
    differences: null,
    perQuery: values.map((value, at) => ({
      id: `q${at}`,
      values: all(value),
      firstRelevant: 1,
      top: [],
      ranked: 0,
    })),
    baselineDelta: null,
    gate: null,
    milliseconds: 1,
  });
  return {
    corpusVersion: 'c',
    goldenVersion: 'g',
    queries: [],
    leftOut: [],
    results: [result('bm25', first), result('tfidf', second)],
  };
}

describe('largestDifferences', () => {
  it('orders queries by how far two retrievers are apart, and leaves out equal ones', () => {
    const { rows, better, worse, same } = largestDifferences(
      comparison([1, 0.5, 0.25, 1], [1, 0.75, 1, 0]),
      'mrr',
      1,
    );
    expect(rows.map(({ id, values }) => [id, ...values])).toEqual([
      ['q3', 1, 0],
      ['q2', 0.25, 1],
      ['q1', 0.5, 0.75],
    ]);
    expect([better, worse, same]).toEqual([2, 1, 1]);
  });
});

describe('recallFinding', () => {
  it('names the retriever that finds the most, or those that tie', () => {
    expect(recallFinding(comparison([1, 0], [1, 1]).results)).toBe(
      'The tfidf retriever finds the most: 100% of the relevant tools among the first 5',
    );
    expect(recallFinding(comparison([1, 0], [0, 1]).results)).toBe(
      'The retrievers bm25 and tfidf find the most: 50% of the relevant tools among the first 5',
    );
    expect(recallFinding(comparison([1, 0], [0, 1]).results.slice(0, 1))).toBe(
      'The bm25 retriever finds 50% of the relevant tools among the first 5',
    );
  });
});

describe('differenceFinding', () => {
  it('says on how many queries a retriever is better and worse', () => {
    expect(differenceFinding('tfidf', 'bm25', { better: 2, worse: 1, same: 3 })).toBe(
      'The tfidf retriever is better than bm25 on 2 queries and worse on 1',
    );
    expect(differenceFinding('tfidf', 'bm25', { better: 1, worse: 4, same: 3 })).toBe(
      'The bm25 retriever is better than tfidf on 4 queries and worse on 1',
    );
    expect(differenceFinding('tfidf', 'bm25', { better: 0, worse: 0, same: 3 })).toBe(
      'The retrievers tfidf and bm25 give the same result on every query',
    );
  });
});
