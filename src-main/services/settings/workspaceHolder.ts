import { readLockHolder, type LockHolder } from '../../store/durability/workspaceLock.ts';

/**
 * The process that has the workspace open and the address where it takes commands; null if there is
 * none.
 */
export function findHolder(folder: string): LockHolder | null {
  return readLockHolder(folder);
}
