import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clusteredRatio } from '../../src-shared/metrics/clusteredInterval.ts';
import { scoreDetection } from '../../src-shared/metrics/detection.ts';
import { holm } from '../../src-shared/metrics/holm.ts';
import { mcnemarExact } from '../../src-shared/metrics/mcnemar.ts';
import { scoreQuery } from '../../src-shared/metrics/retrievalScore.ts';
import type { CorpusEntry } from '../../src-shared/domain/security.ts';
import { countTokens } from '../analysis/tokens/encodings.ts';
import { AjvJudge } from '../scoring/ajvJudge.ts';
import { scoreRun } from '../scoring/scoreRun.ts';
import { Recount } from '../verify/recount.ts';
import { readRecorded, scoreShape } from './evaluations/score/scoreRecorded.ts';

interface VectorSet<Vector> {
  rule: string;
  tolerance?: number;
  vectors: Vector[];
}
const read = (name: string): unknown =>
  JSON.parse(
    readFileSync(new URL(`../../datasets/conformance/${name}.json`, import.meta.url), 'utf8'),
  );

/** What of the expected values is not met. */
function differencesOf(expected: unknown, actual: unknown, tolerance = 0) {
  const recount = new Recount(actual);
  recount.compare([], expected, tolerance);
  return recount.differences;
}

type Rate = Record<'value' | 'low' | 'high', number | null>;

describe('conformance vectors', () => {
  const scoring = read('scoring') as VectorSet<{ name: string; line: object; expected: object }>;
  it.each(scoring.vectors)('scoring: $name', ({ line, expected }) => {
    const recorded = readRecorded(JSON.stringify(line));
    if ('problem' in recorded) throw new Error(recorded.problem);
    const answer = scoreShape(recorded.id, scoreRun(recorded.input, new AjvJudge()));
    expect(differencesOf(expected, answer, scoring.tolerance)).toEqual([]);
  });

  const intervals = read('intervals') as {
    intervals: VectorSet<{
      name: string;
      cases: { y: number; x: number; w?: number }[];
      expected: Rate;
    }>;
    exact_test: VectorSet<{ lost: number; won: number; p: number }>;
    holm: VectorSet<{ p: number[]; adjusted: number[] }>;
  };
  it.each(intervals.intervals.vectors)('interval: $name', ({ cases, expected }) => {
    const actual = clusteredRatio(
      cases.map(({ y, x, w = x }) => ({ numerator: y, denominator: x, whole: w })),
    );
    expect(differencesOf(expected, actual, intervals.intervals.tolerance)).toEqual([]);
  });
  it.each(intervals.exact_test.vectors)('exact test: $lost lost, $won won', ({ lost, won, p }) => {
    expect(mcnemarExact(lost, won)).toBeCloseTo(p, 9);
  });
  it.each(intervals.holm.vectors)('Holm: $p', ({ p, adjusted }) => {
    expect(differencesOf(adjusted, holm(p), intervals.holm.tolerance)).toEqual([]);
  });

  const retrieval = read('retrieval') as VectorSet<{
    name: string;
    ranking: string[];
    labels: Record<string, 0 | 1 | 2>;
    expected: object;
  }>;
  it.each(retrieval.vectors)('retrieval: $name', ({ ranking, labels, expected }) => {
    const query = {
      labels: Object.entries(labels).map(([tool_id, relevance]) => ({ tool_id, relevance })),
    };
    expect(differencesOf(expected, scoreQuery(query, ranking), retrieval.tolerance)).toEqual([]);
  });

  const detectors = read('detectors') as VectorSet<
    Record<'tp' | 'fp' | 'tn' | 'fn', number> & { expected: Record<string, Rate> }
  >;
  it.each(detectors.vectors)(
    'detector: $tp TP, $fp FP, $tn TN, $fn FN',
    ({ tp, fp, tn, fn, expected }) => {
      const entries = (n: number, label: CorpusEntry['label'], flagged: boolean) =>
        Array.from({ length: n }, (_, at) => ({
          id: `${label} ${flagged} ${at}`,
          label,
          category: label === 'benign' ? ('benign' as const) : ('tool_poisoning' as const),
        }));
      const all = [
        ...entries(tp, 'malicious', true),
        ...entries(fp, 'benign', true),
        ...entries(tn, 'benign', false),
        ...entries(fn, 'malicious', false),
      ];
      const actual = scoreDetection(all, (id) => id.includes('true'));
      expect(differencesOf(expected, actual, detectors.tolerance)).toEqual([]);
    },
  );

  const tokens = read('tokens') as VectorSet<{
    text: string;
    cl100k_base: number;
    o200k_base: number;
  }>;
  it.each(tokens.vectors)('tokens of text $#', ({ text, ...expected }) => {
    expect({
      cl100k_base: countTokens(text, 'cl100k_base'),
      o200k_base: countTokens(text, 'o200k_base'),
    }).toEqual(expected);
  });
});
