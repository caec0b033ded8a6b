/** Resolution of a stored score: the largest signed integer of four bytes. */
export const scoreSteps = 0x7fff_ffff;

/** Scores are computed in single precision; sums of long texts are off by less than this. */
export const tableError = 1e-5;

export const toSteps = (score: number): number => Math.round(score * scoreSteps);

/** The position of pair (a, b), a < b, among all pairs of `count` tools, row by row. */
export const pairPlace = (a: number, b: number, count: number): number =>
  a * count - (a * (a + 1)) / 2 + (b - a - 1);
export const pairsOf = (count: number): number => (count * (count - 1)) / 2;

/** With more tools than this, only pairs above a floor are kept. */
export const maxFullTools = 7_000;

/**
 * Scores of pairs, four bytes each: either of all pairs, or of those above a floor with their
 * positions.
 */
export interface PairTable {
  readonly count: number;
  /** Pairs whose score is below it are dropped; 0 keeps all. */
  readonly floor: number;
  readonly size: number;
  /** The score in steps; 0 for a dropped pair. */
  get(a: number, b: number): number;
  /** Visits the pairs of these rows, or all. */
  each(visit: (a: number, b: number, steps: number) => void, first?: number, end?: number): void;
  /** Scores of tool `a` with every later tool, if all pairs are kept. */
  row(a: number): Uint32Array | null;
}

export function fullTable(scores: Uint32Array, count: number): PairTable {
  return {
    count,
    floor: 0,
    size: scores.length,
    get: (a, b) =>
      a === b ? scoreSteps : (scores[pairPlace(Math.min(a, b), Math.max(a, b), count)] ?? 0),
    row: (a) =>
      scores.subarray(pairPlace(a, a + 1, count), pairPlace(a, a + 1, count) + count - a - 1),
    each(visit, first = 0, end = count) {
      for (let a = first, at = pairPlace(first, first + 1, count); a < Math.min(end, count); a += 1)
        for (let b = a + 1; b < count; b += 1, at += 1) visit(a, b, scores[at] ?? 0);
    },
  };
}

/** Pairs that a block of rows kept: tool a, tool b, and their score in steps, in sequence. */
export type KeptPairs = Uint32Array;

/** Kept pairs of all blocks, ascending by a, then by b. */
export function sparseTable(blocks: readonly KeptPairs[], count: number, floor: number): PairTable {
  const total = blocks.reduce((sum, block) => sum + block.length / 3, 0);
  const starts = new Int32Array(count + 1);
  for (const block of blocks)
    for (let at = 0; at < block.length; at += 3)
      starts[(block[at] ?? 0) + 1] = (starts[(block[at] ?? 0) + 1] ?? 0) + 1;
  for (let a = 0; a < count; a += 1) starts[a + 1] = (starts[a + 1] ?? 0) + (starts[a] ?? 0);
  const [others, scores, next] = [new Uint32Array(total), new Uint32Array(total), starts.slice()];
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += 3) {
      const a = block[at] ?? 0;
      const place = next[a] ?? 0;
      next[a] = place + 1;
      others[place] = block[at + 1] ?? 0;
      scores[place] = block[at + 2] ?? 0;
    }
  }
  const find = (a: number, b: number): number => {
    let [low, high] = [starts[a] ?? 0, (starts[a + 1] ?? 0) - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const other = others[middle] ?? 0;
      if (other === b) return scores[middle] ?? 0;
      if (other < b) low = middle + 1;
      else high = middle - 1;
    }
    return 0;
  };
  return {
    count,
    floor,
    size: total,
    get: (a, b) => (a === b ? scoreSteps : find(Math.min(a, b), Math.max(a, b))),
    row: () => null,
    each(visit, first = 0, end = count) {
      for (let a = first; a < Math.min(end, count); a += 1)
        for (let at = starts[a] ?? 0; at < (starts[a + 1] ?? 0); at += 1)
          visit(a, others[at] ?? 0, scores[at] ?? 0);
    },
  };
}
