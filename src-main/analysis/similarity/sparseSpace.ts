import { reserveVectors, vectorOf, type DenseSpace } from './denseSpace.ts';
import { clamp } from './overlap.ts';
import { layOutLists, type FeatureLists, type ListSpace } from './listSpace.ts';

/**
 * TF-IDF vectors in flat arrays: the features of tool d are the entries `rows[d]` to `rows[d + 1]`.
 * Next to them are the 32-bit structures that all pairs are computed from: each feature is either
 * in `lists` or in `common`. All of it is in shared memory, so that threads read it without a copy.
 */
export interface SparseSpace {
  readonly count: number;
  readonly rows: Int32Array;
  readonly features: Int32Array;
  readonly weights: Float64Array;
  readonly lists: ListSpace;
  /**
   * Features that many tools have, one column each: for the SIMD kernel a product with zeros costs
   * less than a long list. Null if there are none.
   */
  readonly common: DenseSpace | null;
}

/** A feature is common if at least this share of the tools has it. */
const commonShare = 0.2;
/** Below this number of tools, every list is short. */
const fewTools = 256;
/** Maximum number of threads on one space, with some spare for replaced ones. */
const maxThreads = 16;

const sharedInts = (length: number): Int32Array =>
  new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
const sharedDoubles = (length: number): Float64Array =>
  new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));

/** Feature → number of occurrences in the text, one map per tool. */
type Counts = ReadonlyMap<string, number>;

export function countFeatures(features: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

/**
 * weight(t, d) = tf(t, d) · idf(t), idf(t) = ln((1 + N) ÷ (1 + df(t))) + 1 over the N texts, with
 * every vector normalized to length 1. A text without features has the zero vector. Features are
 * numbered by first appearance. Source: docs/rules.md §4.
 */
export function buildTfidfSpace(texts: readonly (readonly string[])[]): SparseSpace {
  return buildSpace(texts.map(countFeatures), (row, idf) => {
    const values = row.map(({ id, count }) => count * (idf[id] ?? 0));
    const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
    return values.map((value) => (length === 0 ? 0 : value / length));
  });
}

/**
 * Sets of which every member weighs idf(k) = ln((1 + N) ÷ (1 + df(k))) + 1 over the N sets, with
 * df(k) the number of sets that have a member of its kind. The product of two is the weight of the
 * members that they share. Source: docs/rules.md §4.
 */
export function buildSetSpace(
  sets: readonly (readonly string[])[],
  kindOf: (member: string) => string,
): SparseSpace {
  const kinds = countFeatures(sets.flatMap((set) => [...new Set(set.map(kindOf))]));
  const all = sets.map((set) => countFeatures(set));
  return buildSpace(all, (row, _idf, names) =>
    row.map(({ id }) => Math.sqrt(idfOf(kinds.get(kindOf(names[id] ?? '')) ?? 0, sets.length))),
  );
}

const idfOf = (df: number, count: number): number => Math.log((1 + count) / (1 + df)) + 1;

interface Entry {
  id: number;
  count: number;
}

function buildSpace(
  texts: readonly Counts[],
  weigh: (row: readonly Entry[], idf: Float64Array, names: readonly string[]) => number[],
): SparseSpace {
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
  const idf = Float64Array.from(frequencies, (df) => idfOf(df, texts.length));
  const names = [...ids.keys()];
  return layOut(entries, frequencies, (row) => weigh(row, idf, names));
}

function layOut(
  entries: readonly (readonly Entry[])[],
  frequencies: readonly number[],
  weigh: (row: readonly Entry[]) => number[],
): SparseSpace {
  const count = entries.length;
  const total = entries.reduce((sum, row) => sum + row.length, 0);
  const rows = sharedInts(count + 1);
  const [features, weights] = [sharedInts(total), sharedDoubles(total)];
  const byFeature: FeatureLists = {
    starts: new Int32Array(frequencies.length + 1),
    tools: new Int32Array(total),
    weights: new Float32Array(total),
  };
  frequencies.forEach((df, id) => {
    byFeature.starts[id + 1] = (byFeature.starts[id] ?? 0) + df;
  });
  const next = byFeature.starts.slice();
  let at = 0;
  entries.forEach((row, tool) => {
    const values = weigh(row);
    row.forEach(({ id }, place) => {
      const value = values[place] ?? 0;
      const position = next[id] ?? 0;
      next[id] = position + 1;
      features[at] = id;
      weights[at] = value;
      byFeature.tools[position] = tool;
      byFeature.weights[position] = value;
      at += 1;
    });
    rows[tool + 1] = at;
  });
  const isCommon = (id: number): boolean =>
    count >= fewTools && (frequencies[id] ?? 0) >= count * commonShare;
  const common = layOutCommon(
    count,
    byFeature,
    frequencies.flatMap((_, id) => (isCommon(id) ? [id] : [])),
  );
  return {
    count,
    rows,
    features,
    weights,
    lists: layOutLists(count, byFeature, (id) => !isCommon(id), maxThreads),
    common,
  };
}

function layOutCommon(
  count: number,
  { starts, tools, weights }: FeatureLists,
  ids: readonly number[],
): DenseSpace | null {
  if (ids.length === 0) return null;
  const common = reserveVectors(count, ids.length, maxThreads);
  const vectors = Array.from({ length: count }, (_, tool) => vectorOf(common, tool));
  ids.forEach((id, column) => {
    for (let at = starts[id] ?? 0; at < (starts[id + 1] ?? 0); at += 1) {
      const vector = vectors[tools[at] ?? 0];
      if (vector) vector[column] = weights[at] ?? 0;
    }
  });
  return common;
}

function sizeOf(space: SparseSpace, tool: number): number {
  return (space.rows[tool + 1] ?? 0) - (space.rows[tool] ?? 0);
}

/**
 * Cosine of two texts in a TF-IDF space, 0–1. Equal vectors have exactly 1: a sum of squares that
 * were rounded one by one may miss it. A text without features is similar to nothing.
 */
export function cosineOfTexts(space: SparseSpace, a: number, b: number): number {
  const [startA, startB, size] = [space.rows[a] ?? 0, space.rows[b] ?? 0, sizeOf(space, a)];
  const isEqual = (values: Int32Array | Float64Array): boolean => {
    for (let at = 0; at < size; at += 1)
      if (values[startA + at] !== values[startB + at]) return false;
    return true;
  };
  if (size > 0 && size === sizeOf(space, b) && isEqual(space.features) && isEqual(space.weights))
    return 1;
  return clamp(dot(space, a, b));
}

/**
 * Product of two vectors: the cosine in a TF-IDF space (not clamped), the weight of the intersection
 * in a space of sets.
 */
export function dot(space: SparseSpace, a: number, b: number): number {
  const { rows, features, weights } = space;
  const [endA, endB] = [rows[a + 1] ?? 0, rows[b + 1] ?? 0];
  let sum = 0;
  for (let i = rows[a] ?? 0, j = rows[b] ?? 0; i < endA && j < endB;) {
    const difference = (features[i] ?? 0) - (features[j] ?? 0);
    if (difference === 0) sum += (weights[i] ?? 0) * (weights[j] ?? 0);
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return sum;
}
