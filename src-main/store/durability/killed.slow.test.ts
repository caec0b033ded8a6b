import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { startLineChild } from '../../testing/lineChild.ts';
import { isNightly } from '../../testing/nightly.ts';
import { seededRandom } from '../../testing/seededRandom.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { readMigrations } from '../database/migrationFiles.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { testProgram } from '../../testing/testPrograms.ts';

const program = testProgram('src-main/testing/databaseChild.ts');
const rounds = isNightly ? 30 : 6;
const newest = readMigrations(realMigrationsFolder).at(-1)?.id ?? 0;
const later = 12;

test.concurrent(
  'T49: keeps every acknowledged row when the process is killed while writing',
  async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'touchstone.sqlite');
    const random = seededRandom('T49 inserts');
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await using child = startLineChild(program, ['write', file, realMigrationsFolder]);
      const until = 1 + random.integer(60);
      for (let commit = 0; commit < until; commit += 1)
        acknowledged.push(...keysOf(await child.nextLine()));
      child.kill();
      // Acknowledgements between the kill and its end count too.
      for (let line = await child.nextLine(); line !== null; line = await child.nextLine())
        if (line.endsWith('}')) acknowledged.push(...keysOf(line));
      await child.ended;
      expectWhole(file, acknowledged);
    }
    const db = openDatabase({
      file,
      migrationsFolder: realMigrationsFolder,
      clock: tickingClock(),
      access: 'write',
    });
    expect(db.prepare('SELECT count(*) FROM test_cases').pluck().get()).toBeGreaterThanOrEqual(
      acknowledged.length,
    );
    db.close();
    expect(readdirSync(folder.path).sort()).toEqual([
      'touchstone.sqlite',
      'touchstone.sqlite.checksums',
      'touchstone.sqlite.has-data',
    ]);
  },
);

test.concurrent(
  'T49: keeps whole migrations only when the process is killed while migrating',
  async () => {
    const random = seededRandom('T49 migrations');
    for (let round = 0; round < rounds; round += 1) {
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'touchstone.sqlite');
      const first = openDatabase({
        file,
        migrationsFolder: realMigrationsFolder,
        clock: tickingClock(),
        access: 'write',
      });
      const put = first.prepare(
        "INSERT INTO settings VALUES (?, json_quote(printf('%.*c', 3000, 'x')))",
      );
      first.transaction(() => {
        for (let row = 0; row < 300; row += 1) put.run(`key ${row}`);
      })();
      first.close();
      const migrations = laterMigrations(folder.path);

      await using child = startLineChild(program, ['migrate', file, migrations]);
      const until = 1 + random.integer(later + 1);
      for (let step = 0; step < until; step += 1) await child.nextLine();
      child.kill();
      await child.ended;

      const look = new Sqlite(file, { readonly: true });
      const version = Number(look.pragma('user_version', { simple: true }));
      const applied = look.prepare('SELECT max(id) FROM schema_migrations').pluck().get();
      // Migration n wrote n into every row: half of one would show two values.
      const levels =
        version > newest ? look.prepare('SELECT DISTINCT level FROM settings').pluck().all() : [];
      look.close();
      expect(applied).toBe(version);
      expect(levels).toEqual(version > newest ? [version] : []);

      const db = openDatabase({
        file,
        migrationsFolder: migrations,
        clock: tickingClock(),
        access: 'write',
      });
      expect(db.pragma('user_version', { simple: true })).toBe(newest + later);
      expect(
        db
          .prepare('SELECT count(*) FROM settings WHERE level = ?')
          .pluck()
          .get(newest + later),
      ).toBe(300);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      db.close();
      expect(existsSync(join(folder.path, 'backups'))).toBe(true);
    }
  },
);

function keysOf(line: string | null): string[] {
  const reported: unknown = JSON.parse(line ?? '{}');
  if (
    typeof reported !== 'object' ||
    reported === null ||
    !('committed' in reported) ||
    !Array.isArray(reported.committed)
  )
    throw new Error(`Not an acknowledgement: ${line}`);
  return reported.committed.map(String);
}

/**
 * Read by a connection that changes nothing, so that the next round recovers from the crash itself.
 */
function expectWhole(file: string, acknowledged: readonly string[]): void {
  const db = new Sqlite(file, { readonly: true });
  const there = new Set(db.prepare<[], string>('SELECT key FROM test_cases').pluck().all());
  expect(acknowledged.filter((key) => !there.has(key))).toEqual([]);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  // A commit is three cases: none may be there in part.
  expect(there.size % 3).toBe(0);
  db.close();
}

/** The real migrations, and more that each rewrite a table. */
function laterMigrations(parent: string): string {
  const folder = join(parent, 'migrations');
  cpSync(realMigrationsFolder, folder, { recursive: true });
  for (let id = newest + 1; id <= newest + later; id += 1) {
    const add = id === newest + 1 ? 'ALTER TABLE settings ADD COLUMN level INTEGER;\n' : '';
    writeFileSync(
      join(folder, `${String(id).padStart(4, '0')}-level.sql`),
      `${add}UPDATE settings SET level = ${id}, value = value;\n`,
    );
  }
  return folder;
}
