import { reserveVectors, vectorOf, type DenseSpace } from './denseSpace.ts';

/**
 * TF-IDF vectors in flat arrays, twice: by tool (the features of tool d are the places `rows[d]` to `rows[d + 1]`) and by feature (the tools of
 * feature t are the places `starts[t]` to `starts[t + 1]`, ascending). Both lie in shared memory, so that threads read them without a copy.
 */
export interface SparseSpace {
  readonly count: number;
  readonly rows: Int32Array;
  readonly features: Int32Array;
  readonly weights: Float64Array;
  /** Where the tool stands in the list of each of its features. */
  readonly places: Int32Array;
  readonly starts: Int32Array;
  readonly tools: Int32Array;
  /** Rounded to 32 bits: they are walked for all pairs at once; what is told of a pair is computed from `weights`. */
  readonly toolWeights: Float32Array;
  /** Weights of the features that many tools have, a column each: on the tile a product with zeros costs less than a long list. Null where there are none. */
  readonly common: DenseSpace | null;
}

/** A feature that at least this share of the tools has is common. */
const commonShare = 0.12;
/** Below so many tools lists are short whatever is in them. */
const fewTools = 256;
/** Threads that may work on one space, with some to spare for those that are replaced. */
const strips = 16;

const sharedInts = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
const sharedDoubles = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));

/** Feature → how often it stands in the text, one map a tool. */
type Counts = ReadonlyMap<string, number>;

export function countFeatures(features: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

/**
 * weight(t, d) = tf(t, d) · idf(t), idf(t) = ln((1 + N) ÷ (1 + df(t))) + 1 over the N texts, each vector of length 1. A text without features has
 * the vector 0. Features are numbered in the order in which they first appear. Source: docs/rules.md §4.
 */
export function buildTfidfSpace(texts: readonly (readonly string[])[]): SparseSpace {
  return buildSpace(texts.map(countFeatures), (row, idf) => {
    const values = row.map(({ id, count }) => count * (idf[id] ?? 0));
    const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
    return values.map((value) => (length === 0 ? 0 : value / length));
  });
}

/** Sets as vectors of ones: the product of two is the number of members that they share. */
export function buildSetSpace(sets: readonly (readonly string[])[]): SparseSpace {
  return buildSpace(sets.map((set) => countFeatures([...new Set(set)])), (row) => row.map(() => 1));
}

interface Entry {
  id: number;
  count: number;
}

function buildSpace(texts: readonly Counts[], weigh: (row: readonly Entry[], idf: Float64Array) => number[]): SparseSpace {
  const ids = new Map<string, number>();
  const frequencies: number[] = [];
  const entries = texts.map((counts) => {
    const row: Entry[] = [];
    for (const [feature, count] of counts) {
      let id = ids.get(feature);
      if (id === undefined) ids.set(feature, (id = ids.size));
      frequencies[id] = (frequencies[id] ?? 0) + 1;
      row.push({ id, count });
    }
    return row.sort((a, b) => a.id - b.id);
  });
  const idf = Float64Array.from(frequencies, (df) => Math.log((1 + texts.length) / (1 + df)) + 1);
  return layOut(entries, frequencies, (row) => weigh(row, idf));
}

function layOut(entries: readonly (readonly Entry[])[], frequencies: readonly number[], weigh: (row: readonly Entry[]) => number[]): SparseSpace {
  const total = entries.reduce((sum, row) => sum + row.length, 0);
  const rows = sharedInts(entries.length + 1);
  const [features, weights, places] = [sharedInts(total), sharedDoubles(total), sharedInts(total)];
  const starts = sharedInts(frequencies.length + 1);
  const [tools, toolWeights] = [sharedInts(total), new Float32Array(new SharedArrayBuffer(total * Float32Array.BYTES_PER_ELEMENT))];
  frequencies.forEach((df, id) => {
    starts[id + 1] = (starts[id] ?? 0) + df;
  });
  const next = Int32Array.from(starts);
  let at = 0;
  entries.forEach((row, tool) => {
    const values = weigh(row);
    row.forEach(({ id }, place) => {
      const value = values[place] ?? 0;
      const position = next[id] ?? 0;
      next[id] = position + 1;
      features[at] = id;
      places[at] = position;
      weights[at] = value;
      tools[position] = tool;
      toolWeights[position] = value;
      at += 1;
    });
    rows[tool + 1] = at;
  });
  const common = layOutCommon({ count: entries.length, starts, tools, toolWeights });
  return { count: entries.length, rows, features, weights, places, starts, tools, toolWeights, common };
}

function layOutCommon({ count, starts, tools, toolWeights }: Pick<SparseSpace, 'count' | 'starts' | 'tools' | 'toolWeights'>): DenseSpace | null {
  const ids: number[] = [];
  for (let id = 0; id + 1 < starts.length; id += 1) if ((starts[id + 1] ?? 0) - (starts[id] ?? 0) >= count * commonShare) ids.push(id);
  if (count < fewTools || ids.length === 0) return null;
  const common = reserveVectors(count, ids.length, strips);
  const vectors = Array.from({ length: count }, (_, tool) => vectorOf(common, tool));
  ids.forEach((id, column) => {
    for (let at = starts[id] ?? 0; at < (starts[id + 1] ?? 0); at += 1) {
      const vector = vectors[tools[at] ?? 0];
      if (vector) vector[column] = toolWeights[at] ?? 0;
    }
  });
  return common;
}

/** Number of features of a tool. */
export function sizeOf(space: SparseSpace, tool: number): number {
  return (space.rows[tool + 1] ?? 0) - (space.rows[tool] ?? 0);
}

/** Product of two vectors: the cosine of a TF-IDF space (not clamped), the size of the intersection of a space of sets. */
export function dot(space: SparseSpace, a: number, b: number): number {
  const { rows, features, weights } = space;
  const [endA, endB] = [rows[a + 1] ?? 0, rows[b + 1] ?? 0];
  let sum = 0;
  for (let i = rows[a] ?? 0, j = rows[b] ?? 0; i < endA && j < endB; ) {
    const difference = (features[i] ?? 0) - (features[j] ?? 0);
    if (difference === 0) sum += (weights[i] ?? 0) * (weights[j] ?? 0);
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return sum;
}

/** Adds the products of one tool with every later one to `sums` (one place a tool), but for common features: each other feature's list of tools is walked once. */
export function addProducts(space: SparseSpace, tool: number, sums: Float32Array): void {
  const { rows, features, weights, places, starts, tools, toolWeights, count, common } = space;
  const longest = common ? count * commonShare : Infinity;
  const end = rows[tool + 1] ?? 0;
  for (let at = rows[tool] ?? 0; at < end; at += 1) {
    const feature = features[at] as number;
    const last = starts[feature + 1] as number;
    if (last - (starts[feature] as number) >= longest) continue;
    const value = weights[at] as number;
    // Lists ascend: what stands behind the tool's own place is later. Every index lies within its list, so nothing is checked here.
    for (let place = (places[at] as number) + 1; place < last; place += 1) {
      (sums[tools[place] as number] as number) += value * (toolWeights[place] as number);
    }
  }
}
