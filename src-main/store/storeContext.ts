import type { ReadableDatabase, StoreClock } from './database/database.ts';
import { asDiskTrouble } from './durability/diskTrouble.ts';
import { ServiceError } from '../../src-shared/contract/errors.ts';

/**
 * Runs `work` as one transaction; inside another one, as a part that can fail alone. Never pass an
 * async function.
 */
type RunTransaction = <T>(work: () => T) => T;

/** What every entity of the store is created from. */
export interface StoreContext {
  db: ReadableDatabase;
  clock: StoreClock;
  nextId: () => string;
  /** For texts that are hashed: the hash is that of the text as it is stored. */
  redact: (text: string) => string;
  /**
   * Every write goes through here. Trouble with the disk becomes a typed error, and a read-only
   * workspace refuses.
   */
  transaction: RunTransaction;
}

export function createTransaction(db: ReadableDatabase): RunTransaction {
  const run = db.transaction((work: () => void) => {
    work();
  });
  return <T>(work: () => T): T => {
    const { session } = db;
    if (session === null) throw openedForReading(db.name);
    if (session.damage !== null) throw session.damage;
    const nested = db.inTransaction;
    const outcome: { value?: T } = {};
    const keep = () => {
      const value = work();
      if (value instanceof Promise)
        throw new TypeError('A transaction must not wait: its work returned a promise.');
      outcome.value = value;
    };
    try {
      // The write lock is taken at the start, because taking it half-way could fail with nothing to
      // retry.
      if (nested) run(keep);
      else run.immediate(keep);
    } catch (error) {
      throw asDiskTrouble(error, db.name) ?? error;
    }
    if (!nested) session.afterCommit();
    return outcome.value as T;
  };
}

function openedForReading(file: string): ServiceError {
  return new ServiceError('READ_ONLY', {
    thing: `The database ${file}`,
    cause: 'It was opened for reading only.',
    nextStep: 'Open the workspace for writing to make changes.',
  });
}
