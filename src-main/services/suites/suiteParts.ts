import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { isOpen } from '../../../src-shared/domain/toFillIn.ts';
import { suiteFile, type SuiteFile } from '../../../src-shared/domain/suiteFile.ts';
import { visitLongList } from '../files/sourceText.ts';
import { EntryList, type PackedEntries } from './exchange/entryList.ts';
import { listAt } from './listAt.ts';
import { checkContent, type SchemaOf } from './suiteProblems.ts';

type Entries = SuiteFile['cases'];

const suiteEntry = suiteFile.shape.cases.element;

/** A suite without its entries; null if anything is wrong with it. */
export const headOfSuite = (value: JsonValue): SuiteFile | null =>
  isJsonObject(value) ? (suiteFile.safeParse({ ...value, cases: [] }).data ?? null) : null;

/** Checks the entries of a suite some at a time, as `readSuiteFile` checks all of them. */
export class EntryChecker {
  readonly #schemaOf: SchemaOf;
  readonly #ids = new Set<string>();

  constructor(schemaOf: SchemaOf) {
    this.#schemaOf = schemaOf;
  }

  /** Null if anything is wrong with one, or a person has yet to fill it in. */
  read(values: readonly JsonValue[]): Entries | null {
    const entries: Entries = [];
    for (const value of values) {
      const { data } = suiteEntry.safeParse(value);
      if (data === undefined || this.#ids.has(data.id)) return null;
      if ('query' in data && isOpen(data.query)) return null;
      this.#ids.add(data.id);
      entries.push(data);
    }
    return checkContent({ cases: [...values] }, this.#schemaOf).length > 0 ? null : entries;
  }
}

/**
 * Reads a long suite file some entries at a time, so that there are never the values of all of it. Null
 * for a short one, or if anything is wrong with it: only the whole text says what, and where.
 */
export function readSuiteParts(
  text: string,
  schemaOf: SchemaOf,
): { head: SuiteFile; packed: PackedEntries } | null {
  const list = new EntryList();
  const checker = new EntryChecker(schemaOf);
  const found: { head: SuiteFile | null } = { head: null };
  const isRead = visitLongList(text, ({ document }, path) => {
    found.head ??= path.join('.') === 'cases' ? headOfSuite(document) : null;
    const entries = found.head === null ? null : checker.read(listAt(document, 'cases'));
    for (const entry of entries ?? []) list.add({ entry, sourceId: null, changes: [0, 0] });
    return entries !== null;
  });
  return isRead && found.head !== null ? { head: found.head, packed: packOwn(list) } : null;
}

export function packSuite({ cases }: Pick<SuiteFile, 'cases'>): PackedEntries {
  const list = new EntryList();
  for (const entry of cases) list.add({ entry, sourceId: null, changes: [0, 0] });
  return packOwn(list);
}

const packOwn = (list: EntryList): PackedEntries => ({
  ...{ count: list.count, parts: list.end() },
  // They were not converted, and name their servers themselves.
  ...{ format: null, sharesServers: false },
});
