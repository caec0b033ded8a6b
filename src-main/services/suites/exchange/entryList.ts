import { deserialize, serialize } from 'node:v8';
import type { SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';

type Entry = SuiteFile['cases'][number];

/** An entry with what its origin says of it alone. */
export interface ListedEntry {
  entry: Entry;
  sourceId: string | null;
  /** Its changes in the report of the import: from one on, up to another. */
  changes: [from: number, to: number];
}

/** Entries that are packed together, and so read together. */
const packed = 200;

/**
 * The entries of a file in their order. They are kept as bytes outside of the heap: as objects, those
 * of a large file take five times as much, and the heap grows to a multiple of that.
 */
export class EntryList {
  readonly #parts: Buffer[] = [];
  #open: ListedEntry[] = [];

  get count(): number {
    return this.#parts.length * packed + this.#open.length;
  }

  add(entry: ListedEntry): void {
    this.#open.push(entry);
    if (this.#open.length < packed) return;
    this.#parts.push(serialize(this.#open));
    this.#open = [];
  }

  /** The entries from one on, up to the end of those that are packed with it. */
  from(at: number): ListedEntry[] {
    const index = Math.floor(at / packed);
    const part = this.#parts[index];
    if (part === undefined && index > this.#parts.length) return [];
    return (part === undefined ? this.#open : (deserialize(part) as ListedEntry[])).slice(
      at - index * packed,
    );
  }

  *[Symbol.iterator](): Generator<ListedEntry> {
    for (let at = 0; at < this.count; at += packed) yield* this.from(at);
  }
}
