/** Below this number of scores, a comparison sort is faster than a radix sort. */
const fewScores = 400;

/**
 * Positions by descending score; equal scores keep the order of `tieOrder`, which contains every
 * position once. Scores are ≥ 0. Many scores are sorted digit by digit (the bits of doubles ≥ 0
 * order like the numbers), in time linear in their number.
 */
export function orderByScore(scores: Float64Array, tieOrder: Int32Array): Int32Array {
  if (scores.length <= fewScores) {
    const ranks = Int32Array.from(tieOrder.keys()).sort(
      (a, b) => (scores[tieOrder[b] ?? 0] ?? 0) - (scores[tieOrder[a] ?? 0] ?? 0) || a - b,
    );
    return ranks.map((rank) => tieOrder[rank] ?? 0);
  }
  return sortByDigits(scores, tieOrder);
}

const digitBits = 11;
const digits = 1 << digitBits;

function sortByDigits(scores: Float64Array, tieOrder: Int32Array): Int32Array {
  const count = tieOrder.length;
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, count * 2);
  let from = tieOrder.slice();
  let to = new Int32Array(count);
  const counts = new Int32Array(digits);
  const digit = new Uint16Array(count);
  for (let shift = 0; shift < 64; shift += digitBits) {
    readDigits(bits, shift, digit);
    counts.fill(0);
    for (let at = 0; at < count; at += 1) {
      const value = digit[at] ?? 0;
      counts[value] = (counts[value] ?? 0) + 1;
    }
    // If all scores share a digit, as in the lowest bits of round scores, nothing moves.
    if (counts[digit[0] ?? 0] === count) continue;
    let sum = 0;
    for (let value = 0; value < digits; value += 1) {
      const here = counts[value] ?? 0;
      counts[value] = sum;
      sum += here;
    }
    for (let at = 0; at < count; at += 1) {
      const position = from[at] ?? 0;
      const value = digit[position] ?? 0;
      const place = counts[value] ?? 0;
      counts[value] = place + 1;
      to[place] = position;
    }
    [from, to] = [to, from];
  }
  return from;
}

/**
 * The digit of each score that starts at bit `shift`, complemented so that the largest comes first.
 * Words are little-endian, as on every supported platform.
 */
function readDigits(bits: Uint32Array, shift: number, digit: Uint16Array): void {
  const high = shift >>> 5;
  const within = shift & 31;
  const spills = high === 0 && within > 32 - digitBits;
  for (let at = 0; at < digit.length; at += 1) {
    const word = (bits[2 * at + high] ?? 0) >>> within;
    const whole = spills ? word | ((bits[2 * at + 1] ?? 0) << (32 - within)) : word;
    digit[at] = ~whole & (digits - 1);
  }
}

/** The first k of `orderByScore`, with a heap of size k: O(n log k). Returns all if k ≥ n. */
export function firstByScore(scores: Float64Array, tieOrder: Int32Array, k: number): Int32Array {
  if (k >= tieOrder.length) return orderByScore(scores, tieOrder);
  if (k <= 0) return new Int32Array(0);
  // The worst kept position is on top: lower score, or the same score and a later rank.
  const heap = new Int32Array(k);
  const scoreAt = (rank: number): number => scores[tieOrder[rank] ?? 0] ?? 0;
  const isWorse = (a: number, b: number): boolean =>
    scoreAt(a) < scoreAt(b) || (scoreAt(a) === scoreAt(b) && a > b);
  for (let rank = 0; rank < k; rank += 1) {
    let at = rank;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isWorse(rank, heap[above] ?? 0)) break;
      heap[at] = heap[above] ?? 0;
      at = above;
    }
    heap[at] = rank;
  }
  for (let rank = k; rank < tieOrder.length; rank += 1) {
    if (scoreAt(rank) <= scoreAt(heap[0] ?? 0)) continue;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= k) break;
      if (below + 1 < k && isWorse(heap[below + 1] ?? 0, heap[below] ?? 0)) below += 1;
      if (!isWorse(heap[below] ?? 0, rank)) break;
      heap[at] = heap[below] ?? 0;
      at = below;
    }
    heap[at] = rank;
  }
  return heap.sort((a, b) => scoreAt(b) - scoreAt(a) || a - b).map((rank) => tieOrder[rank] ?? 0);
}
