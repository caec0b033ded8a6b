import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ImportReport } from '../../../../src-shared/contract/suites.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { CaseOrigin } from '../../../../src-shared/domain/testCase.ts';

type Entry = SuiteFile['cases'][number];

/** An entry with what its origin says of it alone. */
export interface ListedEntry {
  entry: Entry;
  sourceId: string | null;
  /** Its changes in the report of the import: from one on, up to another. */
  changes: [from: number, to: number];
}

/** How many entries are packed, and so read, together. */
export const entriesAtOnce = 200;

/** Entries as deflated bytes outside of the heap, which pass between threads without a copy. */
export type PackedPart = Uint8Array<ArrayBuffer>;

/**
 * The entries of a file in their order, packed: as objects, those of a large file take five times as
 * much as its text, and the heap grows to a multiple of that.
 */
export class EntryList {
  readonly #parts: PackedPart[] = [];
  #open: ListedEntry[] = [];

  get count(): number {
    return this.#parts.length * entriesAtOnce + this.#open.length;
  }

  add(entry: ListedEntry): void {
    this.#open.push(entry);
    if (this.#open.length === entriesAtOnce) this.#pack();
  }

  /** All of them; nothing can be added behind. */
  end(): readonly PackedPart[] {
    if (this.#open.length > 0) this.#pack();
    return this.#parts;
  }

  #pack(): void {
    // zlib returns a part of a larger buffer, which can't be handed over.
    this.#parts.push(new Uint8Array(deflateRawSync(serialize(this.#open), { level: 1 })));
    this.#open = [];
  }
}

/** The entries of a file, packed, with what all of them have in common. */
export interface PackedEntries {
  count: number;
  parts: readonly PackedPart[];
  /** Null: they were not converted, and have no origin. */
  format: ForeignFormat | null;
  /** Whether the suite names their servers, once for all. */
  sharesServers: boolean;
}

export function unpackPart(
  part: PackedPart,
  { format, sharesServers }: Pick<PackedEntries, 'format' | 'sharesServers'>,
  { converter, sourceHash, approximated }: ImportReport,
): { entry: Entry; origin: CaseOrigin | null }[] {
  return (deserialize(inflateRawSync(part)) as ListedEntry[]).map(
    ({ entry, sourceId, changes: [from, to] }) => {
      if (sharesServers) delete entry.servers;
      if (format === null) return { entry, origin: null };
      const changes = approximated.slice(from, to).map(({ what, why }) => `${what}: ${why}`);
      const origin = { kind: 'import' as const, format, converter, sourceHash, sourceId };
      return { entry, origin: { ...origin, approximated: changes } };
    },
  );
}

export const originsOf = (
  entries: readonly { entry: Entry; origin: CaseOrigin | null }[],
): Map<string, CaseOrigin> =>
  new Map(entries.flatMap(({ entry, origin }) => (origin === null ? [] : [[entry.id, origin]])));
