const maxPieces = 1 << 17;
const maxKept = 48;
/** Up to this many bytes serve as the key themselves, in two numbers. */
const keyed = 8;
/**
 * Numbers per slot: the two of the key, 1 + the start of a longer piece in `units`, and its length
 * with its count; the last is 0 if the slot is free.
 */
const width = 4;

/**
 * Caches how many tokens a piece of ASCII text has: words repeat, and most are short. A hash table
 * over flat arrays, so that a piece is looked up in place, without creating a string. It grows with
 * its content, so that frequently used entries stay close together. Holds at most 131,072 pieces of
 * up to 48 characters; further pieces are counted each time.
 */
export class PieceCounts {
  #mask = (1 << 12) - 1;
  #table = new Int32Array((this.#mask + 1) * width);
  #units = new Uint8Array(1 << 14);
  #used = 0;
  #size = 0;

  /** Tokens of the piece between two positions of a text, computed by `count` on a cache miss. */
  get(
    bytes: Uint8Array,
    from: number,
    to: number,
    count: (from: number, to: number) => number,
  ): number {
    const length = to - from;
    if (length > maxKept) return count(from, to);
    let [low, high] = [0, 0];
    const middle = length > 4 ? from + 4 : to;
    for (let at = from; at < middle; at += 1) low = (low << 8) | (bytes[at] ?? 0);
    if (length <= keyed)
      for (let at = middle; at < to; at += 1) high = (high << 8) | (bytes[at] ?? 0);
    else
      for (let at = middle; at < to; at += 1) high = Math.imul(high ^ (bytes[at] ?? 0), 0x5bd1e995);
    const table = this.#table;
    const mask = this.#mask;
    let slot = mixed(low, high, length) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const at = slot * width;
      const about = table[at + 3] ?? 0;
      if (about === 0) break;
      if (table[at] !== low || table[at + 1] !== high || about >>> 8 !== length) continue;
      if (length <= keyed || this.#stands((table[at + 2] ?? 0) - 1, bytes, from, length))
        return about & 255;
    }
    const found = count(from, to);
    if (this.#size < maxPieces) this.#keep(slot, low, high, bytes.subarray(from, to), found);
    return found;
  }

  #stands(begin: number, bytes: Uint8Array, from: number, length: number): boolean {
    const units = this.#units;
    for (let at = 4; at < length; at += 1) if (units[begin + at] !== bytes[from + at]) return false;
    return true;
  }

  #keep(slot: number, low: number, high: number, piece: Uint8Array, count: number): void {
    const at = slot * width;
    this.#table[at] = low;
    this.#table[at + 1] = high;
    if (piece.length > keyed) this.#table[at + 2] = 1 + this.#write(piece);
    this.#table[at + 3] = (piece.length << 8) | count;
    this.#size += 1;
    if (this.#size * 2 > this.#mask) this.#grow();
  }

  #write(piece: Uint8Array): number {
    const begin = this.#used;
    this.#used += piece.length;
    if (this.#used > this.#units.length) {
      const larger = new Uint8Array(this.#units.length * 2);
      larger.set(this.#units);
      this.#units = larger;
    }
    this.#units.set(piece, begin);
    return begin;
  }

  #grow(): void {
    const before = this.#table;
    this.#mask = this.#mask * 2 + 1;
    this.#table = new Int32Array((this.#mask + 1) * width);
    for (let at = 0; at < before.length; at += width) {
      const about = before[at + 3] ?? 0;
      if (about === 0) continue;
      let slot = mixed(before[at] ?? 0, before[at + 1] ?? 0, about >>> 8) & this.#mask;
      while (this.#table[slot * width + 3] !== 0) slot = (slot + 1) & this.#mask;
      this.#table.set(before.subarray(at, at + width), slot * width);
    }
  }
}

function mixed(low: number, high: number, length: number): number {
  const first = Math.imul(low ^ Math.imul(high + length, 0x9e3779b1), 0x85ebca6b);
  return first ^ (first >>> 15);
}
