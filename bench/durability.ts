import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { systemClock } from '../src-main/runtime/clock.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { openStore } from '../src-main/store/store.ts';
import { ratioRow, type Row } from './report.ts';

const sizesMb = [10, 1000];
const rowBytes = 512 * 1024;
const rowsPerCommit = 50;
/** Seconds that opening a gigabyte may take. */
const openingBound = 1;

/**
 * Opening reads the whole database twice, against its checksums and by `quick_check`, as commands
 * do; a window reads it behind its first screen. Closing writes the checksums of what changed. Both
 * against reading the file once.
 */
export function benchDurability(): Row[] {
  return sizesMb.flatMap((megabytes) => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
    const file = join(folder, 'touchstone.sqlite');
    try {
      fillWorkspace(file, megabytes);
      return measure(file, megabytes);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function open(file: string) {
  const { migrations: migrationsFolder } = programFiles;
  const db = openDatabase({ file, migrationsFolder, clock: systemClock, access: 'write' });
  return { db, store: openStore(db, { clock: systemClock, nextId: randomUUID }) };
}

/** Adds so much to a workspace, as values that nothing shows. */
export function fillWorkspace(file: string, megabytes: number): void {
  const { db, store } = open(file);
  // In a table of its own: settings are read whole at each start, and stay few.
  db.exec('CREATE TABLE filling (key TEXT PRIMARY KEY, value TEXT)');
  const put = db.prepare('INSERT INTO filling (key, value) VALUES (?, ?)');
  for (let written = 0; written < megabytes * 1e6; written += rowBytes * rowsPerCommit)
    store.transaction(() => {
      for (let row = 0; row < rowsPerCommit && written + row * rowBytes < megabytes * 1e6; row += 1)
        put.run(randomUUID(), JSON.stringify(randomBytes(rowBytes / 2).toString('hex')));
    });
  db.close();
}

function measure(file: string, megabytes: number): Row[] {
  const name = `${megabytes} MB`;
  const [bytes, reading] = timed(() => readInto(file));
  if (bytes < megabytes * 1e6) throw new Error(`The workspace has only ${bytes} bytes.`);
  const [{ db, store }, opening] = timed(() => open(file));
  store.settings.mark('changed');
  const [, closing] = timed(() => db.close());
  return [
    ratioRow(`opening a workspace of ${name}`, opening, 's', 'reading it', reading, null),
    ratioRow('the same', opening, 's', 'bound', openingBound, 1),
    ratioRow(`closing a workspace of ${name}`, closing, 's', 'reading it', reading, null),
  ];
}

/** Node reads files of up to 2 GB at once. */
const readInto = (file: string) => Math.min(readFileSync(file).length, statSync(file).size);

function timed<T>(work: () => T): [T, number] {
  const startedAt = performance.now();
  const value = work();
  return [value, (performance.now() - startedAt) / 1000];
}
