import { afterAll, describe, expect, it } from 'vitest';
import {
  defaultOverlapWeights as weights,
  isFlagged,
  similarityMeasures,
  type AnalysedTool,
} from '../../../src-shared/domain/similarity.ts';
import { pairsOf, scoreSteps } from '../../analysis/similarity/pairTable.ts';
import { readPair } from '../../analysis/similarity/prepare.ts';
import { finish } from '../../runtime/steps.ts';
import { rankPairs } from '../../analysis/similarity/rankPairs.ts';
import { isNightly } from '../../testing/nightly.ts';
import { SimilarityEngine } from './similarityEngine.ts';

const engine = new SimilarityEngine(2);
afterAll(() => engine.close());
const signal = new AbortController().signal;
const words = ['read', 'write', 'file', 'note', 'send', 'mail', 'invoice', 'archive'];
const tools = (count: number): AnalysedTool[] =>
  Array.from({ length: count }, (_, at) => ({
    server: `s${at % 3}`,
    name: `tool_${at}`,
    description: words
      .filter((_word, place) => ((at * 2_654_435_761) >>> place) % 3 === 0)
      .join(' '),
    inputSchema: { type: 'object', properties: { [words[at % 8] ?? '']: { type: 'string' } } },
  }));
const vectors = (count: number, length: number): Float32Array[] =>
  Array.from({ length: count }, (_, at) =>
    Float32Array.from({ length }, (__, place) => Math.sin((at + 1) * (place + 1))),
  );

describe('SimilarityEngine', () => {
  it.each(
    similarityMeasures.flatMap((measure) => [
      [measure, 'TF-IDF', false, false] as const,
      [measure, 'TF-IDF of the full texts', false, true] as const,
      [measure, 'embeddings', true, false] as const,
      [measure, 'embeddings of the full texts', true, true] as const,
    ]),
  )('compares the %s by %s in workers as the pair function does', async (...given) => {
    const [measure, , embed, full] = given;
    const list = tools(300);
    const steps: number[] = [];
    const { prepared, table } = await engine.compare(list, {
      measure,
      weights,
      full,
      embedded: embed
        ? { descriptions: vectors(300, 33), fullTexts: full ? vectors(300, 17) : null }
        : null,
      signal,
      onProgress: (stage, done) => stage === 'comparing' && steps.push(done),
    });
    expect(steps).toEqual([1, 2, 3]);
    for (let a = 0; a < 300; a += 7) {
      for (let b = a + 1; b < 300; b += 11) {
        const pair = readPair(prepared, a, b);
        expect(table.get(a, b) / scoreSteps).toBeCloseTo(pair.score, 4);
        expect(pair.score).toBe(measure === 'overlap' ? pair.overlap : pair.similarityScore);
      }
    }
  });

  it.each(similarityMeasures)(
    'keeps every pair above the floor of %s if too many',
    async (measure) => {
      const list = tools(300);
      const all = await engine.compare(list, {
        measure,
        weights,
        full: false,
        embedded: null,
        signal,
      });
      const some = await engine.compare(list, {
        measure,
        weights,
        full: false,
        embedded: null,
        signal,
        maxFull: 10,
        floor: 0.6,
      });
      let above = 0;
      all.table.each((a, b, packed) => {
        if (packed / scoreSteps < 0.6001) return;
        above += 1;
        expect(some.table.get(a, b)).toBe(packed);
      });
      expect(above).toBeGreaterThan(10);
      expect(some.table.size).toBeLessThan(all.table.size);
    },
  );

  it.runIf(isNightly)(
    'compares 10,000 tools in under four bytes per pair and ranks duplicates first',
    async () => {
      const count = 10_000;
      // Each tool has twelve of 3,000 words; every thousandth tool repeats the previous one.
      const word = (at: number): string =>
        `w${((Math.imul(at, 2_654_435_761) >>> 8) % 3_000).toString(36)}x`;
      const list = Array.from({ length: count }, (_, at): AnalysedTool => {
        const said = at % 1_000 === 999 ? at - 1 : at;
        return {
          server: `s${at % 50}`,
          name: `tool_${at}`,
          description: Array.from({ length: 12 }, (__, place) => word(said * 12 + place)).join(' '),
          inputSchema: { type: 'object', properties: { [word(said)]: { type: 'string' } } },
        };
      });
      const { prepared, table } = await engine.compare(list, {
        measure: 'overlap',
        weights,
        full: false,
        embedded: null,
        signal,
      });
      expect(table.floor).toBe(0.3);
      // A stored pair takes eight bytes: its packed scores and the index of its second tool.
      expect((table.size * 8) / pairsOf(count)).toBeLessThan(4);
      for (let twin = 999; twin < count; twin += 1_000) {
        const pair = readPair(prepared, twin - 1, twin);
        expect(isFlagged(pair, 0.85)).toBe(true);
        expect(table.get(twin - 1, twin) / scoreSteps).toBeCloseTo(pair.overlap, 4);
      }
      expect(
        finish(rankPairs(table, 10))
          .pairs.map(({ a, b }) => [a, b])
          .sort(([x = 0], [y = 0]) => x - y),
      ).toEqual(Array.from({ length: 10 }, (_, at) => [at * 1_000 + 998, at * 1_000 + 999]));
    },
  );

  it('stops at once when aborted, and can be used again', async () => {
    const stop = new AbortController();
    const running = engine.compare(tools(1_500), {
      measure: 'overlap',
      weights,
      full: true,
      embedded: null,
      signal: stop.signal,
      onProgress: (stage) => stage === 'comparing' && stop.abort(new Error('enough')),
    });
    await expect(running).rejects.toThrow('enough');
    expect(
      (
        await engine.compare(tools(3), {
          measure: 'overlap',
          weights,
          full: false,
          embedded: null,
          signal,
        })
      ).table.size,
    ).toBe(3);
  });

  it('rejects vectors of different lengths', async () => {
    await expect(
      engine.compare(tools(2), {
        measure: 'overlap',
        weights,
        full: false,
        embedded: { descriptions: [Float32Array.of(1, 0), Float32Array.of(1)], fullTexts: null },
        signal,
      }),
    ).rejects.toMatchObject({
      code: 'TROUBLE',
      data: { cause: 'Vector 2 has 1 values, the first has 2.' },
    });
  });
});
