import type { z } from 'zod';
import Sqlite from 'better-sqlite3';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { ServiceError, type ErrorData } from '../../../src-shared/contract/errors.ts';

/**
 * What to say when a constraint is violated, by the columns that SQLite names, or 'foreign key'.
 */
type Conflicts = Record<string, () => ErrorData>;

/**
 * Turns a violated constraint into CONFLICT that names what is taken. A constraint without an entry
 * becomes INVALID with SQLite's own words.
 */
export function namingConflicts<T>(what: string, conflicts: Conflicts, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT'))
      throw error;
    const known = conflicts[constraintOf(error)];
    if (known !== undefined) throw new ServiceError('CONFLICT', known(), { cause: error });
    throw new ServiceError(
      'INVALID',
      {
        thing: what,
        cause: `It breaks a rule of the database (${error.message}).`,
        nextStep: 'Fix the value and try again.',
      },
      { cause: error },
    );
  }
}

function constraintOf(error: { code: string; message: string }): string {
  if (error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'foreign key';
  return /^UNIQUE constraint failed: (.+)$/.exec(error.message)?.[1] ?? error.message;
}

export const notFound = (
  what: string,
  id: string,
  nextStep = 'Choose one from the list.',
): ServiceError =>
  new ServiceError('NOT_FOUND', { thing: `${what} ${id}`, cause: "It doesn't exist.", nextStep });

/**
 * Reads one row into its domain type. The row was checked when it was written, but another version,
 * another program or a failing disk may have changed it since. Then the error names the row, and
 * other rows stay readable.
 */
export function readRow<T>(schema: z.ZodType<T>, thing: string, build: () => unknown): T {
  let cause: string;
  try {
    const parsed = schema.safeParse(build());
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    cause =
      issue === undefined
        ? 'unknown shape'
        : `${issue.path.join('.') || 'value'}: ${issue.message}`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    cause = error.message;
  }
  throw new ServiceError('TROUBLE', {
    thing,
    cause: `Its stored row can't be read (${cause}).`,
    nextStep: 'Restore a backup of the workspace, or open it read-only and export the rest.',
  });
}

/** Parses a JSON column. `readRow` checks its shape. */
export function json(text: string | null): unknown {
  return text === null ? null : parseJson(text);
}

/** Returns the row that was just written in the same transaction. */
export function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('A row that was just written is missing.');
  return row;
}

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

interface Table<C extends Columns> {
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
