import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { StoreClock } from '../database/database.ts';
import { identifyProcess, isAlive } from './processIdentity.ts';

export const hostKinds = ['electron', 'loopback', 'cli'] as const;
export type HostKind = (typeof hostKinds)[number];

const endpoint = z.object({ port: z.number().int(), token: z.string() });
const lockHolder = z.object({
  pid: z.number().int(),
  startTime: z.string().nullable(),
  host: z.enum(hostKinds),
  since: z.string(),
  /** Tells this lock from every other one, also from an earlier one of the same process. */
  nonce: z.string(),
  /**
   * Where the holder takes commands; null until it listens. The token is a credential: it never
   * leaves this file.
   */
  endpoint: endpoint.nullable(),
});
export type LockEndpoint = z.infer<typeof endpoint>;
export type LockHolder = z.infer<typeof lockHolder>;

export interface WorkspaceLock {
  readonly holder: LockHolder;
  setEndpoint(endpoint: LockEndpoint | null): void;
  release(): void;
}

const lockFile = (folder: string) => join(folder, 'touchstone.lock');
const guardFile = (folder: string) => join(folder, 'touchstone.lock.guard');
/** Two starts at the same moment wait this long for each other's few milliseconds. */
const guardTimeoutMs = 250;

/**
 * Takes the workspace for this process. What excludes others is a lock of the operating system on
 * the guard file: it ends with the process, however that ends, so two takers of a stale lock can't
 * both win. The lock file says who holds it. Throws CONFLICT that names the holder.
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
    // On file systems without working locks the guard is free although someone holds the workspace.
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
 * Who holds the workspace now; null where nobody does, also where only the file of a dead process
 * is left.
 */
export function readLockHolder(folder: string): LockHolder | null {
  const holder = parseLockFile(folder);
  return holder !== null && isAlive(holder) ? holder : null;
}

/**
 * Null where another process, or this one, holds it. SQLite's exclusive lock is the portable lock
 * that Node lacks.
 */
function holdGuard(folder: string): Sqlite.Database | null {
  closeSync(openSync(guardFile(folder), 'a', 0o600));
  const guard = new Sqlite(guardFile(folder), { timeout: guardTimeoutMs });
  try {
    // Nothing is ever written to it, so that it needs no journal beside it.
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
  try {
    const parsed = lockHolder.safeParse(JSON.parse(readFileSync(lockFile(folder), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Whole or not at all: a reader never sees half a holder. */
function writeLockFile(folder: string, holder: LockHolder): void {
  const temporary = `${lockFile(folder)}.${holder.nonce}`;
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(holder)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, lockFile(folder));
}

function heldBy(folder: string, holder: LockHolder | null): ServiceError {
  const names = {
    electron: 'the Touchstone window',
    loopback: 'touchstone open',
    cli: 'the touchstone command',
  };
  const who =
    holder === null
      ? 'another process'
      : `${names[holder.host]} (process ${holder.pid}, since ${holder.since})`;
  return new ServiceError('CONFLICT', {
    thing: `The workspace ${folder}`,
    cause: `It is in use by ${who}.`,
    nextStep: 'Close that one first, or choose another workspace folder.',
  });
}
