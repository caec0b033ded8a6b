import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { defaultOverlapWeights, type AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { readExternal } from '../../testing/externalData.ts';
import { similarityFeatures, prepareTools, readPair, type PreparedTools } from './prepare.ts';
import { cosine, layOutVectors, openProducts, blockRows } from './denseSpace.ts';
import { clusterOrder, groupsAt } from './groups.ts';
import { openLists } from './listSpace.ts';
import { jaccard, overlapOf } from './overlap.ts';
import { fullTable, pairPlace, pairsOf, scoreSteps, sparseTable, toSteps } from './pairTable.ts';
import { BlockWorker } from './rowBlock.ts';
import { buildTfidfSpace, dot } from './sparseSpace.ts';
import { parameterPairs } from './toolText.ts';

const weights = defaultOverlapWeights;
const tool = (
  name: string,
  description: string,
  properties: AnalysedTool['inputSchema'] = {},
  server = 's',
): AnalysedTool => ({ server, name, description, inputSchema: { type: 'object', properties } });
const prepare = (tools: AnalysedTool[], full = false): PreparedTools =>
  prepareTools(tools, { measure: 'overlap', weights, full, embedded: null });

function tableOf(prepared: PreparedTools): Uint32Array {
  const table = new Uint32Array(pairsOf(prepared.count));
  const worker = new BlockWorker(prepared, { kind: 'full', table });
  for (let first = 0; first < prepared.count; first += blockRows) worker.run(first);
  return table;
}

const word = fc.constantFrom(
  'read',
  'write',
  'file',
  'files',
  'the',
  'a',
  'note',
  'send',
  'mail',
  '获取',
  'Größe',
);
const anyTool = fc.record({
  name: fc.constantFrom('read_file', 'write_file', 'sendMail', 'x'),
  description: fc.array(word, { maxLength: 8 }).map((list) => list.join(' ')),
  properties: fc.dictionary(
    fc.constantFrom('path', 'to', 'id'),
    fc.constantFrom<JsonObject>({ type: 'string' }, { type: 'integer' }, {}),
  ),
});
const anyTools = fc
  .array(anyTool, { minLength: 2, maxLength: 40 })
  .map((list) => list.map((one, at) => tool(`${one.name}${at}`, one.description, one.properties)));

describe('values worked by hand', () => {
  it('TF-IDF cosine over words and character n-grams', () => {
    // Two texts: "ab" and "ab cd". Features of "ab": the word, and " ab", "ab ", " ab " (a padded
    // word of four signs).
    expect(similarityFeatures('ab')).toEqual([' ab', 'ab ', ' ab ', '\u0001ab']);
    const space = buildTfidfSpace([similarityFeatures('ab'), similarityFeatures('ab cd')]);
    const rare = Math.log(3 / 2) + 1;
    // All four features of "ab" have df 2, idf ln(3/3) + 1 = 1; those of "cd" have df 1.
    expect(dot(space, 0, 1)).toBeCloseTo(4 / (2 * Math.sqrt(4 + 4 * rare * rare)), 12);
    expect(dot(space, 0, 0)).toBeCloseTo(1, 12);
  });

  it('Jaccard over name:type pairs that weigh the idf of their name, null without parameters', () => {
    const [a, b] = [
      tool('a', '', { path: { type: 'string' }, limit: { type: 'integer' } }),
      tool('b', '', { path: { type: 'string' }, limit: { type: 'string' } }),
    ];
    expect(readPair(prepare([a, b]), 0, 1).dimensions.parameters).toBeCloseTo(1 / 3, 12);
    // Of four tools all have an id, two a path and one a query, which weigh 1, ln(5/3) + 1 and
    // ln(5/2) + 1: a shared path says more than a shared id.
    const text = { type: 'string' };
    const [one, two, three, four] = [
      tool('one', '', { id: text, path: text }),
      tool('two', '', { id: text, path: text, query: text }),
      tool('three', '', { id: text }),
      tool('four', '', { id: { type: 'integer' } }),
    ];
    const prepared = prepare([one, two, three, four]);
    const [path, query] = [Math.log(5 / 3) + 1, Math.log(5 / 2) + 1];
    const parametersOf = (first: number, second: number) =>
      readPair(prepared, first, second).dimensions.parameters;
    expect(parametersOf(0, 1)).toBeCloseTo((1 + path) / (1 + path + query), 12);
    expect(parametersOf(0, 2)).toBeCloseTo(1 / (1 + path), 12);
    expect(parametersOf(1, 2)).toBeCloseTo(1 / (1 + path + query), 12);
    expect(parametersOf(2, 3)).toBe(0);
    expect(jaccard(0, 0, 0)).toBeNull();
    expect(jaccard(0, 0, 3)).toBe(0);
  });

  it('weights rescaled when neither tool has parameters', () => {
    expect(overlapOf({ semantic: 0.8, parameters: 0.5, description: 0.4 }, weights)).toBeCloseTo(
      0.5 * 0.8 + 0.3 * 0.5 + 0.2 * 0.4,
      12,
    );
    expect(overlapOf({ semantic: 0.8, parameters: null, description: 0.4 }, weights)).toBeCloseTo(
      (0.5 * 0.8 + 0.2 * 0.4) / 0.7,
      12,
    );
    expect(
      overlapOf(
        { semantic: 1, parameters: null, description: 1 },
        { semantic: 0, parameters: 1, description: 0 },
      ),
    ).toBe(0);
  });

  it('parameter types through references, unions and arrays', () => {
    const inputSchema = {
      type: 'object',
      $defs: { id: { type: 'integer' } },
      properties: {
        a: { $ref: '#/$defs/id' },
        b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        c: { type: ['string', 'null'] },
        d: { enum: [1] },
        e: true,
        f: { $ref: '#/$defs/f' },
      },
    };
    expect(parameterPairs({ server: 's', name: 'n', description: '', inputSchema })).toEqual([
      'a:integer',
      'b:null|string',
      'c:null|string',
      'd:enum',
      'e:any',
      'f:any',
    ]);
  });

  it('empty descriptions are similar to nothing', () => {
    const pair = readPair(prepare([tool('read', ''), tool('read_all', '')]), 0, 1);
    expect(pair).toMatchObject({ similarityScore: 0, fullSimilarityScore: null });
    expect(pair.dimensions.description).toBe(0);
  });
});

describe('identical tools', () => {
  const words = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,30}$/);

  it('score exactly 1 in every dimension, next to any others', () => {
    fc.assert(
      fc.property(words, fc.array(words, { maxLength: 6 }), (text, others) => {
        const twin = tool('twin', text);
        const prepared = prepare(
          [twin, ...others.map((other) => tool('other', other)), twin],
          true,
        );
        const pair = readPair(prepared, 0, others.length + 1);
        expect(pair).toMatchObject({
          similarityScore: 1,
          fullSimilarityScore: 1,
          overlap: 1,
        });
        const vectors = [text, ...others, text].map((each) =>
          Array.from({ length: 7 }, (_, at) => Math.sin(each.length + at * each.charCodeAt(0))),
        );
        const embedded = { descriptions: layOutVectors(vectors, 1), fullTexts: null };
        expect(cosine(embedded.descriptions, 0, others.length + 1)).toBe(1);
      }),
    );
  });
});

