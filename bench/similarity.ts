import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { isJsonObject, jsonObject, type JsonObject } from '../src-shared/domain/json.ts';
import {
  defaultOverlapWeights as weights,
  type AnalysedTool,
} from '../src-shared/domain/similarity.ts';
import {
  openProducts,
  blockRows,
  cosine,
  layOutVectors,
  vectorOf,
  type DenseSpace,
} from '../src-main/analysis/similarity/denseSpace.ts';
import { overlapOf } from '../src-main/analysis/similarity/overlap.ts';
import { pairsOf } from '../src-main/analysis/similarity/pairTable.ts';
import { prepareTools, similarityFeatures } from '../src-main/analysis/similarity/prepare.ts';
import { fullText, parameterPairs } from '../src-main/analysis/similarity/toolText.ts';
import { countFeatures } from '../src-main/analysis/similarity/sparseSpace.ts';
import { BlockWorker } from '../src-main/analysis/similarity/rowBlock.ts';
import { SimilarityEngine } from '../src-main/services/similarity/similarityEngine.ts';
import { readExternal } from '../src-main/testing/externalData.ts';
import { ratioRow, type Row } from './report.ts';

const count = 5_000;
const dimensions = 768;
const corpus = z.object({
  tools: z.array(
    z.object({ tool: z.string(), description: z.string(), schema: jsonObject.optional() }),
  ),
});

/**
 * Tools made from real ones: the words of two descriptions and the parameters of two tools at
 * random, so that word and letter frequencies are realistic.
 */
function makeTools(random: () => number, howMany = count): AnalysedTool[] {
  const real = corpus.parse(
    JSON.parse(readExternal('retrieval/livemcpbench/corpus.json.br')),
  ).tools;
  const any = () =>
    real[Math.floor(random() * real.length)] ?? { tool: 'tool', description: '', schema: {} };
  const half = <T>(list: readonly T[]): T[] => list.filter(() => random() < 0.5);
  const propertiesOf = (schema: JsonObject | undefined) =>
    Object.entries(isJsonObject(schema?.['properties']) ? schema['properties'] : {});
  return Array.from({ length: howMany }, (_, at) => {
    const [a, b] = [any(), any()];
    return {
      server: `server-${at % 100}`,
      name: `${a.tool}_${at}`,
      description: [
        ...half(a.description.split(/\s+/u)),
        ...half(b.description.split(/\s+/u)),
      ].join(' '),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries([
          ...half(propertiesOf(a.schema)),
          ...half(propertiesOf(b.schema)),
        ]),
      },
    };
  });
}

