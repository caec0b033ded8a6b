import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src-main/runtime/clock.ts';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { openDatabase } from '../src-main/store/database/openDatabase.ts';
import { ratioRow, type Row } from './report.ts';

export interface KillFigures {
  kills: number;
  /** Results that were acknowledged before a kill. */
  acknowledged: number;
  /** Acknowledged results that are missing after the next start; must be 0. */
  lost: number;
  /** Starts after a kill that were refused; must be 0. */
  refusedStarts: number;
  /** Files that are neither the database, its checksums nor its marker; must be empty. */
  leftFiles: string[];
  slowestStartMs: number;
}

export async function benchKills(): Promise<Row[]> {
  const { kills, acknowledged, lost } = await measureKills(20);
  return [
    ratioRow(`saved results lost in ${kills} kills`, lost, 'results', 'saved', acknowledged, 0),
  ];
}

const child = fileURLToPath(new URL('./killsChild.ts', import.meta.url));
/** A kill comes at the latest this long after the first result of its process. */
const maxLifeMs = 400;

/**
 * Kills a process that saves results with SIGKILL, `kills` times at random moments, and opens its
 * workspace after each. A kill takes about half a second.
 */
export async function measureKills(kills: number): Promise<KillFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-kills-'));
  const file = join(folder, 'touchstone.sqlite');
  const acknowledged: string[] = [];
  const figures = { kills, acknowledged: 0, lost: 0, refusedStarts: 0, slowestStartMs: 0 };
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      acknowledged.push(...(await saveUntilKilled(file)));
      const startedAt = performance.now();
      const saved = readSaved(file);
      figures.slowestStartMs = Math.max(figures.slowestStartMs, performance.now() - startedAt);
      if (saved === null) figures.refusedStarts += 1;
      else figures.lost = acknowledged.filter((key) => !saved.has(key)).length;
    }
    const own = ['', '.checksums', '.has-data'].map((suffix) => `touchstone.sqlite${suffix}`);
    const leftFiles = readdirSync(folder).filter((name) => !own.includes(name));
    return { ...figures, acknowledged: acknowledged.length, leftFiles };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Saves results in a process that is killed, and returns the keys of those it acknowledged. */
export async function saveUntilKilled(file: string): Promise<string[]> {
  const saver = spawn(process.execPath, [child, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const keys: string[] = [];
  const ended = once(saver, 'exit');
  for await (const key of createInterface({ input: saver.stdout })) {
    if (keys.length === 0)
      setTimeout(() => saver.kill('SIGKILL'), Math.random() * maxLifeMs).unref();
    // A line that the kill cut is not an acknowledgement.
    if (key.length === 36) keys.push(key);
  }
  await ended;
  return keys;
}

function readSaved(file: string): Set<string> | null {
  try {
    const { migrations: migrationsFolder } = programFiles;
    const db = openDatabase({ file, migrationsFolder, clock: systemClock, access: 'write' });
    try {
      return new Set(db.prepare<[], string>('SELECT key FROM test_cases').pluck().all());
    } finally {
      db.close();
    }
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    return null;
  }
}
