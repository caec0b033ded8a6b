import type { ColumnMap, MappedField } from '../../../../src-shared/contract/suites.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { findFields, type FieldColumns } from './fieldNames.ts';
import type { Change, SuiteDraft, TextPosition } from './suiteDraft.ts';
import { isEmpty, textsOf } from './values.ts';

/** One row of a table, or one object of a list: its values by their names in the source. */
export interface SourceRecord {
  label: string;
  values: ReadonlyMap<string, JsonValue>;
  /** The place of a value, or of the whole record. */
  where(name?: string): TextPosition;
  /** What the objects around it say of all their records. */
  server?: string | null;
  tags?: readonly string[];
  /** How its parts were understood. */
  changes?: readonly Change[];
  /** In a table, an empty cell of the column of the tool means that no tool should be called. */
  isTable: boolean;
}

/** A record with other values, in the same place. */
export const withValues = (
  record: SourceRecord,
  values: ReadonlyMap<string, JsonValue>,
  changes: readonly Change[] = [],
): SourceRecord => ({
  get label() {
    return record.label;
  },
  values,
  where: (name) => record.where(name),
  isTable: record.isTable,
  tags: record.tags ?? [],
  server: record.server ?? null,
  changes: [...(record.changes ?? []), ...changes],
});

/** The fields of one record. It remembers what was read, so that everything else can be named. */
export class RecordFields {
  readonly record: SourceRecord;
  readonly #draft: SuiteDraft;
  readonly #columns: FieldColumns;
  readonly #map: ColumnMap;
  readonly #given: ColumnMap;
  readonly #none: ReadonlySet<string>;
  readonly #read = new Set<string>();

  /**
   * @param given the part of the map that a person has made; the rest was guessed by values
   * @param none the columns of a table in which an empty cell says nothing
   */
  constructor(
    draft: SuiteDraft,
    record: SourceRecord,
    map: ColumnMap,
    { given, none }: { given: ColumnMap; none: ReadonlySet<string> },
  ) {
    this.#draft = draft;
    this.record = record;
    this.#columns = findFields([...record.values.keys()], map);
    this.#map = map;
    this.#given = given;
    this.#none = none;
    for (const name of [map.ignore ?? []].flat()) this.#read.add(name);
  }

  /** Whether a person has said which name holds a field. */
  isMapped(field: MappedField): boolean {
    return this.#given[field] !== undefined;
  }

  /** Whether other cells of a column are empty lists, or objects. */
  saysNone(name: string): boolean {
    return this.#none.has(name);
  }

  /** The note of a record: the text of its field, and a line for each name that is kept. */
  takeNote(): string | undefined {
    const own = this.take('note');
    const lines = [this.#map.keep ?? []].flat().flatMap((name) => {
      const value = this.record.values.get(name);
      if (value === undefined || isEmpty(value)) return [];
      this.#read.add(name);
      return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
    });
    const text = [...(typeof own === 'string' && own.trim() !== '' ? [own] : []), ...lines];
    return text.length === 0 ? undefined : text.join('\n');
  }

  /** The name that holds a field: the first that says something, or else the first of them. */
  nameOf(field: MappedField): string | undefined {
    const names = this.#columns[field] ?? [];
    return names.find((name) => !isEmpty(this.record.values.get(name))) ?? names[0];
  }

  /** The value of a field without reading it; undefined if the record has no such name. */
  peek(field: MappedField): JsonValue | undefined {
    const name = this.nameOf(field);
    return name === undefined ? undefined : this.record.values.get(name);
  }

  take(field: MappedField): JsonValue | undefined {
    const name = this.nameOf(field);
    if (name !== undefined) this.#read.add(name);
    return this.peek(field);
  }

  /** Reads what other names of a field hold, where it says nothing more. */
  takeOthers(field: MappedField, saysSame: (value: JsonValue) => boolean): void {
    for (const name of this.#columns[field] ?? []) {
      const value = this.record.values.get(name);
      if (!this.#read.has(name) && value !== undefined && !isEmpty(value) && saysSame(value))
        this.#read.add(name);
    }
  }

  /** A value that may be written as JSON in a text. A text that begins like JSON must be valid. */
  takeStructured(field: MappedField): JsonValue | undefined {
    const value = this.take(field);
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
    const source = readSourceText(value);
    if (source.readable) return source.value;
    this.problem(
      field,
      `The cell in column ${this.nameOf(field)} isn’t valid JSON: ` +
        (source.problems[0]?.message ?? ''),
    );
    return undefined;
  }

  takeTexts(field: 'tags' | 'servers'): string[] {
    return textsOf(this.takeStructured(field));
  }

  /** The texts of all names that hold tags, and those that stand around the record. */
  takeTags(): string[] {
    const own = this.takeTexts('tags');
    const more = (this.#columns.tags ?? []).flatMap((name) => {
      const value = this.record.values.get(name);
      if (this.#read.has(name)) return [];
      this.#read.add(name);
      return textsOf(typeof value === 'number' ? String(value) : value);
    });
    const others = new Set([...more, ...(this.record.tags ?? [])]);
    return [...own, ...[...others].filter((tag) => !own.includes(tag))];
  }

  where(field: MappedField): TextPosition {
    return this.record.where(this.nameOf(field));
  }

  problem(field: MappedField, message: string): void {
    this.#draft.problem(this.where(field), message);
  }

  /** Names with a value that nothing has read. */
  unread(): string[] {
    return [...this.record.values]
      .filter(([name, value]) => !this.#read.has(name) && !isEmpty(value))
      .map(([name]) => name);
  }
}
