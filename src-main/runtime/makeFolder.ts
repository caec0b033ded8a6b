import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, accessible to their owner alone. Done step by step,
 * because the recursive option of Node never returns on a file system (such as /proc) that reports
 * ENOENT for a new folder.
 */
export function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && statSync(parent, { throwIfNoEntry: false }) === undefined)
    makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
