import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { ServiceError } from '../../../src-shared/contract/errors.ts';
import { afterForeignChange, damaged, damageWhileOpen } from './damaged.ts';
import { journalFile, markCommitted, markInUse, scanCheckedWal } from './journal.ts';
import {
  checksumFile,
  findDamage,
  readChecksums,
  withJournal,
  writeChecksums,
} from './pageChecksums.ts';
import { findFault } from './sqliteCheck.ts';
import { readWalHeader, scanWal, type WalPosition, type WalScan } from './walFile.ts';

interface JournalState {
  /** Frames in the journal, and how many of them the database file has already. */
  log: number;
  checkpointed: number;
}

/** SQLite's own default for automatic checkpoints: about 4 MB. */
const minFrames = 1000;
/** A checkpoint writes the checksums of all pages, so a large database collects more frames. */
const pagesPerFrame = 256;

/**
 * While much is written at once, checkpoints are further apart, so that they take about a tenth of
 * the time. A page that is written again and again is then moved once. But the journal doesn't grow
 * by more than this without one: 32 MB.
 */
const maxFramesBetween = 8000;
const timesAsLong = 9;

/** With more frames than that, a checkpoint has turns of the event loop for itself. */
const maxFramesAtOnce = 2000;

/**
 * Moves pages from the journal into the database file, in SQLite's place, to write their checksums
 * first. So every page of the file is at every moment either as its checksum says or in the
 * journal, however the process ends.
 */
export class Checkpoints {
  readonly #db: Sqlite.Database;
  readonly #state: Sqlite.Statement<[], JournalState>;
  #summed: WalPosition | null = null;
  #wantedFrames = minFrames;
  #damage: ServiceError | null = null;
  /** When the next checkpoint may be, unless the journal has grown too much: ms of `performance`. */
  #notBefore = 0;
  #postponed: NodeJS.Immediate | undefined;
  /** Where the journal ended before a session whose file is still to be checked. */
  #unchecked: { salt: number; frames: number } | null;

  /**
   * @param unchecked what the journal holds of a database whose pages were not read yet: until they
   *   were, nothing is moved into them
   */
  constructor(db: Sqlite.Database, unchecked: { salt: number; frames: number } | null) {
    this.#db = db;
    this.#unchecked = unchecked;
    db.pragma('wal_autocheckpoint = 0');
    this.#state = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  }

  /** Why nothing may be written any more; null where all is well. */
  get damage(): ServiceError | null {
    return this.#damage;
  }

  refuseWrites(damage: ServiceError): void {
    this.#damage ??= damage;
  }

  get isChecked(): boolean {
    return this.#unchecked === null;
  }

  /** Call once the pages of the file were read, and are as their checksums say. */
  passCheck(): void {
    if (this.#unchecked === null) return;
    this.#unchecked = null;
    this.afterCommit();
  }

  /** Reads the whole file at once, where what follows can't wait for the check behind. */
  checkNow(): void {
    const { name: file } = this.#db;
    if (this.#unchecked === null || this.#damage !== null) return;
    const checksums = readChecksums(file);
    const changed = checksums && findDamage(file, checksums, scanCheckedWal(file));
    const fault = changed ?? findFault(this.#db);
    const also = changed === null ? [] : [afterForeignChange(file)];
    if (fault === null) this.passCheck();
    else this.refuseWrites(damageWhileOpen(file, fault, also));
  }

  /** Call after the first commit of a session, which makes a journal of its own. */
  begin(): void {
    const file = this.#db.name;
    const header = readWalHeader(journalFile(file));
    const salt = header === null || header === 'damaged' ? null : header.salt;
    // What a journal held that was started over since is in the file.
    if (this.#unchecked !== null && this.#unchecked.salt !== salt)
      this.#unchecked = { salt: salt ?? 0, frames: 0 };
    markInUse(file, this.frames, this.#unchecked?.frames ?? null);
    this.afterCommit();
  }

  get frames(): number {
    return this.#state.get()?.log ?? 0;
  }

  /**
   * Call after each commit. It never fails, because the commit is done: without room for checksums
   * the journal grows until there is some.
   */
  afterCommit(): void {
    const { frames } = this;
    const since = this.#summed?.frames ?? 0;
    if (frames < since) this.#summed = null;
    try {
      markCommitted(this.#db.name, frames, this.#unchecked?.frames ?? null);
    } catch {
      // The disk refuses even this. The data is committed; the next commit tries again.
      return;
    }
    if (this.#postponed !== undefined || this.#unchecked !== null) return;
    const added = frames - (this.#summed?.frames ?? 0);
    if (added < this.#wantedFrames) return;
    if (added < maxFramesBetween && performance.now() < this.#notBefore) return;
    if (added > maxFramesAtOnce) this.#postponed = setImmediate(() => this.#checkpointInTurns());
    else this.#checkpoint();
  }

  /** Sums most pages in one turn, and moves them in another, with those that came in between. */
  #checkpointInTurns(): void {
    try {
      this.#writeChecksums();
    } catch {
      // The checkpoint tries once more.
    }
    this.#postponed = setImmediate(() => {
      this.#postponed = undefined;
      this.#checkpoint();
    });
  }

  #checkpoint(): void {
    const began = performance.now();
    try {
      this.#writeChecksums();
    } catch {
      // Without checksums nothing is moved out of the journal; the next commit tries again.
      return;
    }
    if (this.#damage !== null) return;
    this.#db.pragma('wal_checkpoint(PASSIVE)');
    this.#notBefore = performance.now() + timesAsLong * (performance.now() - began);
  }

  /**
   * Closes the connection. SQLite then does a checkpoint of its own, unless another connection is
   * open: that keeps the journal for the next start where checksums can't be written first.
   */
  close(close: () => void): void {
    clearImmediate(this.#postponed);
    const keeper = this.#isReadyToClose() ? null : keepJournal(this.#db.name);
    close();
    keeper?.close();
  }

  #isReadyToClose(): boolean {
    try {
      if (this.#unchecked !== null) return false;
      this.#writeChecksums();
      return this.#damage === null;
    } catch {
      // The journal is kept, so that nothing depends on checksums that weren’t written.
      return false;
    }
  }

  #writeChecksums(): void {
    const file = this.#db.name;
    const { frames } = this;
    const scan = scanWal(journalFile(file), this.#summed);
    if (frames > (scan?.frames ?? 0)) {
      this.refuseWrites(damaged(file, `Its journal ${journalFile(file)} is damaged.`));
      return;
    }
    if (scan === null) return;
    this.#summed = positionOf(scan);
    const stored = scan.pages.size === 0 ? null : readChecksums(file);
    if (stored === null) return;
    const next = withJournal(stored, scan);
    writeChecksums(file, next);
    this.#wantedFrames = Math.max(minFrames, Math.ceil(next.sums.length / pagesPerFrame));
  }
}

/**
 * A connection that only reads does no checkpoint when it closes. Without one, the checksums are
 * removed, so that the next start checks the database otherwise.
 */
function keepJournal(file: string): Sqlite.Database | null {
  try {
    const keeper = new Sqlite(file, { readonly: true });
    keeper.prepare('SELECT count(*) FROM sqlite_schema').get();
    return keeper;
  } catch {
    rmSync(checksumFile(file), { force: true });
    return null;
  }
}

const positionOf = ({ header, frames, sums }: WalScan): WalPosition => ({ header, frames, sums });
