import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../runtime/programFiles.ts';
import type { WritableDatabase } from '../store/database/database.ts';
import { openDatabase } from '../store/database/openDatabase.ts';
import { TokenCounter } from '../services/tokenCounts/tokenCounter.ts';
import { TokenCounts } from '../services/tokenCounts/tokenCounts.ts';
import { openStore, type Store } from '../store/store.ts';
import { temporaryFolderPrefix } from './temporaryFolder.ts';

export const realMigrationsFolder = programFiles.migrations;

/** A clock that starts at a fixed moment and advances by one millisecond per reading. */
export function tickingClock(start = Date.parse('2026-01-01T00:00:00.000Z')) {
  let ticks = 0;
  return {
    now: () => new Date(start + (ticks += 1)).toISOString(),
    monotonic: () => (ticks += 1),
  };
}

export function countingIds(prefix = 'id'): () => string {
  let last = 0;
  return () => `${prefix}-${String((last += 1)).padStart(6, '0')}`;
}

export interface TestDatabase extends Disposable {
  folder: string;
  file: string;
  db: WritableDatabase;
  store: Store;
  tokens: TokenCounts;
  clock: ReturnType<typeof tickingClock>;
  nextId: () => string;
  /** Closes and reopens it, like a restart of the program. */
  reopen(): void;
  /** Closes it and removes its folder. */
  close(): void;
}

const databaseName = 'touchstone.sqlite';
const temporaryDatabaseFolder = () => mkdtempSync(join(tmpdir(), temporaryFolderPrefix));

interface EmptyDatabase {
  files: ReadonlyMap<string, Buffer>;
  /** How often the migrations looked at the clock. */
  ticks: number;
}
let emptyDatabase: EmptyDatabase | undefined;

/**
 * The files of a new database, created once for each test file: a database copied from them takes
 * a fifth of the time of one that runs each migration.
 */
function createEmptyDatabase(): EmptyDatabase {
  const folder = temporaryDatabaseFolder();
  let ticks = 0;
  const clock = tickingClock();
  openDatabase({
    file: join(folder, databaseName),
    migrationsFolder: realMigrationsFolder,
    clock: { now: () => ((ticks += 1), clock.now()) },
    access: 'write',
  }).close();
  const files = new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]),
  );
  rmSync(folder, { recursive: true, force: true });
  return { files, ticks };
}

/**
 * A real file with the schema of the real migrations, and a clock and ids that are the same in
 * every run.
 */
export function createTestDatabase(): TestDatabase {
  emptyDatabase ??= createEmptyDatabase();
  const folder = temporaryDatabaseFolder();
  for (const [name, content] of emptyDatabase.files) writeFileSync(join(folder, name), content);
  const file = join(folder, databaseName);
  const clock = tickingClock();
  for (let tick = 0; tick < emptyDatabase.ticks; tick += 1) clock.now();
  const nextId = countingIds();
  const open = () => {
    const db = openDatabase({
      file,
      migrationsFolder: realMigrationsFolder,
      clock,
      access: 'write',
    });
    const store = openStore(db, { clock, nextId });
    return { db, store, tokens: new TokenCounts(store, new TokenCounter()) };
  };
  let current = open();
  const close = () => {
    current.db.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    folder,
    file,
    clock,
    nextId,
    get db() {
      return current.db;
    },
    get tokens() {
      return current.tokens;
    },
    get store() {
      return current.store;
    },
    reopen() {
      current.db.close();
      current = open();
    },
    close,
    [Symbol.dispose]: close,
  };
}
