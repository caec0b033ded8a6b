import { errorText } from '../../../src-shared/domain/errorText.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { WorkerPool } from '../../adapters/process/workerPool.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { ReadableDatabase, WriteSession } from '../../store/database/database.ts';
import { afterForeignChange, damageWhileOpen } from '../../store/durability/damaged.ts';
import { openRaw } from '../../store/durability/rawFile.ts';
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

type Pool = WorkerPool<IntegrityJob, string | null>;

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** Far more than the largest table needs; only ends a check that would never end. */
const maxTableMs = 30 * 60 * 1000;

const workerEntry = besideModule(import.meta.url, 'integrityWorker');

/**
 * Checks, in a worker, the pages of a large file that was opened before they were read; and compares
 * every table with its indexes after a session that was not closed and at the first start after a
 * week: that finds what pages can't show. Where something is wrong, nothing is written any more. A
 * check that is cut short is due again. Returns a function that stops it.
 */
export function startIntegrityCheck(parts: IntegrityCheckParts): {
  done: Promise<void>;
  stop: () => Promise<void>;
} {
  const { session } = parts;
  const isTablesDue = isDue(parts);
  if (!isTablesDue && session.isChecked)
    return { done: Promise.resolve(), stop: () => Promise.resolve() };
  const pool: Pool = new WorkerPool({
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
      if (!session.isChecked) await checkFile(parts, pool);
      if (isTablesDue && session.damage === null) await checkTables(parts, pool);
    } catch (error) {
      if (stopped) return;
      parts.log?.error(`The database was not checked: ${errorText(error)}`);
      // Without a verdict, the journal would grow for as long as the program runs.
      orElse(() => session.checkNow(), undefined);
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

/** What opening does with a smaller file: reads each page, and has SQLite follow them. */
async function checkFile(parts: IntegrityCheckParts, pool: Pool): Promise<void> {
  const { db, session, migrationsFolder } = parts;
  const job = { file: db.name, migrationsFolder };
  const changed = await firstFault(pool, [{ ...job, pages: openRaw(db.name) }]);
  const fault = changed ?? (await firstFault(pool, [{ ...job, structure: true }]));
  if (fault === null) session.passCheck();
  else refuse(parts, fault, changed === null ? [] : [afterForeignChange(db.name)]);
}

async function checkTables(parts: IntegrityCheckParts, pool: Pool): Promise<void> {
  const { db, store, migrationsFolder, clock } = parts;
  const file = db.name;
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  const jobs = tables.map((table) => ({ file, migrationsFolder, table }));
  const fault = await firstFault(pool, jobs);
  if (fault === null) store.settings.remember('integrityCheck', clock.now());
  else refuse(parts, fault, []);
}

/** The first that was found; throws where something could not be checked. */
async function firstFault(pool: Pool, jobs: readonly IntegrityJob[]): Promise<string | null> {
  const outcomes = await pool.run(jobs);
  const unchecked = outcomes.find((each) => each.outcome !== 'done');
  if (unchecked !== undefined) throw new Error(unchecked.reason);
  const found = outcomes.flatMap((each) =>
    each.outcome === 'done' && each.value !== null ? [each.value] : [],
  );
  return found[0] ?? null;
}

function refuse({ db, session, log }: IntegrityCheckParts, fault: string, also: string[]): void {
  const damage = damageWhileOpen(db.name, fault, also);
  session.refuseWrites(damage);
  log?.error(damage.message);
}
