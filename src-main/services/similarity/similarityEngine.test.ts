import { afterAll, describe, expect, it } from 'vitest';
import {
  defaultOverlapWeights as weights,
  type AnalysedTool,
} from '../../../src-shared/domain/similarity.ts';
import {
  packedOverlap,
  packedScore,
  pairsOf,
  scoreSteps,
} from '../../analysis/similarity/pairTable.ts';
import { readPair } from '../../analysis/similarity/prepare.ts';
import { rankPairs } from '../../analysis/similarity/rankPairs.ts';
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

describe('the engine in threads', () => {
  it.each([
    ['TF-IDF', false, false],
    ['TF-IDF of the full texts', false, true],
    ['embeddings', true, false],
    ['embeddings of the full texts', true, true],
  ])(
    'would catch threads that tell other numbers of %s than a pair read by itself',
    async (_what, embed, full) => {
      const list = tools(300);
      const steps: number[] = [];
      const { prepared, table } = await engine.compare(list, {
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
          const pair = readPair(prepared, a, b, 0.85);
          expect(packedOverlap(table.get(a, b)) / scoreSteps).toBeCloseTo(pair.overlap, 4);
          expect(packedScore(table.get(a, b)) / scoreSteps).toBeCloseTo(
            pair.fullSimilarityScore ?? pair.similarityScore,
            4,
          );
        }
      }
    },
  );

  it('would catch that pairs above the floor are lost where not all are kept', async () => {
    const list = tools(300);
    const all = await engine.compare(list, { weights, full: false, embedded: null, signal });
    const some = await engine.compare(list, {
      weights,
      full: false,
      embedded: null,
      signal,
      maxFull: 10,
      floor: 0.6,
    });
    let above = 0;
    all.table.each((a, b, packed) => {
      if (Math.max(packedOverlap(packed), packedScore(packed)) / scoreSteps < 0.6001) return;
      above += 1;
      expect(some.table.get(a, b)).toBe(packed);
    });
    expect(above).toBeGreaterThan(10);
    expect(some.table.size).toBeLessThan(all.table.size);
  });

  it('would catch 10,000 tools that are refused, cost more memory than four bytes for each of their pairs, or lose the twins among them', async () => {
    const count = 10_000;
    // Twelve words of 3,000 each, another twelve for every tool; every thousandth tool says what
    // the one before it says.
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
      weights,
      full: false,
      embedded: null,
      signal,
    });
    expect(table.floor).toBe(0.3);
    // Beside its four bytes a kept pair holds the place of its other tool.
    expect((table.size * 8) / pairsOf(count)).toBeLessThan(4);
    for (let twin = 999; twin < count; twin += 1_000) {
      const pair = readPair(prepared, twin - 1, twin, 0.85);
      expect(pair.flagged).toBe(true);
      expect(packedOverlap(table.get(twin - 1, twin)) / scoreSteps).toBeCloseTo(pair.overlap, 4);
    }
    expect(
      rankPairs(table, 10)
        .pairs.map(({ a, b }) => [a, b])
        .sort(([x = 0], [y = 0]) => x - y),
    ).toEqual(Array.from({ length: 10 }, (_, at) => [at * 1_000 + 998, at * 1_000 + 999]));
  }, 120_000);

  it('would catch a cancel that waits for the end, or that breaks the next analysis', async () => {
    const stop = new AbortController();
    const running = engine.compare(tools(1_500), {
      weights,
      full: true,
      embedded: null,
      signal: stop.signal,
      onProgress: (stage) => stage === 'comparing' && stop.abort(new Error('enough')),
    });
    await expect(running).rejects.toThrow('enough');
    expect(
      (await engine.compare(tools(3), { weights, full: false, embedded: null, signal })).table.size,
    ).toBe(3);
  });

  it('would catch vectors of different lengths that are compared all the same', async () => {
    await expect(
      engine.compare(tools(2), {
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
