import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  retrievalMetrics,
  type Corpus,
  type GoldenSet,
  type MetricValues,
} from '../../../src-shared/domain/retrieval.ts';
import {
  checkRetrievalGate,
  scoreQuery,
  meanDifference,
} from '../../../src-shared/metrics/retrievalScore.ts';
import { offlineRankers } from '../../analysis/rankers/rankers.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { readExternal } from '../../testing/externalData.ts';
import { isNightly } from '../../testing/nightly.ts';
import { readBaseline, readCorpus, readGolden } from './datasetFiles.ts';
import { readDetectionBaseline } from '../security/gate.ts';
import { openOffline, rankAll } from './retrievers.ts';
import {
  compareWithBaseline,
  toBaseline,
  scoreRankings,
  valuesOfReport,
} from './scoreRetrieval.ts';

const shipped = (name: string): string => readFileSync(`${programFiles.datasets}/${name}`, 'utf8');
const corpus = readCorpus(shipped('corpus_v1.json'), 'corpus_v1.json');
const { golden } = readGolden(
  shipped('retrieval_golden_v1.json'),
  'retrieval_golden_v1.json',
  corpus,
);
const signal = new AbortController().signal;

async function rank(id: string, tools: Corpus = corpus, set: GoldenSet = golden) {
  const retriever = openOffline(id, tools);
  if (!retriever) throw new Error(`no retriever ${id}`);
  return rankAll(retriever, set, signal);
}
const report = async (id: string) => scoreRankings(golden, corpus.version, id, await rank(id));

/** Every metric at 0. */
const nothingFound = Object.fromEntries(retrievalMetrics.map((metric) => [metric, 0]));

describe('retrieval on the bundled corpus', () => {
  it.each([
    ['baseline_v6.json', 1],
    ['baseline_v5.json', 2],
  ])('INV-5: the default retriever measures what %s says', async (name, number) => {
    const tools = readCorpus(shipped(`corpus_v${number}.json`), `corpus_v${number}.json`);
    const file = `retrieval_golden_v${number}.json`;
    const set = readGolden(shipped(file), file, tools).golden;
    const judged = compareWithBaseline(
      scoreRankings(set, tools.version, 'default', await rank('default', tools, set)),
      readBaseline(shipped(name), name),
      name,
    );
    expect(judged.gate).toMatchObject({ passed: true, failed: [] });
    for (const delta of Object.values(judged.baseline_delta ?? {}))
      expect(Math.abs(delta)).toBeLessThan(1e-12);
  });

  it.each(['baseline_v1.json', 'baseline_v3.json', 'baseline_v4.json'])(
    'the default retriever passes the gate of an earlier one (%s)',
    async (name) => {
      const judged = compareWithBaseline(
        await report('default'),
        readBaseline(shipped(name), name),
        name,
      );
      expect(judged.gate).toMatchObject({ passed: true, failed: [] });
    },
  );

  it('the default retriever beats plain BM25: the whole interval is above 0', async () => {
    const [best, plain] = [await rank('default'), await rank('bm25')];
    for (const metric of ['recall_at_5', 'mrr', 'ndcg_at_10', 'map'] as const) {
      const valuesOf = (rankings: Record<string, string[]>): number[] =>
        golden.queries.map((query) => scoreQuery(query, rankings[query.id] ?? [])?.[metric] ?? NaN);
      const difference = meanDifference(valuesOf(best), valuesOf(plain));
      expect(difference?.low, metric).toBeGreaterThan(0);
    }
  });

  it.each([...offlineRankers.keys()])(
    'INV-2: %s has recall 0 at every k when all relevant tools are withheld',
    async (id) => {
      // Each query has an index of its own; a night takes all of them, other runs every fourth.
      const queries = golden.queries.filter((_, at) => isNightly || at % 4 === 0);
      expect(queries.length).toBeGreaterThan(10);
      for (const query of queries) {
        const relevant = new Set(
          query.labels.filter(({ relevance }) => relevance >= 1).map((label) => label.tool_id),
        );
        const rest: Corpus = {
          version: corpus.version,
          tools: corpus.tools.filter((tool) => !relevant.has(tool.tool_id)),
        };
        const rankings = await rank(id, rest, { ...golden, queries: [query] });
        expect(rankings[query.id]?.length).toBe(rest.tools.length);
        expect(scoreQuery(query, rankings[query.id] ?? []), query.id).toEqual(nothingFound);
      }
    },
  );

  it('the gate fails an index without descriptions and schemas', async () => {
    const broken: Corpus = {
      ...corpus,
      tools: corpus.tools.map((tool) => ({ ...tool, description: '', schema: {} })),
    };
    const degraded = scoreRankings(
      golden,
      corpus.version,
      'default',
      await rank('default', broken),
    );
    const judged = compareWithBaseline(
      degraded,
      readBaseline(shipped('baseline_v1.json'), 'baseline_v1.json'),
      'baseline_v1.json',
    );
    expect(judged.gate?.passed).toBe(false);
    expect(judged.gate?.failed).toEqual(
      expect.arrayContaining(['recall_at_5', 'mrr', 'ndcg_at_10', 'map']),
    );
  });

  it.each([...offlineRankers.keys()])('%s gives the same bytes on every run', async (id) => {
    expect(JSON.stringify(await report(id))).toBe(JSON.stringify(await report(id)));
  });

  it('an imported ranking gets the same numbers as the same ranking made here', async () => {
    const own = await report('tfidf');
    const imported = scoreRankings(
      golden,
      corpus.version,
      'ranking',
      JSON.parse(JSON.stringify(await rank('tfidf'))) as Record<string, string[]>,
    );
    expect({ ...imported, retriever: 'tfidf' }).toEqual(own);
  });

  it('a query without a ranking scores 0', async () => {
    const rankings = await rank('default');
    const first = golden.queries[0]?.id ?? '';
    const { [first]: _gone, ...rest } = rankings;
    const without = scoreRankings(golden, corpus.version, 'x', rest);
    expect(without.queries).toBe(golden.queries.length);
    expect(without.per_query[0]).toEqual({
      id: first,
      ranking: [],
      recall_at_5: 0,
      rr: 0,
      ndcg_at_10: 0,
      ap: 0,
    });
  });
});

