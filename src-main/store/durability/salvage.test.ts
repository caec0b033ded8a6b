import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { countingIds, realMigrationsFolder, tickingClock } from '../../testing/testDatabase.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openStore } from '../store.ts';
import { exportReadable } from './salvage.ts';
import { scanWal } from './walFile.ts';

let folder: TemporaryFolder;
let file: string;
const clock = tickingClock();
const names = Array.from({ length: 120 }, (_, number) => `suite ${number}`);
const frameBytes = 24 + 4096;
const at = (frame: number, byte = 0): number => 32 + frame * frameBytes + byte;

/** The files of a session that was killed after one commit per suite. */
let kept: Map<string, Buffer>;
let frames: number;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'touchstone.sqlite');
  const db = openDatabase({ file, migrationsFolder: realMigrationsFolder, clock, access: 'write' });
  db.pragma('wal_checkpoint(TRUNCATE)');
  const store = openStore(db, { clock, nextId: countingIds() });
  for (const name of names)
    store.transaction(() => store.suites.insert({ name, system: null, messages: [], servers: [] }));
  kept = new Map(
    readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name))]),
  );
  frames = scanWal(`${file}-wal`)?.frames ?? 0;
  db.close();
  for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name));
  for (const [name, bytes] of kept) writeFileSync(join(folder.path, name), bytes);
});
afterEach(() => folder.remove());

function damage(places: readonly number[], change = (byte: number) => byte ^ 1): void {
  const bytes = readFileSync(`${file}-wal`);
  for (const place of places) bytes[place] = change(bytes[place] ?? 0);
  writeFileSync(`${file}-wal`, bytes);
}

function salvaged() {
  const out = join(folder.path, 'out');
  const { missing } = exportReadable(file, out);
  const rows = existsSync(join(out, 'suites.jsonl'))
    ? readFileSync(join(out, 'suites.jsonl'), 'utf8').split('\n').filter(Boolean)
    : [];
  const found = new Set(rows.map((row) => (JSON.parse(row) as { name: string }).name));
  return { missing, found: names.filter((name) => found.has(name)).length };
}

describe('a damaged journal', () => {
  it('gives all that it holds while it is sound', () => {
    expect(frames).toBeGreaterThan(names.length);
    expect(salvaged()).toEqual({ missing: [], found: names.length });
  });

  const one = expect.stringMatching(/^1 of \d+ pages in the journal can’t be read/) as unknown;
  const two = expect.stringMatching(/^2 of \d+ pages in the journal can’t be read/) as unknown;
  it.each([
    ['a bit of a page', (frame: number) => [at(frame, 24 + 2000)], one],
    ['the number of a page', (frame: number) => [at(frame, 3)], one],
    ['the mark of a commit', (frame: number) => [at(frame, 7)], one],
    ['a running checksum', (frame: number) => [at(frame, 17)], one],
    // Its checksum doesn't cover the salts, and shows that it belongs there.
    ['a salt', (frame: number) => [at(frame, 9)], null],
  ])('is read past a frame in which %s changed', (_name, placesOf, expected) => {
    for (const frame of [1, Math.floor(frames / 2), frames - 4]) {
      damage(placesOf(frame));
      const { missing, found } = salvaged();
      expect([missing, found], String(frame)).toEqual([
        expected === null ? [] : [expected],
        names.length,
      ]);
      rmSync(join(folder.path, 'out'), { recursive: true });
      damage(placesOf(frame));
    }
  });

  it('is read past a frame that is gone as a whole, and the one whose checksum it began', () => {
    const first = at(Math.floor(frames / 2));
    damage(
      Array.from({ length: frameBytes }, (_, byte) => first + byte),
      () => 0,
    );
    expect(salvaged()).toEqual({ missing: [two], found: names.length });
  });

  it('is read past a frame that is there twice', () => {
    const bytes = readFileSync(`${file}-wal`);
    const from = at(Math.floor(frames / 2));
    writeFileSync(
      `${file}-wal`,
      Buffer.concat([bytes.subarray(0, from + frameBytes), bytes.subarray(from)]),
    );
    expect(salvaged().found).toBe(names.length);
  });

  it('says how much of its end is missing', () => {
    truncateSync(`${file}-wal`, at(frames - 10));
    const { missing, found } = salvaged();
    expect(missing).toEqual([expect.stringMatching(/^10 of \d+ pages in the journal/)]);
    expect(found).toBeGreaterThan(names.length - 11);
    expect(found).toBeLessThan(names.length);
  });

  const beginning = Array.from({ length: 32 }, (_, byte) => byte);
  it.each([
    ['format', [1]],
    ['order of bytes', [3]],
    ['page size', [10]],
    ['first salt', [17]],
    ['second salt', [23]],
    ['checksum', [25]],
    ['whole beginning', beginning],
  ])('loses at most its first page if its %s is damaged', (_name, places) => {
    damage(places);
    const { found, missing } = salvaged();
    expect(found).toBe(names.length);
    // What only the beginning says is not asked for where the frames say it too.
    expect(missing.length).toBeLessThan(2);
  });

  it('is named if it is gone, or belongs to another database', async () => {
    rmSync(`${file}-wal`);
    const gone = salvaged();
    expect(gone.missing).toContain('The journal is gone, and with it what was saved last.');
    expect(gone.found).toBe(0);
    const other = await temporaryFolder();
    const foreign = join(other.path, 'other.sqlite');
    const db = openDatabase({
      file: foreign,
      migrationsFolder: realMigrationsFolder,
      clock,
      access: 'write',
    });
    writeFileSync(`${file}-wal`, readFileSync(`${foreign}-wal`));
    db.close();
    const apart = salvaged();
    expect(apart.missing).toContain('The journal belongs to another database and was left out.');
    expect(apart.found).toBe(0);
    await other.remove();
  });
});
