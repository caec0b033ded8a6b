import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import Sqlite from 'better-sqlite3';

/** The files of a folder by relative path: what a process that is killed now leaves behind. */
export type DiskState = ReadonlyMap<string, Buffer>;

const fileCalls = [
  'closeSync',
  'copyFileSync',
  'fsyncSync',
  'mkdirSync',
  'openSync',
  'renameSync',
  'rmSync',
  'writeSync',
] as const;
const databaseCalls = ['close', 'exec', 'pragma', 'transaction'] as const;

/**
 * Runs `work` and returns every state in which its folder was before and after each call that
 * writes: what SIGKILL at that moment would leave, since it loses nothing that was written.
 */
export function recordDiskSteps(folder: string, work: () => void): DiskState[] {
  const states: DiskState[] = [];
  let recording = false;
  const record = (): void => {
    if (recording) return;
    recording = true;
    const state = readState(folder);
    const last = states.at(-1);
    if (last === undefined || !isSame(last, state)) states.push(state);
    recording = false;
  };
  const undo = [
    ...fileCalls.map((name) => recordCalls(fs, name, record)),
    ...databaseCalls.map((name) => recordCalls(Sqlite.prototype, name, record)),
  ];
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    for (const restore of undo) restore();
    syncBuiltinESMExports();
  }
  return states;
}

/** Writes a state into a folder that is new or empty. */
export function writeState(folder: string, state: DiskState): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const [path, bytes] of state) {
    const target = join(folder, path);
    fs.mkdirSync(join(target, '..'), { recursive: true });
    fs.writeFileSync(target, bytes);
  }
}

function recordCalls(owner: object, name: string, record: () => void): () => void {
  const original = Reflect.get(owner, name) as (...values: unknown[]) => unknown;
  Reflect.set(owner, name, function (this: unknown, ...values: unknown[]) {
    record();
    try {
      return Reflect.apply(original, this, values);
    } finally {
      record();
    }
  });
  return () => void Reflect.set(owner, name, original);
}

function readState(folder: string): DiskState {
  return new Map(
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), fs.readFileSync(path)]),
  );
}

function isSame(left: DiskState, right: DiskState): boolean {
  return (
    left.size === right.size &&
    [...left].every(([path, bytes]) => right.get(path)?.equals(bytes) === true)
  );
}
