/*
 * A real second process for tests of the store: databaseChild.ts <command> <file or folder>
 * [migrations folder [later migrations folder]]. It tells what it has done in lines of JSON, each
 * only once the thing is true.
 */
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ServiceError } from '../../src-shared/contract/errors.ts';
import type { NewTestCase } from '../store/suites/testCases.ts';
import { openDatabase } from '../store/database/openDatabase.ts';
import { openStore, type Store } from '../store/store.ts';
import { acquireWorkspaceLock } from '../store/durability/workspaceLock.ts';

const [command = '', target = '', migrationsFolder = '', laterMigrations = ''] =
  process.argv.slice(2);
const clock = { now: () => new Date().toISOString() };
let ids = 0;
const nextId = () => `${process.pid}-${(ids += 1)}`;
const tell = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
const open = () =>
  openDatabase({ file: target, migrationsFolder, clock, access: 'write', busyTimeoutMs: 200 });

const bigCase = (key: string): NewTestCase => ({
  key,
  name: key,
  query: key.padEnd(20_000, '.'),
  tags: [],
  servers: [],
  stubResults: [],
  expectedCalls: [],
  orderDependent: false,
  allowedCalls: [],
});

/** Commits three cases at a time and prints the keys of each commit, until something stops it. */
function writeCases(store: Store): void {
  const suite =
    store.suites.getByName('written') ??
    store.suites.insert({ name: 'written', system: null, messages: [], servers: [] });
  for (;;) {
    const keys = [nextId(), nextId(), nextId()];
    store.testCases.insertMany(suite.id, keys.map(bigCase));
    tell({ committed: keys });
  }
}

function reportTrouble(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    tell({ code: error.code, ...error.data });
  }
}

async function run(): Promise<void> {
  const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const waitForLine = () => input.next();
  switch (command) {
    case 'write': {
      writeCases(openStore(open(), { clock, nextId }));
      break;
    }
    case 'migrate': {
      // The clock is read once within each migration, before its commit.
      const telling = { now: () => (tell('step'), clock.now()) };
      openDatabase({ file: target, migrationsFolder, clock: telling, access: 'write' }).close();
      tell('done');
      break;
    }
    case 'fill-and-go-on': {
      const db = open();
      const store = openStore(db, { clock, nextId });
      reportTrouble(() => writeCases(store));
      tell({
        rows: db.prepare('SELECT count(*) FROM test_cases').pluck().get(),
        check: db.pragma('quick_check', { simple: true }),
      });
      db.close();
      break;
    }
    case 'full-disk': {
      await fillDisk();
      break;
    }
    case 'lock': {
      tell('ready');
      await waitForLine();
      reportTrouble(() =>
        tell({ won: acquireWorkspaceLock({ folder: target, host: 'cli', clock }).holder.pid }),
      );
      await waitForLine();
      break;
    }
    case 'hold-write-lock': {
      const lock = acquireWorkspaceLock({ folder: dirname(target), host: 'loopback', clock });
      const db = open();
      db.exec('BEGIN IMMEDIATE');
      tell('holding');
      await waitForLine();
      db.exec('ROLLBACK');
      db.close();
      lock.release();
      tell('released');
      break;
    }
    default:
      throw new Error(`No such command: ${command}`);
  }
  process.exit();
}

/**
 * Runs on a small disk of its own: full while writing, then full while migrating. Both times it
 * continues once there is space.
 */
async function fillDisk(): Promise<void> {
  const ballast = join(dirname(target), 'ballast');
  const db = open();
  const store = openStore(db, { clock, nextId });
  const { id } = store.suites.insert({ name: 'kept', system: null, messages: [], servers: [] });
  store.testCases.insertMany(
    id,
    Array.from({ length: 8 }, (_, index) => bigCase(`kept-${index}`)),
  );
  fillUp(ballast);
  reportTrouble(() => writeCases(store));
  rmSync(ballast);
  store.suites.insert({ name: 'after', system: null, messages: [], servers: [] });
  tell({
    suites: store.suites
      .list()
      .map(({ name }) => name)
      .sort(),
    check: db.pragma('quick_check', { simple: true }),
  });
  db.close();

  const bytes = readFileSync(target);
  fillUp(ballast);
  const openLater = () =>
    openDatabase({ file: target, migrationsFolder: laterMigrations, clock, access: 'write' });
  reportTrouble(() => openLater().close());
  tell({ unchanged: readFileSync(target).equals(bytes) });
  rmSync(ballast);
  const migrated = openLater();
  tell({
    version: migrated.pragma('user_version', { simple: true }),
    kept: migrated.prepare("SELECT count(*) FROM test_cases WHERE key LIKE 'kept-%'").pluck().get(),
  });
  migrated.close();
}

/** Leaves little free space, like a disk that fills up. */
function fillUp(file: string): void {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(16 * 1024, 1);
  for (;;) {
    chunks.push(chunk);
    try {
      writeFileSync(file, Buffer.concat(chunks));
    } catch {
      writeFileSync(file, Buffer.concat(chunks.slice(0, -3)));
      return;
    }
  }
}

await run();
