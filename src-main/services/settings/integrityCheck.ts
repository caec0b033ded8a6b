import { errorText } from '../../../src-shared/domain/errorText.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { ReadableDatabase, WriteSession } from '../../store/database/database.ts';
import { damageWhileOpen } from '../../store/durability/damaged.ts';
import type { Store } from '../../store/store.ts';
import type { IntegrityJob } from './integrityWorker.ts';
import { besideModule } from '../../runtime/besideModule.ts';

export interface IntegrityCheckParts {
  db: ReadableDatabase;
  session: WriteSession;
  store: Pick<Store, 'settings'>;
  migrationsFolder: string;
  clock: Pick<Clock, 'now'>;
  log?: Log | undefined;
}

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** Far more than the largest table needs; only ends a check that would never end. */
const maxTableMs = 30 * 60 * 1000;

const workerEntry = besideModule(import.meta.url, 'integrityWorker');

/**
 * Compares every table with its indexes, in a worker, after a session that was not closed and at
 * the first start after a week. Opening has checked the pages of the file already; this finds what
 * they can't show. Where something is wrong, nothing is written any more. A check that is cut short
 * is due again. Returns a function that stops it.
 */
export function startIntegrityCheck(parts: IntegrityCheckParts): {
  done: Promise<void>;
  stop: () => Promise<void>;
} {
  if (!isDue(parts)) return { done: Promise.resolve(), stop: () => Promise.resolve() };
  const pool = new WorkerPool<IntegrityJob, string | null>({
    entry: workerEntry,
    cpuLimitMs: maxTableMs,
  });
  let stopped = false;
  const stop = () => {
    stopped = true;
    return pool.close();
  };
  const run = async () => {
    try {
      await check(parts, pool);
    } catch (error) {
      if (!stopped) parts.log?.error(`The database was not checked: ${errorText(error)}`);
    } finally {
      await stop();
    }
  };
  const done = run();
  return { done, stop };
}

function isDue({ session, store, clock }: IntegrityCheckParts): boolean {
  if (session.afterCrash) store.settings.remember('integrityCheck', '');
  const last = store.settings.recall('integrityCheck');
  // A database without this entry is new, or was checked as a whole when it got its checksums.
  if (last === null) store.settings.remember('integrityCheck', clock.now());
  return last === '' || (last !== null && Date.parse(clock.now()) - Date.parse(last) > weekMs);
}

async function check(
  { db, session, store, migrationsFolder, clock, log }: IntegrityCheckParts,
  pool: WorkerPool<IntegrityJob, string | null>,
): Promise<void> {
  const file = db.name;
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  const outcomes = await pool.run(tables.map((table) => ({ file, migrationsFolder, table })));
  const unchecked = outcomes.find((each) => each.outcome !== 'done');
  if (unchecked !== undefined) throw new Error(unchecked.reason);
  const found = outcomes.flatMap((each) =>
    each.outcome === 'done' && each.value !== null ? [each.value] : [],
  );
  const [first] = found;
  if (first === undefined) {
    store.settings.remember('integrityCheck', clock.now());
    return;
  }
  const damage = damageWhileOpen(file, first);
  session.refuseWrites(damage);
  log?.error(damage.message);
}
