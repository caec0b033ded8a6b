import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { seededRandom } from '../../testing/seededRandom.ts';
import { inTestOrSoak } from '../../testing/soak.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openStore } from '../store.ts';

let folder: TemporaryFolder;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'touchstone.sqlite');
});
afterEach(() => folder.remove());

const clock = tickingClock();
const open = () =>
  openDatabase({ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' });
const journal = () => `${file}-wal`;
const pageSize = 4096;

/** Rows on leaves and overflow pages, an index, and free pages where rows were deleted. */
function fill(rows = 300): ReturnType<typeof open> {
  const db = open();
  const store = openStore(db, { clock, nextId: countingIds() });
  store.transaction(() => {
    const put = db.prepare('INSERT INTO settings VALUES (?, ?)');
    for (let row = 0; row < rows; row += 1)
      put.run(`key ${row}`, JSON.stringify('v'.repeat(row % 7 === 0 ? 9000 : 90)));
  });
  store.transaction(() =>
    db.prepare("DELETE FROM settings WHERE key LIKE 'key 2%' AND length(value) > 5000").run(),
  );
  return db;
}

function flip(path: string, bit: number): void {
  const at = Math.floor(bit / 8);
  const byte = Buffer.alloc(1);
  const handle = openSync(path, 'r+');
  readSync(handle, byte, 0, 1, at);
  writeSync(handle, Buffer.of((byte[0] ?? 0) ^ (1 << (bit % 8))), 0, 1, at);
  closeSync(handle);
}

/** The pages of each kind, by SQLite's own table of them; what is left over is free. */
function pagesByKind(): Map<string, number[]> {
  const db = new Sqlite(file, { readonly: true });
  const kinds = new Map<string, number[]>([['free', []]]);
  const pages = db
    .prepare<[], { pageno: number; pagetype: string }>('SELECT pageno, pagetype FROM dbstat')
    .all();
  for (const { pageno, pagetype } of pages)
    kinds.set(pagetype, [...(kinds.get(pagetype) ?? []), pageno]);
  const used = new Set(pages.map(({ pageno }) => pageno));
  for (let page = 1; page <= Number(db.pragma('page_count', { simple: true })); page += 1)
    if (!used.has(page)) kinds.get('free')?.push(page);
  db.close();
  return kinds;
}

function readFiles(): Map<string, Buffer> {
  return new Map(
    readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name))]),
  );
}

function refusal(): ServiceError | null {
  try {
    open().close();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

test('T51: finds a single flipped bit on any page of the database before the first write', () => {
  fill().close();
  const kinds = pagesByKind();
  expect([...kinds.keys()].sort()).toEqual(['free', 'internal', 'leaf', 'overflow']);
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  const random = seededRandom('flipped bits');
  const perKind = inTestOrSoak('flipped bits on pages of each kind', 20, 500);
  const inHeader = Array.from({ length: 100 }, (_, byte) => byte * 8 + random.integer(8));
  const onPages = [...kinds.values()].flatMap((pages) => {
    expect(pages).not.toEqual([]);
    return Array.from({ length: perKind }, () => {
      const page = pages[random.integer(pages.length)] ?? 1;
      return ((page - 1) * pageSize + random.integer(pageSize)) * 8 + random.integer(8);
    });
  });
  const sound = readFileSync(file);
  for (const bit of [...inHeader, ...onPages]) {
    flip(file, bit);
    const damaged = readFileSync(file);
    const error = refusal();
    expect(error?.code, `bit ${bit}`).toBe('TROUBLE');
    expect(error?.message, `bit ${bit}`).toMatch(/touchstone salvage|Choose another workspace/);
    expect(readFileSync(file).equals(damaged), `bit ${bit}`).toBe(true);
    writeFileSync(file, sound);
  }
  expect(refusal()).toBeNull();
});

test('T51: finds a flipped bit in what a killed session had saved, in journal and database', () => {
  // The first of its commits is more than a checkpoint waits for, so the second starts the journal
  // over.
  const db = fill(3000);
  expect(db.pragma('wal_checkpoint(NOOP)')).toMatchObject([{ checkpointed: 0 }]);
  expect(readFileSync(file).length).toBeGreaterThan(1000 * pageSize);
  const store = openStore(db, { clock, nextId: countingIds('more') });
  store.suites.insert({ name: 'last', system: null, messages: [], servers: [] });
  const kept = readFiles();
  db.close();
  const restore = () => {
    for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name));
    for (const [name, bytes] of kept) writeFileSync(join(folder.path, name), bytes);
  };
  restore();
  const committed = readFileSync(journal()).length;
  const random = seededRandom('flipped bits of a journal');
  const header = Array.from({ length: 32 }, (_, byte) => byte * 8 + random.integer(8));
  const inFrames = inTestOrSoak('flipped bits in a journal', 20, 500);
  const frames = Array.from({ length: inFrames }, () => random.integer(committed * 8));
  for (const bit of [...header, ...frames]) {
    flip(journal(), bit);
    const error = refusal();
    if (error === null) {
      // It lies behind the last commit, in what an earlier round of the journal left.
      expect(suiteNames(), `bit ${bit}`).toEqual(['last']);
      restore();
    } else {
      expect(error.message, `bit ${bit}`).toMatch(/journal .*(is|its beginning is) damaged/);
      flip(journal(), bit);
    }
  }
  restore();
  expect(refusal()).toBeNull();
});

function suiteNames(): unknown[] {
  const db = new Sqlite(file, { readonly: true });
  const names = db.prepare('SELECT name FROM suites').pluck().all();
  db.close();
  return names;
}
