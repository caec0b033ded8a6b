import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import type { StoreClock } from '../database/database.ts';
import { identifyProcess, isAlive } from './processIdentity.ts';
import { requirePlainFiles } from './ownFiles.ts';
import { WorkspaceInUse } from './workspaceInUse.ts';

const hostKinds = ['electron', 'loopback', 'cli'] as const;
export type HostKind = (typeof hostKinds)[number];

const endpoint = z.object({ port: z.number().int(), token: z.string() });
const lockHolder = z.object({
  pid: z.number().int(),
  startTime: z.string().nullable(),
  host: z.enum(hostKinds),
  since: z.string(),
  /** Distinguishes this lock from every other one, also from an earlier one of the same process. */
  nonce: z.string(),
  /**
   * Where the holder accepts commands; null until it listens. The token is a credential: it never
   * leaves this file.
   */
  endpoint: endpoint.nullable(),
});
type LockEndpoint = z.infer<typeof endpoint>;
export type LockHolder = z.infer<typeof lockHolder>;

export interface WorkspaceLock {
  readonly holder: LockHolder;
  setEndpoint(endpoint: LockEndpoint | null): void;
  release(): void;
}

const lockFile = (folder: string) => join(folder, 'touchstone.lock');
const guardFile = (folder: string) => join(folder, 'touchstone.lock.guard');
/** Two processes that start at the same moment wait at most this long for each other. */
const guardTimeoutMs = 250;

/**
 * Locks the workspace for this process. An operating-system lock on the guard file keeps others
 * out. It ends with the process in any case, so two processes that find a stale lock can't both get
 * it. The lock file says who holds the workspace. Throws CONFLICT that names the holder.
 */
export function acquireWorkspaceLock({
  folder,
  host,
  clock,
}: {
  folder: string;
  host: HostKind;
  clock: StoreClock;
}): WorkspaceLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const guard = holdGuard(folder);
  if (guard === null) throw heldBy(folder, parseLockFile(folder));
  try {
    removeUnfinished(folder);
    // On file systems without working locks, the guard is free although another process holds the
    // workspace.
    const other = parseLockFile(folder);
    if (other !== null && other.startTime !== null && isAlive(other)) throw heldBy(folder, other);
    let holder: LockHolder = {
      ...identifyProcess(),
      host,
      since: clock.now(),
      nonce: randomUUID(),
      endpoint: null,
    };
    writeLockFile(folder, holder);
    let released = false;
    return {
      get holder() {
        return holder;
      },
      setEndpoint(next) {
        if (released) return;
        holder = { ...holder, endpoint: next };
        writeLockFile(folder, holder);
      },
      release() {
        if (released) return;
        released = true;
        if (parseLockFile(folder)?.nonce === holder.nonce)
          rmSync(lockFile(folder), { force: true });
        guard.close();
      },
    };
  } catch (error) {
    guard.close();
    throw error;
  }
}

/**
 * Who holds the workspace now. Null where nobody does, also where only the file of a dead process
 * is left.
 */
export function readLockHolder(folder: string): LockHolder | null {
  const holder = parseLockFile(folder);
  return holder !== null && isAlive(holder) ? holder : null;
}

/**
 * Null where another process, or this one, holds it. SQLite's exclusive lock is the portable file
 * lock that Node lacks.
 */
function holdGuard(folder: string): Sqlite.Database | null {
  closeSync(openSync(guardFile(folder), 'a', 0o600));
  const guard = new Sqlite(guardFile(folder), { timeout: guardTimeoutMs });
  try {
    // Nothing is ever written to it, so it needs no journal.
    guard.pragma('journal_mode = MEMORY');
    guard.exec('BEGIN EXCLUSIVE');
    return guard;
  } catch (error) {
    guard.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
}

function parseLockFile(folder: string): LockHolder | null {
  requirePlainFiles(lockFile(folder));
  try {
    const parsed = lockHolder.safeParse(JSON.parse(readFileSync(lockFile(folder), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** What a process that was killed while it wrote the file left. Only the holder may call this. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (/^touchstone\.lock\.[0-9a-f-]{36}$/.test(name)) rmSync(join(folder, name), { force: true });
}

/** Writes the file whole or not at all, so that a reader never sees half of it. */
function writeLockFile(folder: string, holder: LockHolder): void {
  const temporary = `${lockFile(folder)}.${holder.nonce}`;
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(holder)}\n`);
    fsyncSync(handle);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, lockFile(folder));
}

function heldBy(folder: string, holder: LockHolder | null): WorkspaceInUse {
  const names = {
    electron: 'the Touchstone window',
    loopback: 'touchstone open',
    cli: 'the touchstone command',
  };
  const who =
    holder === null
      ? 'another process'
      : `${names[holder.host]} (process ${holder.pid}, since ${holder.since})`;
  return new WorkspaceInUse('CONFLICT', {
    thing: `The workspace ${folder}`,
    cause: `It is in use by ${who}.`,
    nextStep: 'Close it first, or choose another workspace folder.',
  });
}