function time(work: () => void): number {
  let best = Infinity;
  for (let run = 0; run < 3; run += 1) {
    const began = performance.now();
    work();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

/** The dense cosine alone, with the SIMD kernel. */
function denseAlone(space: DenseSpace): number {
  const products = openProducts(space);
  return time(() => {
    for (let first = 0; first < count; first += blockRows) products.make(first);
  });
}

/** A plain loop over blocks that fit into the cache, for some of the rows, scaled to all pairs. */
function blockedLoop(space: DenseSpace): number {
  const values = new Float32Array(count * dimensions);
  for (let at = 0; at < count; at += 1) values.set(vectorOf(space, at), at * dimensions);
  const rows = 128;
  const block = 32;
  const out = new Float32Array(rows * count);
  const ms = time(() => {
    for (let start = 0; start < count; start += block) {
      const end = Math.min(start + block, count);
      for (let a = 0; a < rows; a += 1) {
        for (let b = start; b < end; b += 1) {
          let [s0, s1, s2, s3] = [0, 0, 0, 0];
          for (
            let k = 0, i = a * dimensions, j = b * dimensions;
            k < dimensions;
            k += 4, i += 4, j += 4
          ) {
            s0 += (values[i] ?? 0) * (values[j] ?? 0);
            s1 += (values[i + 1] ?? 0) * (values[j + 1] ?? 0);
            s2 += (values[i + 2] ?? 0) * (values[j + 2] ?? 0);
            s3 += (values[i + 3] ?? 0) * (values[j + 3] ?? 0);
          }
          out[a * count + b] = s0 + s1 + s2 + s3;
        }
      }
    }
  });
  return (ms * pairsOf(count)) / (rows * count);
}

/**
 * Every pair by itself, as in a first implementation: maps of weights, sets of parameters, a vector
 * each.
 */
function perPair(tools: readonly AnalysedTool[], space: DenseSpace): number {
  const counts = tools.map(({ description }) => countFeatures(similarityFeatures(description)));
  const parameters = tools.map((tool) => new Set(parameterPairs(tool)));
  const vectors = tools.map((_, at) => [...vectorOf(space, at)]);
  const few = 120;
  let sum = 0;
  const ms = time(() => {
    for (let a = 0; a < few; a += 1) {
      for (let b = a + 1; b < few; b += 1) {
        let [semantic, text, shared] = [0, 0, 0];
        vectors[a]?.forEach((value, at) => (semantic += value * (vectors[b]?.[at] ?? 0)));
        for (const [feature, weight] of counts[a] ?? [])
          text += weight * (counts[b]?.get(feature) ?? 0);
        for (const one of parameters[a] ?? []) if (parameters[b]?.has(one)) shared += 1;
        sum += overlapOf(
          {
            semantic,
            parameters:
              shared /
              Math.max(1, (parameters[a]?.size ?? 0) + (parameters[b]?.size ?? 0) - shared),
            description: text,
          },
          weights,
        );
      }
    }
  });
  if (!Number.isFinite(sum)) throw new Error('The loop over pairs gave no number.');
  return (ms * pairsOf(count)) / pairsOf(few);
}

export async function benchSimilarity(): Promise<Row[]> {
  // A linear congruential generator: the same tools in every run.
  let state = 7;
  const random = (): number =>
    (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const tools = makeTools(random);
  const vectors = Array.from({ length: count }, () =>
    Float32Array.from({ length: dimensions }, () => random() - 0.3),
  );
  const space = layOutVectors(vectors, 4);
  if (Math.abs(cosine(space, 1, 1) - 1) > 1e-5) throw new Error('The vectors are not of length 1.');
  const dense = denseAlone(space);
  const loop = blockedLoop(space);
  const each = perPair(tools, space);

  const prepared = prepareTools(tools, {
    measure: 'overlap',
    weights,
    full: false,
    embedded: { descriptions: space, fullTexts: null },
  });
  const table = new Uint32Array(pairsOf(count));
  const worker = new BlockWorker(prepared, { kind: 'full', table });
  const full = time(() => {
    for (let first = 0; first < count; first += blockRows) worker.run(first);
  });
  const sparse = new BlockWorker(
    prepareTools(tools, { measure: 'overlap', weights, full: false, embedded: null }),
    {
      kind: 'full',
      table,
    },
  );
  const byTfidf = time(() => {
    for (let first = 0; first < count; first += blockRows) sparse.run(first);
  });
  const engine = new SimilarityEngine();
  try {
    const signal = new AbortController().signal;
    let comparing = 0;
    await engine.compare(tools, {
      measure: 'overlap',
      weights,
      full: false,
      embedded: { descriptions: vectors, fullTexts: null },
      signal,
      onProgress: (stage, done, total) => {
        if (stage === 'comparing' && done === 1) comparing = performance.now();
        if (stage === 'comparing' && done === total) comparing = performance.now() - comparing;
      },
    });
    const began = performance.now();
    const most = 10_000;
    const { table: kept } = await engine.compare(makeTools(random, most), {
      measure: 'overlap',
      weights,
      full: false,
      embedded: null,
      signal,
    });
    const keptMs = performance.now() - began;
    const longest = Math.max(...tools.map((tool) => fullText(tool).length));
    return [
      ratioRow(
        `full overlap of ${count} tools (${pairsOf(count)} pairs), one thread`,
        full,
        'ms',
        'dense cosine alone on the tile',
        dense,
        2.5,
      ),
      ratioRow(
        `the same by TF-IDF (texts up to ${longest} characters)`,
        byTfidf,
        'ms',
        'dense cosine alone on the tile',
        dense,
        2.5,
      ),
      ratioRow(
        'the same, against each pair by itself',
        full,
        'ms',
        'a loop over pairs, scaled',
        each,
        1 / 20,
      ),
      ratioRow(
        `dense ${count} × ${dimensions} on the tile`,
        dense,
        'ms',
        'a blocked loop, scaled',
        loop,
        1 / 4,
      ),
      ratioRow(
        `the same in ${Math.min(8, availableParallelism())} threads, from the first part to ` +
          'the last',
        comparing,
        'ms',
        'one thread',
        full,
        null,
      ),
      // In addition to its four bytes, a kept pair stores the position of its other tool.
      ratioRow(
        `memory for the pairs of ${most} tools, ${kept.size} of ${pairsOf(most)} kept above ` +
          `${kept.floor} in ${Math.round(keptMs)} ms`,
        (kept.size * 8) / pairsOf(most),
        'bytes a pair',
        'bound',
        4,
        1,
      ),
      ratioRow(
        'memory for pairs',
        table.byteLength / pairsOf(count),
        'bytes a pair',
        'bound',
        4,
        1,
      ),
    ];
  } finally {
    await engine.close();
  }
}
