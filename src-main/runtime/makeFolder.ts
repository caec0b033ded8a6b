import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing, for its owner alone. Step by step, because
 * Node's own recursive way never comes back where a file system (such as /proc) refuses a new
 * folder as "not there".
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
