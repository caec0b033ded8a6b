import { randomUUID } from 'node:crypto';
import { serveItems } from '../../adapters/process/itemLoop.ts';
import { openDatabase } from '../../store/openDatabase.ts';
import { openStore } from '../../store/store.ts';
import { systemClock } from '../clock.ts';
import { answerReading, type ReadingItem } from './readRequest.ts';

/** Opened for each reading: a connection that stays open would keep the journal from being written back at the end. */
serveItems((item) => {
  const { file, migrationsFolder, request } = item as ReadingItem;
  const db = openDatabase({ file, migrationsFolder, clock: systemClock, access: 'read' });
  try {
    const store = openStore(db, { clock: systemClock, nextId: randomUUID });
    return db.transaction(() => answerReading(store, request)).deferred();
  } finally {
    db.close();
  }
});
