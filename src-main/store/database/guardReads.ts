import type Sqlite from 'better-sqlite3';
import type { ReadableDatabase } from './database.ts';
import { asDiskTrouble } from '../durability/diskTrouble.ts';

type Run = (this: unknown, ...values: unknown[]) => unknown;

/**
 * From now on, every prepared statement reports trouble with the file (a damaged page, a failing
 * disk) as a typed error. Transactions do so by themselves; this is for reads outside of one.
 */
export function guardReads(db: ReadableDatabase): void {
  const prepare = db.prepare.bind(db) as (sql: string) => Sqlite.Statement;
  const told = (error: unknown) => asDiskTrouble(error, db.name) ?? error;
  const guarded = (sql: string): Sqlite.Statement => {
    const statement = prepare(sql);
    const methods = statement as unknown as Record<string, Run>;
    for (const name of ['get', 'all', 'run'] as const) {
      const original = methods[name];
      if (original === undefined) continue;
      methods[name] = function (this: unknown, ...values) {
        try {
          return original.apply(this, values);
        } catch (error) {
          throw told(error);
        }
      };
    }
    const iterate = statement.iterate.bind(statement) as (
      ...values: unknown[]
    ) => Iterable<unknown>;
    methods['iterate'] = function* (...values) {
      try {
        yield* iterate(...values);
      } catch (error) {
        throw told(error);
      }
    };
    return statement;
  };
  Object.assign(db, { prepare: guarded });
}
