import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../runtime/programFiles.ts';
import { copyEmptyDatabase } from './emptyDatabase.ts';
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
/**
 * A real file with the schema of the real migrations, and a clock and ids that are the same in
 * every run.
 */
export function createTestDatabase(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), temporaryFolderPrefix));
  const file = join(folder, databaseName);
  const clock = tickingClock();
  const ticks = copyEmptyDatabase(file);
  for (let tick = 0; tick < ticks; tick += 1) clock.now();
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