describe('similarity table', () => {
  it('is symmetric, within 0–1, and equal in blocks and single pairs', () => {
    fc.assert(
      fc.property(anyTools, fc.boolean(), (tools, full) => {
        const prepared = prepare(tools, full);
        const mirrored = prepare([...tools].reverse(), full);
        const table = fullTable(tableOf(prepared), tools.length);
        for (let a = 0; a < tools.length; a += 1) {
          for (let b = a + 1; b < tools.length; b += 1) {
            const pair = readPair(prepared, a, b);
            const back = readPair(mirrored, tools.length - 1 - b, tools.length - 1 - a);
            expect(back.overlap).toBeCloseTo(pair.overlap, 12);
            for (const value of [
              pair.overlap,
              pair.similarityScore,
              pair.dimensions.semantic,
              pair.dimensions.parameters ?? 0,
            ]) {
              expect(value).toBeGreaterThanOrEqual(0);
              expect(value).toBeLessThanOrEqual(1);
            }
            expect(table.get(b, a) / scoreSteps).toBeCloseTo(pair.overlap, 4);
          }
          expect(table.get(a, a)).toBe(scoreSteps);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps exactly the pairs above the floor', () => {
    fc.assert(
      fc.property(anyTools, fc.double({ min: 0.05, max: 0.9, noNaN: true }), (tools, floor) => {
        const prepared = prepare(tools);
        const all = fullTable(tableOf(prepared), tools.length);
        const worker = new BlockWorker(prepared, { kind: 'kept', floor });
        const blocks = [];
        for (let first = 0; first < tools.length; first += blockRows)
          blocks.push(worker.run(first));
        const kept = sparseTable(blocks, tools.length, floor);
        all.each((a, b, packed) => {
          const high = packed / scoreSteps;
          if (high > floor + 1e-4) expect(kept.get(b, a)).toBe(packed);
          if (high < floor - 1e-4) expect(kept.get(a, b)).toBe(0);
        });
      }),
      { numRuns: 40 },
    );
  });

  it('gets the same dot products from the SIMD kernel as from a plain loop', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 1000 }),
        (dimensions, count, seed) => {
          const vectors = Array.from({ length: count }, (_, at) =>
            Array.from({ length: dimensions }, (__, place) =>
              Math.sin(seed * (at + 1) * (place + 1)),
            ),
          );
          const space = layOutVectors(vectors, 1);
          const products = openProducts(space);
          for (let first = 0; first < count; first += blockRows) {
            products.make(first);
            for (let row = 0; row < Math.min(blockRows, count - first); row += 1) {
              for (let other = first + row + 1; other < count; other += 1)
                expect(products.row(row)[other]).toBeCloseTo(cosine(space, first + row, other), 5);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('counts every feature once when common and rare features mix', () => {
    // So many tools that the commonest words are columns and the others are lists: "every" is in
    // all, "w1" in every second, "w29" in every thirtieth.
    const tools = Array.from({ length: 300 }, (_, at) =>
      tool(
        `t${at}`,
        [
          'every',
          ...Array.from({ length: 30 }, (__, n) => n)
            .filter((n) => at % (n + 1) === 0)
            .map((n) => `w${n}`),
        ].join(' '),
        { [`p${at % 7}`]: { type: 'string' }, id: { type: 'integer' } },
      ),
    );
    const prepared = prepare(tools, true);
    expect(prepared.description.common?.dimensions).toBeGreaterThan(0);
    expect(prepared.parameters.common?.dimensions).toBe(1);
    fullTable(tableOf(prepared), tools.length).each((a, b, packed) => {
      const { overlap } = readPair(prepared, a, b);
      expect(Math.abs(packed / scoreSteps - overlap)).toBeLessThan(5e-5);
    });
  });

  it('gives each thread its own sums and rejects too many threads', () => {
    const { lists } = prepare([
      tool('a', 'read a file'),
      tool('b', 'read a note'),
      tool('c', 'send mail'),
    ]).description;
    const [one, other] = [openLists(lists), openLists(lists)];
    one.add(0);
    expect([...other.sums]).toEqual([0, 0, 0]);
    other.add(0);
    expect(other.sums).toEqual(one.sums);
    expect(one.sums[1]).toBeGreaterThan(0);
    expect(() => Array.from({ length: lists.threads - 1 }, () => openLists(lists))).toThrow(
      'More threads',
    );
  });

  it('rejects vectors that differ in length, are empty, or are not finite', () => {
    expect(() => layOutVectors([[1, 2], [1]], 1)).toThrow(
      'Vector 2 has 1 values, the first has 2.',
    );
    expect(() => layOutVectors([[]], 1)).toThrow('empty');
    expect(() => layOutVectors([[1, Number.NaN]], 1)).toThrow("isn't a finite number");
  });
});

describe('clusterOrder and groupsAt', () => {
  it('group connected pairs above the cut, in full and sparse tables', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 25 }),
        fc.integer({ min: 1, max: 10_000 }),
        fc.constantFrom(0.2, 0.5, 0.8),
        async (count, seed, cut) => {
          const packed = Uint32Array.from({ length: pairsOf(count) }, (_, at) =>
            toSteps(Math.abs(Math.sin(seed * (at + 1)))),
          );
          const table = fullTable(packed, count);
          const kept: number[] = [];
          table.each((a, b, value) => {
            if (value / scoreSteps >= 0.2) kept.push(a, b, value);
          });
          const ofKept = groupsAt(
            await clusterOrder(sparseTable([Uint32Array.from(kept)], count, 0.2)),
            cut,
          );
          const order = await clusterOrder(table);
          expect([...order.order].sort((x, y) => x - y)).toEqual(
            Array.from({ length: count }, (_, at) => at),
          );
          const groups = groupsAt(order, cut);
          const normal = (list: number[][]) =>
            list.map((group) => [...group].sort((x, y) => x - y).join()).sort();
          expect(normal(groups)).toEqual(normal(components(table, cut)));
          expect(normal(ofKept)).toEqual(normal(groups));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('give every pair its own place', () => {
    const places = new Set<number>();
    for (let a = 0; a < 9; a += 1)
      for (let b = a + 1; b < 9; b += 1) places.add(pairPlace(a, b, 9));
    expect([...places].sort((x, y) => x - y)).toEqual(Array.from({ length: 36 }, (_, at) => at));
  });
});

function components(table: ReturnType<typeof fullTable>, cut: number): number[][] {
  const group = Array.from({ length: table.count }, (_, at) => at);
  for (let again = true; again;) {
    again = false;
    table.each((a, b, packed) => {
      if (packed / scoreSteps < cut || group[a] === group[b]) return;
      const [low, high] = [
        Math.min(group[a] ?? 0, group[b] ?? 0),
        Math.max(group[a] ?? 0, group[b] ?? 0),
      ];
      group.forEach((one, at) => {
        if (one === high) group[at] = low;
      });
      again = true;
    });
  }
  const found = new Map<number, number[]>();
  group.forEach((one, at) => found.set(one, [...(found.get(one) ?? []), at]));
  return [...found.values()].filter(({ length }) => length > 1);
}

describe('bundled corpus', () => {
  const corpus = JSON.parse(readExternal('retrieval/mcpproxy_v1/corpus.json')) as {
    tools: {
      server: string;
      tool: string;
      description: string;
      schema?: AnalysedTool['inputSchema'];
    }[];
  };
  it('ranks tools of the same server first', () => {
    const tools = corpus.tools.map((one) => ({
      server: one.server,
      name: one.tool,
      description: one.description,
      inputSchema: one.schema ?? {},
    }));
    const prepared = prepare(tools);
    const pairs = [];
    for (let a = 0; a < tools.length; a += 1)
      for (let b = a + 1; b < tools.length; b += 1) pairs.push(readPair(prepared, a, b));
    const best = pairs.sort((x, y) => y.overlap - x.overlap).slice(0, 10);
    expect(
      best.filter(({ a, b }) => tools[a]?.server === tools[b]?.server).length,
    ).toBeGreaterThanOrEqual(8);
  });
});
