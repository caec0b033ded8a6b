import type Sqlite from 'better-sqlite3';
import type { ReadableDatabase } from './database.ts';
import { asDiskTrouble } from '../durability/diskTrouble.ts';

type Redact = (text: string) => string;

/**
 * What a person typed to start a server, and what a deletion removed, is kept as it is: changed, the
 * server would no longer start. Secrets in it were replaced by references before.
 */
const keptAsTyped: Readonly<Record<string, readonly string[] | 'all'>> = {
  mcp_servers: ['name', 'url', 'config', 'origin'],
  trash: 'all',
};

/** Statements are compiled when they are first used: a command needs few of all that a store has. */
export const statements = { compileAtOnce: false };

/**
 * From now on, every prepared statement reports trouble with the file (a damaged page, a failing
 * disk) as a typed error, and takes secrets out of every text that it writes. Transactions report
 * trouble by themselves; this is for reads outside of one.
 */
export function guardStatements(db: ReadableDatabase, redact: Redact): void {
  const prepare = db.prepare.bind(db) as (sql: string) => Sqlite.Statement;
  const told = (error: unknown) => asDiskTrouble(error, db.name) ?? error;
  const guarded = (sql: string): Sqlite.Statement => {
    let compiled: Sqlite.Statement | null = null;
    let clean: ((bound: unknown) => unknown) | null = null;
    const modes: ['pluck' | 'raw', boolean][] = [];
    const statement = (): Sqlite.Statement => {
      if (compiled !== null) return compiled;
      const made = prepare(sql);
      for (const [mode, on] of modes) made[mode](on);
      clean = made.readonly ? null : cleanerOf(sql, redact);
      return (compiled = made);
    };
    if (statements.compileAtOnce) statement();
    const call =
      (name: 'get' | 'all' | 'run') =>
      (...values: unknown[]): unknown => {
        try {
          const made = statement();
          return made[name](...(clean === null ? values : values.map(clean)));
        } catch (error) {
          throw told(error);
        }
      };
    const switching =
      (mode: 'pluck' | 'raw') =>
      (on = true) => {
        modes.push([mode, on]);
        compiled?.[mode](on);
        return late;
      };
    const late = {
      get: call('get'),
      all: call('all'),
      run: call('run'),
      *iterate(...values: unknown[]) {
        try {
          yield* statement().iterate(...values);
        } catch (error) {
          throw told(error);
        }
      },
      pluck: switching('pluck'),
      raw: switching('raw'),
    } as unknown as Sqlite.Statement;
    return late;
  };
  Object.assign(db, { prepare: guarded });
}

/** Cleans what is bound to a writing statement: a value, or an object or array of values. */
function cleanerOf(sql: string, redact: Redact): ((bound: unknown) => unknown) | null {
  const [, table = ''] = /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|UPDATE)\s+(\w+)/i.exec(sql) ?? [];
  const kept = keptAsTyped[table] ?? [];
  if (kept === 'all') return null;
  const cleanText = (value: unknown): unknown =>
    typeof value === 'string' ? redact(value) : value;
  return (bound) => {
    if (typeof bound !== 'object' || bound === null || ArrayBuffer.isView(bound))
      return cleanText(bound);
    if (Array.isArray(bound)) return bound.map((value: unknown) => cleanText(value));
    const entries: [string, unknown][] = Object.entries(bound);
    const changed = entries.flatMap(([name, value]): [string, unknown][] => {
      const clean = kept.includes(name) ? value : cleanText(value);
      return clean === value ? [] : [[name, clean]];
    });
    return changed.length === 0 ? bound : { ...bound, ...Object.fromEntries(changed) };
  };
}
