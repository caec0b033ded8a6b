import { readLockHolder, type LockHolder } from '../../store/durability/workspaceLock.ts';

/** Who has the workspace open now, and where it takes commands; null where nobody has. */
export function findHolder(folder: string): LockHolder | null {
  return readLockHolder(folder);
}
