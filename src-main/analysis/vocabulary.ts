const offset = 0x811c9dc5 | 0;
const prime = 0x01000193;

/** FNV-1a over UTF-16 units; the scanner of a text continues it unit by unit. */
export const hashStart = offset;
export const hashOn = (hash: number, unit: number): number => Math.imul(hash ^ unit, prime);

/**
 * Numbers terms in the order of first appearance. A hash table over flat arrays: a term costs its
 * characters and about 16 bytes, and a text can be looked up in place without creating strings for
 * its words.
 */
export class Vocabulary {
  #table = new Int32Array(1024);
  #units = new Uint16Array(4096);
  /** Start of each term in `#units`; it ends where the next one starts. */
  #begins = new Int32Array(512);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Number of the term, which is added if it is new. */
  add(term: string): number {
    const units = unitsOf(term);
    return this.addUnits(units, 0, term.length, hashOf(units, 0, term.length));
  }

  /** Number of the term, or -1. */
  find(term: string): number {
    const units = unitsOf(term);
    const slot = this.#slot(units, 0, term.length, hashOf(units, 0, term.length));
    return (this.#table[slot] ?? 0) - 1;
  }

  /** Like `add`, for the units `from` to `to` whose hash is known. */
  addUnits(units: Uint16Array, from: number, to: number, hash: number): number {
    const slot = this.#slot(units, from, to, hash);
    const known = this.#table[slot] ?? 0;
    if (known > 0) return known - 1;
    const id = this.#size;
    this.#table[slot] = id + 1;
    this.#keep(units, from, to);
    if (this.#size * 2 > this.#table.length) this.#grow();
    return id;
  }

  /** The slot that holds the term, or the free slot where it belongs. */
  #slot(units: Uint16Array, from: number, to: number, hash: number): number {
    const mask = this.#table.length - 1;
    // The low bits of the hash depend only weakly on the last characters, so the high bits are
    // folded in.
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const known = this.#table[slot] ?? 0;
      if (known === 0 || this.#equals(known - 1, units, from, to)) return slot;
    }
  }

  #equals(id: number, units: Uint16Array, from: number, to: number): boolean {
    const begin = this.#begins[id] ?? 0;
    const length = (this.#begins[id + 1] ?? 0) - begin;
    if (length !== to - from) return false;
    for (let at = 0; at < length; at += 1)
      if (this.#units[begin + at] !== units[from + at]) return false;
    return true;
  }

  #keep(units: Uint16Array, from: number, to: number): void {
    const begin = this.#begins[this.#size] ?? 0;
    const end = begin + to - from;
    if (end > this.#units.length)
      this.#units = resized(this.#units, Math.max(end, this.#units.length * 2));
    if (this.#size + 2 > this.#begins.length) {
      const begins = new Int32Array(this.#begins.length * 2);
      begins.set(this.#begins);
      this.#begins = begins;
    }
    this.#units.set(units.subarray(from, to), begin);
    this.#size += 1;
    this.#begins[this.#size] = end;
  }

  #grow(): void {
    this.#table = new Int32Array(this.#table.length * 2);
    for (let id = 0; id < this.#size; id += 1) {
      const [from, to] = [this.#begins[id] ?? 0, this.#begins[id + 1] ?? 0];
      this.#table[this.#slot(this.#units, from, to, hashOf(this.#units, from, to))] = id + 1;
    }
  }
}

function hashOf(units: Uint16Array, from: number, to: number): number {
  let hash = hashStart;
  for (let at = from; at < to; at += 1) hash = hashOn(hash, units[at] ?? 0);
  return hash;
}

let scratch = new Uint16Array(256);

/** The units of a term, in a buffer that the next call reuses. */
function unitsOf(term: string): Uint16Array {
  if (term.length > scratch.length) scratch = new Uint16Array(term.length * 2);
  for (let at = 0; at < term.length; at += 1) scratch[at] = term.charCodeAt(at);
  return scratch;
}

function resized(units: Uint16Array, length: number): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(length);
  larger.set(units);
  return larger;
}
