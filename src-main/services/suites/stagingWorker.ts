import { randomUUID } from 'node:crypto';
import { serveItems } from '../../adapters/process/itemLoop.ts';
import type { WritableDatabase } from '../../store/database/database.ts';
import { joinDatabase } from '../../store/database/openDatabase.ts';
import { openStore, type Store } from '../../store/store.ts';
import type { StagedCaseRow, StagedCases } from '../../store/suites/stagedCases.ts';
import { toWorkerResult } from '../results/read/readRequest.ts';
import { takeOver, type TakeOver } from './takeOver.ts';

/** Rows for a batch, its end, or nothing more of it. Texts hold no secrets. */
export type StagingJob = { file: string; batch: string } & (
  { rows: readonly StagedCaseRow[] } | { change: TakeOver; at: string } | { drop: true }
);

let open: { db: WritableDatabase; store: Store; file: string } | null = null;
const batches = new Map<string, StagedCases>();
let now = '';

/** The connection is open only while there are batches, so that the program can close the journal. */
function storeOf(file: string): Store {
  if (open?.file !== file) {
    const db = joinDatabase(file);
    open = { db, store: openStore(db, { clock: { now: () => now }, nextId: randomUUID }), file };
  }
  return open.store;
}

function end(batch: string): void {
  batches.delete(batch);
  if (batches.size > 0 || open === null) return;
  open.db.close();
  open = null;
}

serveItems((item) => {
  const job = item as StagingJob;
  const { file, batch } = job;
  if ('drop' in job) {
    batches.get(batch)?.[Symbol.dispose]();
    end(batch);
    return null;
  }
  if ('rows' in job) {
    const staged = batches.get(batch) ?? storeOf(file).stagedCases.open(batch);
    batches.set(batch, staged);
    staged.add(job.rows);
    return null;
  }
  const staged = batches.get(batch);
  if (staged === undefined || open === null) throw new Error('What was staged is gone.');
  now = job.at;
  const { db, store } = open;
  const result = toWorkerResult(() => takeOver(store, staged, job.change));
  return { result, summed: db.session.summed };
});
