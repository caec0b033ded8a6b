import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { programFiles } from '../runtime/programFiles.ts';
import { newDatabases, openDatabase } from '../store/database/openDatabase.ts';
import { temporaryFolderPrefix } from './temporaryFolder.ts';

interface EmptyDatabase {
  /** What each file's name adds to that of the database. */
  files: ReadonlyMap<string, Buffer>;
  /** How often the migrations looked at the clock. */
  ticks: number;
}
let emptyDatabase: EmptyDatabase | undefined;

/**
 * The files of a new database, created once for each test process: a database copied from them
 * takes a fifth of the time of one that runs each migration.
 */
function createEmptyDatabase(): EmptyDatabase {
  const folder = mkdtempSync(join(tmpdir(), temporaryFolderPrefix));
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  let ticks = 0;
  const { copyTo } = newDatabases;
  newDatabases.copyTo = null;
  try {
    openDatabase({
      file: join(folder, 'empty'),
      migrationsFolder: programFiles.migrations,
      clock: { now: () => new Date(start + (ticks += 1)).toISOString() },
      access: 'write',
    }).close();
    const files = new Map(
      readdirSync(folder).map((name) => [
        name.slice('empty'.length),
        readFileSync(join(folder, name)),
      ]),
    );
    return { files, ticks };
  } finally {
    newDatabases.copyTo = copyTo;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns how often the migrations of the database looked at the clock. */
export function copyEmptyDatabase(file: string): number {
  const { files, ticks } = (emptyDatabase ??= createEmptyDatabase());
  for (const [ending, content] of files)
    writeFileSync(`${file}${ending}`, content, { mode: 0o600 });
  return ticks;
}

/** Copies the empty database where a new one is opened: in a folder that holds nothing of one. */
export function copyToNewDatabases(): void {
  newDatabases.copyTo = ({ file, migrationsFolder }) => {
    if (migrationsFolder !== programFiles.migrations) return;
    try {
      const begins = basename(file);
      if (readdirSync(dirname(file)).some((name) => name.startsWith(begins))) return;
      copyEmptyDatabase(file);
    } catch {
      // Opening it says what is wrong with the folder.
    }
  };
}
