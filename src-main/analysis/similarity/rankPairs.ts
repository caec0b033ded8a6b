import type { SimilarityPair } from '../../../src-shared/domain/similarity.ts';
import type { Steps } from '../../runtime/steps.ts';
import { scoreSteps, type PairTable } from './pairTable.ts';
import { readPair, type PreparedTools } from './prepare.ts';

export interface PlacedPair {
  a: number;
  b: number;
}

export interface Ranked {
  pairs: PlacedPair[];
  /** Number of pairs that pass the filter, listed or not. */
  total: number;
}

/** Selects pairs by their tools and their score in steps. */
export type PairFilter = (a: number, b: number, steps: number) => boolean;

/** A stored score has 31 bits; its upper 16 are the bin that it is counted in. */
const binShift = 15;
const bins = 1 << 16;
const stepsPerBin = 1 << binShift;

/** Pairs that are visited, read or written between two steps. */
const pairsAtOnce = 50_000;

/**
 * The `most` pairs with the highest score that pass the filter, descending; ties follow the order
 * of the tools. Two passes over the table count scores, per bin and then per step of the bin that
 * reaches `most`; the third collects no more pairs than wanted, so that millions of pairs are never
 * sorted, also where all scores are equal.
 */
export function* rankPairs(
  table: PairTable,
  most: number,
  filter: PairFilter = () => true,
): Steps<Ranked> {
  const perBin = new Uint32Array(bins);
  let total = 0;
  yield* eachPair(table, (a, b, steps) => {
    if (!filter(a, b, steps)) return;
    total += 1;
    countAt(perBin, steps >>> binShift);
  });
  const wanted = Math.min(most, total);
  const bin = reaching(perBin, wanted);
  const perStep = new Uint32Array(stepsPerBin);
  yield* eachPair(table, (a, b, steps) => {
    if (steps >>> binShift === bin.at && filter(a, b, steps))
      countAt(perStep, steps & (stepsPerBin - 1));
  });
  const step = reaching(perStep, wanted - bin.above);
  const lowest = bin.at * stepsPerBin + step.at;
  // Of those with the lowest score, the first in the order of the tools.
  let ties = wanted - bin.above - step.above;
  const found: PlacedPair[] = [];
  // A number that sorts by descending score, then by the order in which pairs are visited.
  const keys = new Float64Array(wanted);
  yield* eachPair(table, (a, b, steps) => {
    if (steps < lowest || (steps === lowest && ties === 0) || !filter(a, b, steps)) return;
    if (steps === lowest) ties -= 1;
    keys[found.length] = (scoreSteps - steps) * wanted + found.length;
    found.push({ a, b });
  });
  keys.sort();
  const pairs: PlacedPair[] = [];
  for (const key of keys) {
    const pair = found[key % wanted];
    if (pair) pairs.push(pair);
    if (pairs.length % pairsAtOnce === 0) yield;
  }
  return { pairs, total };
}

function* eachPair(
  table: PairTable,
  visit: (a: number, b: number, steps: number) => void,
): Steps<void> {
  const rowsAtOnce = Math.ceil(pairsAtOnce / Math.max(1, table.count));
  for (let row = 0; row < table.count; row += rowsAtOnce) {
    table.each(visit, row, row + rowsAtOnce);
    yield;
  }
}

function countAt(counts: Uint32Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

/** The highest place from which on there are `wanted`, and how many are above it. */
function reaching(counts: Uint32Array, wanted: number): { at: number; above: number } {
  let above = 0;
  let at = counts.length - 1;
  for (; at > 0 && above + (counts[at] ?? 0) < wanted; at -= 1) above += counts[at] ?? 0;
  return { at, above };
}

/** The same pairs with their scores in double precision, which also decide their order. */
export function* readRanked(
  prepared: PreparedTools,
  pairs: readonly PlacedPair[],
): Steps<SimilarityPair[]> {
  const read: SimilarityPair[] = [];
  for (const { a, b } of pairs) {
    read.push(readPair(prepared, a, b));
    if (read.length % 1_000 === 0) yield;
  }
  return read.sort((x, y) => y.score - x.score || x.a - y.a || x.b - y.b);
}
