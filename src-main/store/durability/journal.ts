import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { writeDurably } from './durableFile.ts';
import { readWalHeader, scanWal, type WalScan } from './walFile.ts';

/*
 * SQLite keeps what was committed last in a journal (`-wal`) beside the database and takes whatever
 * lies there for its own. So a journal that was deleted, or that belongs to another database, loses
 * or mixes data without a word. To notice that, a file beside the database says which journal there
 * must be:
 *   .in-use   a session is open: the journal must be there, and be this one
 *   .between  a session is being opened or closed: it may be there (this one, or any) or be gone
 *   neither   the last session was closed: there must be none
 * The file also says how much of the journal was committed, because SQLite ends reading, without a
 * word, at the first frame that is damaged.
 */
export const journalFile = (file: string) => `${file}-wal`;
export const inUseFile = (file: string) => `${file}.in-use`;
export const betweenFile = (file: string) => `${file}.between`;
const any = 'any';

export type JournalFinding = 'none' | 'own' | 'unknown' | 'missing' | 'foreign';

interface JournalRecord {
  identity: string;
  salt: number;
  frames: number;
  /**
   * How many frames were there before a session whose database is still to be checked; null once it
   * was. Until then nothing is moved out of the journal, so what this session has written there
   * says nothing about the pages of the file.
   */
  uncheckedFrom: number | null;
}

/** What the last session recorded of its journal; null where it was closed. */
export const recordedJournal = (file: string): JournalRecord | null =>
  readRecord(inUseFile(file)) ?? readRecord(betweenFile(file));

/**
 * Compares the journal with what the last session left. `managed` says whether an earlier session
 * has created the marker files.
 */
export function inspectJournal(file: string, managed: boolean): JournalFinding {
  const found = journalIdentity(file);
  const inUse = readRecord(inUseFile(file));
  const expected = inUse ?? readRecord(betweenFile(file));
  if (found === null) return inUse === null ? 'none' : 'missing';
  if (expected === null) return managed ? 'foreign' : 'unknown';
  return found === expected.identity || expected.identity === any ? 'own' : 'foreign';
}

/**
 * How many frames that were committed can't be read any more; 0 where all can. Only a power cut can
 * lose the record of the last commits, and then they aren't counted.
 */
export function countLostFrames(file: string, scan: WalScan | null): number {
  const record = recordedJournal(file);
  if (record === null || record.salt !== scan?.header.salt) return 0;
  return Math.max(0, record.frames - scan.frames);
}

/** The journal as it was before the sessions whose database was never checked. */
export function scanCheckedWal(file: string, scan = scanWal(journalFile(file))): WalScan | null {
  const record = recordedJournal(file);
  return scan !== null && record?.salt === scan.header.salt && record.uncheckedFrom !== null
    ? scanWal(journalFile(file), null, record.uncheckedFrom)
    : scan;
}

/**
 * Call before SQLite opens the database for writing, because that creates a journal where there is
 * none.
 */
export function markOpening(file: string): void {
  if (journalIdentity(file) === null) writeDurably(betweenFile(file), `${any}\n`);
}

/** Call once the session has committed something, so that there is a journal. */
export function markInUse(file: string, frames: number, uncheckedFrom: number | null): void {
  const record = recordOf(file, frames, uncheckedFrom);
  if (record === null)
    throw new Error(`${journalFile(file)} is missing although something was just committed.`);
  writeDurably(inUseFile(file), record);
  rmSync(betweenFile(file), { force: true });
}

/**
 * Call after each commit. The line always has the same length and lies in one sector. It isn't
 * synced, so a commit takes no longer; the process may still end at any moment.
 */
export function markCommitted(file: string, frames: number, uncheckedFrom: number | null): void {
  const record = recordOf(file, frames, uncheckedFrom);
  if (record === null || !existsSync(inUseFile(file))) return;
  const handle = openSync(inUseFile(file), 'r+');
  try {
    writeSync(handle, record, 0);
  } finally {
    closeSync(handle);
  }
}

/** Call before SQLite closes. Neither branch needs disk space, so both succeed on a full disk. */
export function markClosing(file: string): void {
  if (!existsSync(inUseFile(file))) return;
  try {
    renameSync(inUseFile(file), betweenFile(file));
  } catch {
    rmSync(inUseFile(file), { force: true });
  }
}

/** Call after SQLite has closed. Where a reader kept the journal alive, it stays expected. */
export function markClosed(file: string): void {
  if (journalIdentity(file) === null) rmSync(betweenFile(file), { force: true });
}

/**
 * Identifies a journal during its session. SQLite raises the first salt by one whenever it restarts
 * the journal and counts that in the checkpoint sequence, so their difference stays the same. Null
 * where there is no journal with content.
 */
function journalIdentity(file: string): string | null {
  const header = readWalHeader(journalFile(file));
  return header === 'damaged' ? 'unreadable' : (header?.identity ?? null);
}

function recordOf(file: string, frames: number, uncheckedFrom: number | null): string | null {
  const header = readWalHeader(journalFile(file));
  if (header === null || header === 'damaged') return null;
  return `${`${header.identity} ${header.salt} ${frames} ${uncheckedFrom ?? ''}`.padEnd(48)}\n`;
}

/** While a session is being opened, the file says `any` alone. */
function readRecord(path: string): JournalRecord | null {
  if (!existsSync(path)) return null;
  const [identity = '', salt = '-1', frames = '0', unchecked] = readFileSync(path, 'utf8')
    .trim()
    .split(' ');
  return {
    ...{ identity, salt: Number(salt), frames: Number(frames) },
    uncheckedFrom: unchecked === undefined ? null : Number(unchecked),
  };
}