describe('the mcpproxy datasets', () => {
  it.each(['mcpproxy_v1', 'mcpproxy_v2'])(
    '%s: bm25 is within 0.02 of an independent implementation',
    async (name) => {
      const tools = readCorpus(readExternal(`retrieval/${name}/corpus.json`), 'corpus.json');
      const set = readGolden(
        readExternal(`retrieval/${name}/golden.json`),
        'golden.json',
        tools,
      ).golden;
      const values = valuesOfReport(
        scoreRankings(set, tools.version, 'bm25', await rank('bm25', tools, set)),
      );
      for (const [metric, expected] of [
        ['recall_at_5', 0.691],
        ['mrr', 0.573],
        ['ndcg_at_10', 0.583],
        ['map', 0.544],
      ] as const)
        expect(Math.abs(values[metric] - expected), metric).toBeLessThan(0.02);
    },
  );
});

const all = (value: number): MetricValues => ({
  recall_at_1: value,
  recall_at_3: value,
  recall_at_5: value,
  recall_at_10: value,
  mrr: value,
  ndcg_at_10: value,
  map: value,
});

describe('the gate', () => {
  it('passes a drop of exactly the tolerance and fails a larger one', () => {
    expect(checkRetrievalGate(all(0.4), all(0.5), { mrr: 0.1 }).passed).toBe(true);
    expect(checkRetrievalGate(all(0.3999), all(0.5), { mrr: 0.1 }).failed).toEqual(['mrr']);
    expect(checkRetrievalGate(all(0.9), all(0.5), { mrr: 0 }).passed).toBe(true);
  });

  it('ignores metrics without a tolerance or a reference', () => {
    expect(checkRetrievalGate(all(0), all(1), {})).toEqual({
      passed: true,
      tolerance: {},
      failed: [],
    });
    expect(checkRetrievalGate(all(0), { mrr: 1 }, { mrr: 0.5, map: 0 }).failed).toEqual(['mrr']);
  });

  it('keeps the thresholds of every gate in a new baseline', async () => {
    const shippedOne = readBaseline(shipped('baseline_v6.json'), 'baseline_v6.json');
    expect(toBaseline(await report('default'), shippedOne)).toEqual(shippedOne);
    expect(readDetectionBaseline(JSON.stringify(shippedOne), 'b.json').limits).toHaveProperty(
      'combined',
    );
  });

  it('rejects a baseline of other versions', async () => {
    const own = await report('bm25');
    for (const other of [{ corpus_version: 'x' }, { golden_version: 'x' }])
      expect(() => compareWithBaseline(own, { ...toBaseline(own), ...other }, 'b.json')).toThrow(
        /measured on .* "x"/,
      );
  });
});

describe('meanDifference', () => {
  it('has an interval that holds its value, and is deterministic', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(0, 0.5, 1), fc.constantFrom(0, 0.25, 1)), {
          minLength: 1,
          maxLength: 40,
        }),
        (pairs) => {
          const difference = meanDifference(
            pairs.map(([a]) => a),
            pairs.map(([, b]) => b),
          );
          expect(difference).toEqual(
            meanDifference(
              pairs.map(([a]) => a),
              pairs.map(([, b]) => b),
            ),
          );
          expect(difference?.low).toBeLessThanOrEqual((difference?.value ?? 0) + 1e-9);
          expect(difference?.high).toBeGreaterThanOrEqual((difference?.value ?? 0) - 1e-9);
        },
      ),
      { numRuns: 30 },
    );
    // A single query says little: the Wilson interval for n = 1, mapped from [0, 1] to [−1, 1].
    expect(meanDifference([0], [1])).toMatchObject({ value: -1, low: -1 });
    expect(meanDifference([0], [1])?.high).toBeCloseTo(2 * 0.7935 - 1, 3);
    expect(meanDifference([], [])).toBeNull();
    expect(() => meanDifference([1], [])).toThrow(/not of the same queries/);
  });
});
