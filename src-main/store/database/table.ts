import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
/**
 * One description of a table's columns, from which come the lists of SQL, the type of a row, and
 * the mapping between rows and values. SQL itself is written by hand where it is used.
 *
 * Fields are named as in the domain. Columns have the same name in snake case unless they say
 * otherwise.
 */

type BaseKind = 'text' | 'integer' | 'real' | 'json' | 'flag';
/** `json` is kept as text, `flag` as 0 or 1, everything else as it is. `?` = may be null. */
type Kind = BaseKind | `${BaseKind}?`;
type Column = Kind | { column: string; kind: Kind };
type Columns = Readonly<Record<string, Column>>;

type KindOf<C extends Column> = C extends { kind: infer K } ? K : C;
type Nullable<K, Type> = K extends `${string}?` ? Type | null : Type;
type Stored<K> = Nullable<K, K extends `${'text' | 'json'}${string}` ? string : number>;
type Value<K> = K extends `json${string}`
  ? unknown
  : Nullable<K, K extends `flag${string}` ? boolean : Stored<BaseOf<K>>>;
type BaseOf<K> = K extends `${infer Base}?` ? Base : K;

/** A row as SQLite gives it, under the names of its fields. */
export type Row<T> =
  T extends Table<infer C> ? { [Field in keyof C]: Stored<KindOf<C[Field]>> } : never;

type Values<C extends Columns> = { [Field in keyof C]: Value<KindOf<C[Field]>> };

export interface Table<C extends Columns> {
  /** The columns as SQL names them. */
  names: readonly string[];
  /** For SELECT: every column under the name of its field. */
  columns: string;
  columnsOf(alias: string): string;
  /** `INSERT INTO …` with a parameter `:field` for each of the fields; left out: all of them. */
  insert(...fields: (keyof C & string)[]): string;
  /** For UPDATE: `column = :field` for every field but these. */
  assignmentsExcept(...fields: (keyof C & string)[]): string;
  toRow(value: Values<C>): { [Field in keyof C]: Stored<KindOf<C[Field]>> };
  /** Throws SyntaxError where text that should be JSON is not; `readRow` names the row then. */
  fromRow(row: { [Field in keyof C]: Stored<KindOf<C[Field]>> }): Record<keyof C, unknown>;
}

type SqlValue = string | number | null;

export function defineTable<const C extends Columns>(table: string, columns: C): Table<C> {
  const all = Object.entries<Column>(columns).map(([field, given]) => {
    const kind = typeof given === 'string' ? given : given.kind;
    const column = typeof given === 'string' ? snakeCase(field) : given.column;
    return { field, column, base: kind.replace('?', '') };
  });
  const select = (prefix: string) =>
    all
      .map(({ field, column }) => prefix + (field === column ? column : `${column} AS ${field}`))
      .join(', ');

  return {
    names: all.map(({ column }) => column),
    columns: select(''),
    columnsOf: (alias) => select(`${alias}.`),
    insert(...fields) {
      const chosen = all.filter(({ field }) => fields.length === 0 || fields.includes(field));
      return `INSERT INTO ${table} (${chosen.map(({ column }) => column).join(', ')})
        VALUES (${chosen.map(({ field }) => `:${field}`).join(', ')})`;
    },
    assignmentsExcept: (...fields) =>
      all
        .filter(({ field }) => !fields.includes(field))
        .map(({ field, column }) => `${column} = :${field}`)
        .join(', '),
    toRow(value) {
      const row: Record<string, SqlValue> = {};
      for (const { field, base } of all) row[field] = write(value[field], base);
      return row as ReturnType<Table<C>['toRow']>;
    },
    fromRow(row) {
      const value: Record<string, unknown> = {};
      for (const { field, base } of all) value[field] = read(row[field] ?? null, base);
      return value as Record<keyof C, unknown>;
    },
  };
}

/** Words of the program's own as a list for `IN`. */
export const textList = (words: readonly string[]): string =>
  words.map((word) => `'${word}'`).join(', ');

function write(value: unknown, base: string): SqlValue {
  if (value === null) return null;
  if (base === 'json') return JSON.stringify(value);
  if (base === 'flag') return value === true ? 1 : 0;
  return value as SqlValue;
}

function read(stored: SqlValue, base: string): unknown {
  if (base === 'json' && typeof stored === 'string') return parseJson(stored);
  if (base === 'flag' && stored !== null) return stored === 1;
  return stored;
}

const snakeCase = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
