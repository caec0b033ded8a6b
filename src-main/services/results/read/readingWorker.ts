import { randomUUID } from 'node:crypto';
import { serveItems } from '../../../adapters/process/itemLoop.ts';
import { openDatabase } from '../../../store/database/openDatabase.ts';
import { openStore } from '../../../store/store.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { RunLists } from './runLists.ts';
import { executeRead, toWorkerResult, type ReadJob } from './readRequest.ts';

let lists = { file: '', of: new RunLists() };

/**
 * The database is opened for each query: a connection that stays open would prevent SQLite from
 * removing the journal when the program closes.
 */
serveItems((item) => {
  const { file, migrationsFolder, request } = item as ReadJob;
  if (file !== lists.file) lists = { file, of: new RunLists() };
  const db = openDatabase({ file, migrationsFolder, clock: systemClock, access: 'read' });
  try {
    const store = openStore(db, { clock: systemClock, nextId: randomUUID });
    return toWorkerResult(() =>
      db.transaction(() => executeRead(store, lists.of, request)).deferred(),
    );
  } finally {
    db.close();
  }
});
