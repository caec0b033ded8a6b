import { formatSigned } from '../../../src-shared/display/numbers.ts';
import { describe, expect, it } from 'vitest';
import type { MetricValues } from '../../../src-shared/domain/retrieval.ts';
import type {
  RetrievalComparison,
  RetrieverResult,
} from '../../../src-shared/domain/retrievalRun.ts';
import { countOutcomes, queryRows } from './outcomes.ts';

const values = (mrr: number): MetricValues => ({
  recall_at_1: 0,
  recall_at_3: 0,
  recall_at_5: 0,
  recall_at_10: 0,
  mrr,
  ndcg_at_10: 0,
  map: 0,
});
const result = (retriever: string, mrrs: number[]): RetrieverResult => ({
  retriever,
  title: retriever,
  metrics: {} as RetrieverResult['metrics'],
  differences: null,
  perQuery: mrrs.map((mrr, at) => ({
    id: `q${at}`,
    values: values(mrr),
    firstRelevant: mrr === 0 ? null : Math.round(1 / mrr),
    top: [],
    ranked: 0,
  })),
  baselineDelta: null,
  gate: null,
  milliseconds: 1,
});
const comparison: RetrievalComparison = {
  corpusVersion: 'c',
  goldenVersion: 'g',
  queries: [0, 1, 2, 3].map((at) => ({
    id: `q${at}`,
    query: `query ${at}`,
    labels: [],
    ...(at === 3 ? { notes: 'hard-negative: near-dup of a:b' } : {}),
  })),
  leftOut: ['q3'],
  results: [result('first', [0.5, 1, 0]), result('second', [1, 0.5, 0])],
};

describe('queryRows', () => {
  it('tells wins, losses and ties apart', () => {
    const rows = queryRows(comparison, 'mrr', 1);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['win', 'loss', 'tie']);
    expect(countOutcomes(rows)).toEqual({ win: 1, loss: 1, tie: 1 });
    expect(rows[2]?.ranks).toEqual([null, null]);
  });

  it('has no outcome for the reference retriever', () => {
    expect(queryRows(comparison, 'mrr', 0).every(({ outcome }) => outcome === null)).toBe(true);
    expect(queryRows({ ...comparison, results: [] }, 'mrr', 1)).toEqual([]);
  });

  it('signs differences and writes zero with a plus', () => {
    expect([
      formatSigned(0.0421),
      formatSigned(-0.01),
      formatSigned(-0.0001),
      formatSigned(0),
    ]).toEqual(['+0.042', '−0.010', '+0.000', '+0.000']);
  });
});
