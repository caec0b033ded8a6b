import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeDurably } from './durableFile.ts';

/*
 * SQLite keeps what was committed last in a journal (`-wal`) beside the database and takes whatever
 * lies there for its own. So a journal that was deleted, or that belongs to another database, loses
 * or mixes data without a word. To notice that, a file beside the database says which journal there
 * must be:
 *   .in-use   a session is open: the journal must be there, and be this one
 *   .between  a session is being opened or closed: it may be there (this one, or any) or be gone
 *   neither   the last session was closed: there must be none
 */
export const journalFile = (file: string) => `${file}-wal`;
export const inUseFile = (file: string) => `${file}.in-use`;
export const betweenFile = (file: string) => `${file}.between`;
const any = 'any';

export type JournalFinding = 'none' | 'own' | 'unknown' | 'missing' | 'foreign';

/**
 * Compares the journal with what the last session left. `managed` says whether an earlier session
 * has created the marker files.
 */
export function inspectJournal(file: string, managed: boolean): JournalFinding {
  const found = journalIdentity(file);
  const inUse = readIdentity(inUseFile(file));
  const expected = inUse ?? readIdentity(betweenFile(file));
  if (found === null) return inUse === null ? 'none' : 'missing';
  if (expected === null) return managed ? 'foreign' : 'unknown';
  return found === expected || expected === any ? 'own' : 'foreign';
}

/**
 * Call before SQLite opens the database for writing, because that creates a journal where there is
 * none.
 */
export function markOpening(file: string): void {
  if (journalIdentity(file) === null) writeDurably(betweenFile(file), `${any}\n`);
}

/** Call once the session has committed something, so that there is a journal. */
export function markInUse(file: string): void {
  const identity = journalIdentity(file);
  if (identity === null)
    throw new Error(`${journalFile(file)} is missing although something was just committed.`);
  writeDurably(inUseFile(file), `${identity}\n`);
  rmSync(betweenFile(file), { force: true });
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
 * where there is no journal with content. https://www.sqlite.org/walformat.html
 */
function journalIdentity(file: string): string | null {
  const journal = journalFile(file);
  const size = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return null;
  const header = Buffer.alloc(32);
  const handle = openSync(journal, 'r');
  try {
    if (readSync(handle, header, 0, 32, 0) < 32) return 'unreadable';
  } finally {
    closeSync(handle);
  }
  // The two magic numbers differ in the last bit only.
  if ((header.readUInt32BE(0) & 0xfffffffe) >>> 0 !== 0x377f0682) return 'unreadable';
  return String((header.readUInt32BE(16) - header.readUInt32BE(12)) >>> 0);
}

function readIdentity(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}
