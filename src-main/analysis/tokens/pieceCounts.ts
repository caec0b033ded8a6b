const maximumPieces = 1 << 17;
const longestKept = 48;

/**
 * Remembers how many tokens a piece of ASCII text has: words repeat, and most are short. A hash table over flat arrays, so that a piece is looked
 * up where it stands in its text, without making a string of it. Holds at most 131,072 pieces of 48 characters; what comes later is counted anew.
 */
export class PieceCounts {
  readonly #table = new Int32Array(maximumPieces * 2);
  #units = new Uint8Array(1 << 16);
  readonly #begins = new Int32Array(maximumPieces + 1);
  readonly #counts = new Uint8Array(maximumPieces);
  #size = 0;

  /** Tokens of the piece between two places of a text, by `count` where it is met for the first time. */
  get(text: string, from: number, to: number, count: (piece: string) => number): number {
    const length = to - from;
    if (length > longestKept) return count(text.slice(from, to));
    let hash = 0x811c9dc5 | 0;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    const mask = this.#table.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const known = this.#table[slot] ?? 0;
      if (known === 0) break;
      const begin = this.#begins[known - 1] ?? 0;
      if ((this.#begins[known] ?? 0) - begin !== length) continue;
      let at = 0;
      while (at < length && this.#units[begin + at] === text.charCodeAt(from + at)) at += 1;
      if (at === length) return this.#counts[known - 1] ?? 0;
    }
    const found = count(text.slice(from, to));
    if (this.#size < maximumPieces) this.#keep(text, from, to, found, slot);
    return found;
  }

  #keep(text: string, from: number, to: number, count: number, slot: number): void {
    const begin = this.#begins[this.#size] ?? 0;
    const end = begin + to - from;
    if (end > this.#units.length) {
      const larger = new Uint8Array(this.#units.length * 2);
      larger.set(this.#units);
      this.#units = larger;
    }
    for (let at = from; at < to; at += 1) this.#units[begin + at - from] = text.charCodeAt(at);
    this.#counts[this.#size] = count;
    this.#size += 1;
    this.#begins[this.#size] = end;
    this.#table[slot] = this.#size;
  }
}
